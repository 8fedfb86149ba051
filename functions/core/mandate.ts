// Standing permissions and tools as people change them: revoked and restored, barred and let again, each with who, when and why.
// Owns: the stored shapes and those changes. Nothing is forgotten: the newest change is what stands, each is a record of its own.
// Laws: L7 (engage checks what stands in its own transaction), L13 (each change has one named identity).
import { z } from 'zod';
import type { Action } from './action.ts';
import type { ApprovalMandate, Change, Versioned } from './change.ts';
import { Author, type Conversation } from './conversation.ts';
import type { Grant } from './grant.ts';

const ChangeOf = <What extends 'revoked' | 'restored' | 'barred' | 'unbarred'>(
  ...what: readonly [What, What]
) => z.strictObject({ what: z.enum(what), at: z.iso.datetime(), by: Author, reason: z.string() });

/** How many changes there were in all, each with a record; left out by those from before there were records. */
const Count = z.int().positive().optional();

/** An agent's standing permission to use a tool, once somebody has touched it; without one it stands. */
export const StandingMandate = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  agentId: z.string(),
  tool: z.string(),
  /** Oldest first; the newest ones. */
  changes: z.array(ChangeOf('revoked', 'restored')).min(1),
  count: Count,
});
export type StandingMandate = z.infer<typeof StandingMandate>;

/** A tool that was barred for the whole workspace, or was once. */
export const ToolBar = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  tool: z.string(),
  changes: z.array(ChangeOf('barred', 'unbarred')).min(1),
  count: Count,
});
export type ToolBar = z.infer<typeof ToolBar>;

export const MandateChange = z.union([
  StandingMandate.shape.changes.element,
  ToolBar.shape.changes.element,
]);
export type MandateChange = z.infer<typeof MandateChange>;

/** One change, put once when it was made: what the audit lists. */
export const MandateRecord = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  /** Whose permission; left out: the tool's bar. */
  agentId: z.string().optional(),
  tool: z.string(),
  /** Numbered from 1 within the permission or the bar. */
  number: z.int().positive(),
  change: MandateChange,
});
export type MandateRecord = z.infer<typeof MandateRecord>;

/** Names one change for ever: what it is of, and its number. */
export const mandateRecordId = ({
  agentId,
  tool,
  number,
}: Pick<MandateRecord, 'agentId' | 'tool' | 'number'>): string =>
  `${agentId ?? 'tool'}/${tool}/${number}`;

/** A person can flip a switch for ever: every change has its record, the newest ones stand here too. */
const changesMax = 99;

export const revokedAt = (mandate: StandingMandate | undefined): string | undefined => {
  const last = mandate?.changes.at(-1);
  return last?.what === 'revoked' ? last.at : undefined;
};
export const barredAt = (bar: ToolBar | undefined): string | undefined => {
  const last = bar?.changes.at(-1);
  return last?.what === 'barred' ? last.at : undefined;
};

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
