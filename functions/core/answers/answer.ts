// A person answers an approval, or it expires. The answer and all that follows from it are one change.
// Owns: that change. Laws: L6 (the digest shown is the digest approved), L7 (the approval becomes the authorisation), L13, L16.
// Tested in test/core/answers/answers.test.ts.

import type { Author } from '../base/author.ts';
import { beginMsLeast, rememberedMsDefault } from '../base/limits.ts';
import { closeRequests, system } from '../pausing/close-request.ts';
import type { Action, Told } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import { remembered } from '../records/facts.ts';
import {
  grantFrom,
  type NotRememberable,
  notRememberable,
  type Remembering,
} from '../records/grant.ts';
import type { PersonRequest, RequestDecision } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { toldChangesRequested, toldExpired, toldRefused } from '../records/told.ts';

/** What is to be remembered, and how far the contracts let it be. */
export interface Allowed extends Remembering {
  readonly allowed: 'never' | 'run' | 'agent';
}

export interface Answering {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  readonly request: Versioned<PersonRequest>;
  readonly answer:
    | { readonly kind: 'approve'; readonly digest: string; readonly remember?: Allowed }
    | { readonly kind: 'refuse'; readonly reason: string }
    | { readonly kind: 'request_changes'; readonly text: string }
    | { readonly kind: 'expire' };
  readonly by: Author;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type AnswerRefusal =
  | { readonly because: 'already_decided'; readonly request: PersonRequest }
  | { readonly because: 'expired'; readonly request: PersonRequest }
  | { readonly because: 'digest_changed'; readonly digest: string }
  | { readonly because: 'not_rememberable'; readonly why: NotRememberable }
  | { readonly because: 'not_an_approval' };

export type AnswerOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | ({ readonly kind: 'refused' } & AnswerRefusal);

const refusalOf = (answering: Answering): AnswerRefusal | undefined => {
  const { item } = answering.request;
  if (item.on !== 'approval') return { because: 'not_an_approval' };
  if (item.decision) return { because: 'already_decided', request: item };
  const late = item.expiresAtMs !== undefined && answering.nowMs >= item.expiresAtMs;
  if (late && answering.answer.kind !== 'expire') return { because: 'expired', request: item };
  if (answering.answer.kind === 'approve' && answering.answer.digest !== item.digest)
    return { because: 'digest_changed', digest: item.digest };
  if (answering.answer.kind !== 'approve' || answering.answer.remember === undefined)
    return undefined;
  const { scope, allowed } = answering.answer.remember;
  const why = notRememberable(answering.action.item, item, scope, allowed);
  return why && { because: 'not_rememberable', why };
};

/** The grant that a remembered approval gives, in the same change. */
const grantOf = ({ answer, action, request, by, nowIso }: Answering): Write[] =>
  answer.kind === 'approve' && answer.remember !== undefined
    ? [
        {
          do: 'put',
          kind: 'grant',
          item: grantFrom(action.item, request.item.requestId, answer.remember, by, nowIso),
        },
      ]
    : [];

/** Until when an approval that is given now may be begun: not the time that was left to answer. */
const mayBeginUntilMs = (request: PersonRequest, nowMs: number): number => {
  const beginMs = request.on === 'approval' ? request.beginMs : undefined;
  return beginMs === undefined
    ? Math.max(request.expiresAtMs ?? nowMs, nowMs + beginMsLeast)
    : nowMs + beginMs;
};

const approved = (answering: Answering): { readonly action: Action; readonly writes: Write[] } => {
  const before = answering.action.item;
  const { requestId } = answering.request.item;
  const authorisation = { by: 'approval', requestId } as const;
  const entry = before.head + 1;
  const attempt = before.attempts + 1;
  const action: Action = {
    ...before,
    head: entry,
    mandate: { kind: 'approval', requestId },
    authorised: { head: entry, attempt, authorisation },
  };
  return {
    action,
    writes: [
      {
        do: 'put',
        kind: 'authorisation',
        item: {
          schema: 1,
          actionId: before.actionId,
          entry,
          attempt,
          authorisation,
          at: answering.nowIso,
          by: answering.by.subject,
          author: answering.by,
        },
      },
      {
        do: 'put',
        kind: 'mandate',
        item: {
          schema: 1,
          requestId,
          actionId: before.actionId,
          digest: before.digest,
          grantedAt: answering.nowIso,
          grantedBy: answering.by,
          expiresAtMs: mayBeginUntilMs(answering.request.item, answering.nowMs),
        },
      },
      ...grantOf(answering),
    ],
  };
};

const refused = (answering: Answering, told: Told, because: string): Action => ({
  ...answering.action.item,
  head: answering.action.item.head + 1,
  disposition: {
    kind: 'refused',
    because,
    by: answering.by.subject,
    author: answering.by,
    at: answering.nowIso,
  },
  told,
});

const decisionOf = (answering: Answering): RequestDecision => {
  switch (answering.answer.kind) {
    case 'approve': {
      const { remember } = answering.answer;
      if (remember === undefined) return { kind: 'approved' };
      const { scope, condition, expiresAtMs } = remember;
      const endsMs = expiresAtMs ?? answering.nowMs + rememberedMsDefault;
      const until = new Date(endsMs).toISOString();
      return { kind: 'approved', remembered: { scope, condition, until } };
    }
    case 'refuse':
      return { kind: 'refused', reason: answering.answer.reason };
    case 'request_changes':
      return { kind: 'changes_requested', text: answering.answer.text };
    case 'expire':
      return { kind: 'expired' };
  }
};

const actionAfter = (
  answering: Answering,
): { readonly action: Action; readonly writes: Write[] } => {
  const before = answering.action.item;
  switch (answering.answer.kind) {
    case 'approve':
      return approved(answering);
    case 'refuse': {
      const { reason } = answering.answer;
      return { action: refused(answering, toldRefused(before, reason), reason), writes: [] };
    }
    case 'request_changes': {
      const { text } = answering.answer;
      return { action: refused(answering, toldChangesRequested(before, text), text), writes: [] };
    }
    case 'expire':
      return {
        action: refused(answering, toldExpired(before), 'The approval expired.'),
        writes: [],
      };
  }
};

export const answerApproval = (answering: Answering): AnswerOutcome => {
  const refusal = refusalOf(answering);
  if (refusal) return { kind: 'refused', ...refusal };
  const by = answering.answer.kind === 'expire' ? system : answering.by;
  const after = actionAfter({ ...answering, by });
  const isApprovedReissue =
    after.action.reissueOf !== undefined && answering.answer.kind === 'approve';
  const action = isApprovedReissue
    ? { ...after.action, round: after.action.round + 1 }
    : after.action;
  const decision = decisionOf(answering);
  const closed = closeRequests(
    answering.run,
    [{ request: answering.request, decision }],
    by,
    answering.nowIso,
  );
  const decided: EventBody = {
    type: 'action.decided',
    runId: action.runId,
    actionId: action.actionId,
    decision: decision.kind,
    by: by.name,
  };
  return {
    kind: 'change',
    action,
    change: {
      conversation: answering.conversation,
      conversationNext: remembered(answering.conversation.item, answering.action.item, action),
      events: [decided, ...closed.events],
      writes: [
        { do: 'replace', kind: 'action', item: action, rev: answering.action.rev },
        ...after.writes,
        ...closed.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
      // No machine waits for a reissue: its approval starts the round that sends it.
      recoveries: isApprovedReissue ? [{ actionId: action.actionId, round: action.round }] : [],
    },
  };
};
