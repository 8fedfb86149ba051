// Opens an attempt: the one transaction after which something may be sent. Owns: what it checks and writes, all at once.
// Laws: L2, L3 (the owner and the wall-clock deadline are stored), L6 (digest recomputed), L7, L20.

import { attemptIdOf } from '../base/ids.ts';
import { type Action, actionDigest, isAuthorised } from '../records/action.ts';
import type { Change, Guard, Versioned, Write } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { Attempt } from '../records/evidence.ts';
import type { FoldedAction } from '../records/folded.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';

export interface Engaging {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<FoldedAction>;
  readonly run: Run;
  /** The newest request of the action: its approval, or the question that its tool asked. */
  readonly approval: PersonRequest | undefined;
  /** What the tool had asked and is handed back with this attempt. */
  readonly continuation?: Attempt['continuation'] | undefined;
  /** The segment of the execution that asks. */
  readonly fence: number;
  readonly owner: string;
  readonly deadlineAtMs: number;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type Engagement =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  /** What would run is not what was planned or approved: it is not sent, ever. */
  | { readonly kind: 'digest_changed' }
  /** Something was written after the authorisation: it is no longer the journal's head. */
  | { readonly kind: 'superseded' };

/** The agent's permission to use the tool comes first; an approval or a grant is for a call of a tool that it may use. */
const mandateGuards = (engaging: Engaging): readonly Guard[] => {
  const { mandate, workspace, agentId, digest, tool } = engaging.action.item;
  const { nowMs } = engaging;
  const standing = { guard: 'mandate-stands' as const, workspace, agentId, tool: tool.name };
  switch (mandate.kind) {
    case 'approval': {
      const { requestId } = mandate;
      return [standing, { guard: 'approval-stands', requestId, digest, nowMs }];
    }
    case 'grant': {
      const { requestId } = mandate;
      return [standing, { guard: 'grant-stands', workspace, agentId, requestId, nowMs }];
    }
    case 'standing':
      return [standing];
  }
};

/** The look-alike marker's revision that a person saw, with an approval or with a decision to repeat. */
export const approvedLikeness = ({
  action,
  approval,
}: {
  readonly action: Versioned<Action>;
  readonly approval: PersonRequest | undefined;
}): string | undefined => {
  const { authorisation } = action.item.authorised;
  if (authorisation.by === 'decision') return authorisation.likeRev;
  return approval?.on === 'approval' && approval.decision?.kind === 'approved'
    ? approval.likeness?.rev
    : undefined;
};

/** A reissue's first engage replaces the original among the holders that its approval showed, in the same transaction. */
const insteadOf = (
  item: Action,
  approval: PersonRequest | undefined,
): { readonly instead?: { readonly holders: readonly string[] } } => {
  if (item.reissueOf === undefined || item.attempts > 0 || approval?.on !== 'approval') return {};
  const others = (approval.likeness?.holders ?? []).filter(
    (holder) => holder !== item.reissueOf && holder !== item.actionId,
  );
  return { instead: { holders: [...others, item.actionId] } };
};

/** A person's word opens an attempt even when the run is over: a decision, or the approval of a reissue. */
const personsFence = (item: Action): number | undefined => {
  const { authorisation } = item.authorised;
  if (authorisation.by === 'decision') return authorisation.claimFence;
  return item.reissueOf !== undefined && authorisation.by === 'approval' ? 0 : undefined;
};

const guards = (engaging: Engaging): Write[] => {
  const { item } = engaging.action;
  const fence = personsFence(item);
  const likenessApproved = approvedLikeness(engaging) !== undefined;
  const all: Guard[] = [
    // L7: either the run may act and nobody holds a claim, or a person decided and nobody has claimed it since.
    ...(fence !== undefined
      ? [{ guard: 'no-newer-claim' as const, actionId: item.actionId, fence }]
      : [
          { guard: 'run-may-act' as const, runId: item.runId, fence: engaging.fence },
          { guard: 'no-claim' as const, actionId: item.actionId, nowMs: engaging.nowMs },
        ]),
    ...mandateGuards(engaging),
    { guard: 'not-barred', workspace: item.workspace, tool: item.tool.name },
    // A repeat is no new intention: its first attempt was held against the last run.
    ...(engaging.run.unlikeRun === undefined || likenessApproved || item.attempts > 0
      ? []
      : [
          {
            guard: 'unlike-last-run' as const,
            runId: engaging.run.unlikeRun,
            likeDigest: item.likeDigest,
          },
        ]),
  ];
  return all.map((guard) => ({ do: 'guard', ...guard }));
};

export const engage = (engaging: Engaging): Engagement => {
  const { item, rev } = engaging.action;
  const digest = actionDigest({
    tool: item.tool,
    destination: item.destination,
    arguments: item.arguments,
  });
  if (digest !== item.digest) return { kind: 'digest_changed' };
  if (!isAuthorised(item)) return { kind: 'superseded' };
  const attempt = item.authorised.attempt;
  const action: Action = {
    ...item,
    head: item.head + 1,
    effect: 'engaged',
    attempts: attempt,
    engaged: {
      attempt,
      owner: engaging.owner,
      deadlineAtMs: engaging.deadlineAtMs,
      engagedAt: engaging.nowIso,
    },
    firstEngagedAt: item.firstEngagedAt ?? engaging.nowIso,
  };
  const { actionId, workspace, likeDigest, runId } = item;
  const { continuation } = engaging;
  return {
    kind: 'change',
    action,
    change: {
      conversation: engaging.conversation,
      events: [{ type: 'action.engaged', runId, actionId, attempt }],
      writes: [
        {
          do: 'put',
          kind: 'attempt',
          item: {
            schema: 1,
            attemptId: attemptIdOf(actionId, attempt),
            actionId,
            attempt,
            entry: action.head,
            owner: engaging.owner,
            engagedAt: engaging.nowIso,
            deadlineAtMs: engaging.deadlineAtMs,
            authorisedBy: item.authorised.head,
            ...(continuation === undefined ? {} : { continuation }),
          },
        },
        // The revision keeps the authorisation the head until this is written: any entry raises both.
        { do: 'replace', kind: 'action', item: action, rev },
        {
          do: 'hold-likeness',
          workspace,
          likeDigest,
          actionId,
          approvedRev: approvedLikeness(engaging),
          ...insteadOf(item, engaging.approval),
        },
        { do: 'mark-run-likeness', runId, likeDigest, actionId },
        ...guards(engaging),
      ],
    },
  };
};
