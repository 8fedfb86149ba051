// A grant: a mandate that outlives one action, given with an approval. It names tool, destination and a condition on the
// arguments, for a run or for an agent; never for irreversible actions, never for look-alikes.
// Owns: its schema and what it covers. Laws: L7 (it is checked again when an attempt opens), L20.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { evaluateCondition } from '../base/condition.ts';
import { RequestId, RunId } from '../base/ids.ts';
import { canonicalJson, type JsonObject } from '../base/json.ts';
import { Destination } from '../registry/contract.ts';
import type { ToolVersion } from '../registry/tool.ts';
import type { Action } from './action.ts';

export const Grant = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  agentId: z.string(),
  /** Only within this run; left out: for the agent, until revoked. */
  runId: RunId.optional(),
  tool: z.string(),
  destination: Destination,
  /** JSONata over the arguments; only `true` covers. */
  condition: z.string().min(1).max(2_000),
  /** The approval it was given with. */
  requestId: RequestId,
  grantedBy: Author,
  grantedAt: z.iso.datetime(),
  expiresAtMs: z.int().optional(),
  revokedAt: z.iso.datetime().optional(),
  revokedBy: Author.optional(),
});
export type Grant = z.infer<typeof Grant>;

/** What a person says beside "approve": that like calls need no approval of their own. */
export interface Remembering {
  readonly scope: 'run' | 'agent';
  readonly condition: string;
  readonly expiresAtMs?: number;
}

/** Why an approval can give no grant; undefined when it can. */
export const notRememberable = (
  action: Action,
  shown: { readonly likeness?: unknown },
): 'irreversible' | 'look_alike' | undefined => {
  if (action.effectKind === 'irreversible') return 'irreversible';
  return shown.likeness === undefined ? undefined : 'look_alike';
};

export const grantFrom = (
  action: Action,
  requestId: RequestId,
  { scope, condition, expiresAtMs }: Remembering,
  by: Author,
  nowIso: string,
): Grant => ({
  schema: 1,
  workspace: action.workspace,
  agentId: action.agentId,
  ...(scope === 'run' ? { runId: action.runId } : {}),
  tool: action.tool.name,
  destination: action.destination,
  condition,
  requestId,
  grantedBy: by,
  grantedAt: nowIso,
  ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
});

export const grantCovers = async (
  grant: Grant,
  call: { readonly runId: RunId; readonly tool: ToolVersion; readonly arguments: JsonObject },
  nowMs: number,
): Promise<boolean> => {
  const { registration } = call.tool;
  if (grant.revokedAt !== undefined || registration.contract.effect === 'irreversible')
    return false;
  if (grant.expiresAtMs !== undefined && grant.expiresAtMs <= nowMs) return false;
  if (grant.runId !== undefined && grant.runId !== call.runId) return false;
  if (grant.tool !== registration.name) return false;
  const here = canonicalJson({ ...registration.contract.destination });
  if (canonicalJson({ ...grant.destination }) !== here) return false;
  try {
    return (await evaluateCondition(grant.condition, call.arguments)) === true;
  } catch {
    return false;
  }
};
