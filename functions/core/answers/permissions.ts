// What people change of permissions: standing ones revoked and restored, tools barred and let again, approvals taken back.
// Owns: those changes. Nothing is forgotten: the newest change is what stands, each is a record of its own.
// Laws: L7 (engage checks what stands in its own transaction), L13 (each change has one named identity).
// Tested in test/functions/store.test.ts.

import type { Author } from '../base/author.ts';
import type { Action } from '../records/action.ts';
import type { ApprovalMandate, Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { Grant } from '../records/grant.ts';
import {
  barredAt,
  type MandateRecord,
  revokedAt,
  type StandingMandate,
  type ToolBar,
} from '../records/mandate.ts';

/** A person can flip a switch for ever: every change has its record, the newest ones stand here too. */
const changesMax = 99;

interface Changing {
  readonly by: Author;
  readonly reason: string;
  readonly nowIso: string;
}

/** What stands after a change, and the records to put with it. */
export interface Changed<Item> {
  readonly item: Item;
  readonly records: readonly MandateRecord[];
}

/** The newest change's record; all of them where there were none so far. */
const recordsOf = (
  before: { readonly count?: number | undefined } | undefined,
  { workspace, tool, changes, count }: StandingMandate | ToolBar,
  agentId: string | undefined,
): readonly MandateRecord[] => {
  const fresh = before !== undefined && before.count === undefined ? changes : changes.slice(-1);
  const last = count ?? changes.length;
  return fresh.map((change, index) => ({
    schema: 1,
    workspace,
    ...(agentId === undefined ? {} : { agentId }),
    tool,
    number: last - fresh.length + index + 1,
    change,
  }));
};

const countAfter = (now: StandingMandate | ToolBar | undefined): number =>
  (now?.count ?? now?.changes.length ?? 0) + 1;

/** Undefined when it stands so already. */
export const changeStanding = (
  now: StandingMandate | undefined,
  of: Pick<StandingMandate, 'workspace' | 'agentId' | 'tool'>,
  what: 'revoked' | 'restored',
  { by, reason, nowIso }: Changing,
): Changed<StandingMandate> | undefined => {
  if ((what === 'revoked') === (revokedAt(now) !== undefined)) return undefined;
  const changes = [...(now?.changes ?? []), { what, at: nowIso, by, reason }].slice(-changesMax);
  const item: StandingMandate = { schema: 1, ...of, changes, count: countAfter(now) };
  return { item, records: recordsOf(now, item, of.agentId) };
};

/** Undefined when it stands so already. */
export const changeBar = (
  now: ToolBar | undefined,
  of: Pick<ToolBar, 'workspace' | 'tool'>,
  what: 'barred' | 'unbarred',
  { by, reason, nowIso }: Changing,
): Changed<ToolBar> | undefined => {
  if ((what === 'barred') === (barredAt(now) !== undefined)) return undefined;
  const changes = [...(now?.changes ?? []), { what, at: nowIso, by, reason }].slice(-changesMax);
  const item: ToolBar = { schema: 1, ...of, changes, count: countAfter(now) };
  return { item, records: recordsOf(now, item, undefined) };
};

export interface Revoking extends Changing {
  readonly conversation: Versioned<Conversation>;
  readonly action: Action;
  readonly approval: Versioned<ApprovalMandate>;
  /** What was granted with the approval, for further actions. */
  readonly grant: Versioned<Grant> | undefined;
}

/** Takes an approval back, and what was granted with it: no attempt opens under it any more. What was sent stays sent. */
export const revokeApproval = (revoking: Revoking): Change | undefined => {
  const { conversation, action, approval, grant, by, reason, nowIso } = revoking;
  if (approval.item.revokedAt !== undefined) return undefined;
  const { runId, actionId } = action;
  return {
    conversation,
    events: [
      { type: 'action.decided', runId, actionId, decision: 'approval_revoked', by: by.name },
    ],
    writes: [
      {
        do: 'replace',
        kind: 'mandate',
        item: {
          ...approval.item,
          workspace: action.workspace,
          revokedAt: nowIso,
          revokedBy: by,
          revokedBecause: reason,
        },
        rev: approval.rev,
      },
      ...(grant === undefined || grant.item.revokedAt !== undefined
        ? []
        : [
            {
              do: 'replace' as const,
              kind: 'grant' as const,
              item: { ...grant.item, revokedAt: nowIso, revokedBy: by },
              rev: grant.rev,
            },
          ]),
    ],
  };
};
