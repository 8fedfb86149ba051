// Standing permissions and tools as people change them: revoked and restored, barred and let again, each with who, when and why.
// Owns: the stored shapes and those changes. Nothing is forgotten: the newest change is what stands.
// Laws: L7 (engage checks what stands in its own transaction).
import { z } from 'zod';
import type { Action } from './action.ts';
import type { ApprovalMandate, Change, Versioned } from './change.ts';
import { Author, type Conversation } from './conversation.ts';
import type { Grant } from './grant.ts';

const ChangeOf = <What extends 'revoked' | 'restored' | 'barred' | 'unbarred'>(
  ...what: readonly [What, What]
) => z.strictObject({ what: z.enum(what), at: z.iso.datetime(), by: Author, reason: z.string() });

/** An agent's standing permission to use a tool, once somebody has touched it; without one it stands. */
export const StandingMandate = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  agentId: z.string(),
  tool: z.string(),
  /** Oldest first. */
  changes: z.array(ChangeOf('revoked', 'restored')).min(1),
});
export type StandingMandate = z.infer<typeof StandingMandate>;

/** A tool that was barred for the whole workspace, or was once. */
export const ToolBar = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  tool: z.string(),
  changes: z.array(ChangeOf('barred', 'unbarred')).min(1),
});
export type ToolBar = z.infer<typeof ToolBar>;

export const MandateChange = z.union([
  StandingMandate.shape.changes.element,
  ToolBar.shape.changes.element,
]);
export type MandateChange = z.infer<typeof MandateChange>;

/** A person cannot flip a switch for ever: older changes are in the log, the newest ones here. */
const changesMax = 100;

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

/** Undefined when it stands so already. */
export const changeStanding = (
  now: StandingMandate | undefined,
  of: Pick<StandingMandate, 'workspace' | 'agentId' | 'tool'>,
  what: 'revoked' | 'restored',
  { by, reason, nowIso }: Changing,
): StandingMandate | undefined => {
  if ((what === 'revoked') === (revokedAt(now) !== undefined)) return undefined;
  const changes = [...(now?.changes ?? []), { what, at: nowIso, by, reason }];
  return { schema: 1, ...of, changes: changes.slice(-changesMax) };
};

/** Undefined when it stands so already. */
export const changeBar = (
  now: ToolBar | undefined,
  of: Pick<ToolBar, 'workspace' | 'tool'>,
  what: 'barred' | 'unbarred',
  { by, reason, nowIso }: Changing,
): ToolBar | undefined => {
  if ((what === 'barred') === (barredAt(now) !== undefined)) return undefined;
  const changes = [...(now?.changes ?? []), { what, at: nowIso, by, reason }];
  return { schema: 1, ...of, changes: changes.slice(-changesMax) };
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
