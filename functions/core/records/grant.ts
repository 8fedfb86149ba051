// A grant: a mandate that outlives one action, given with an approval. It names tool, destination and a condition on the
// arguments, for a run or for an agent; never for irreversible actions, never for look-alikes.
// Owns: its schema and what it covers. Laws: L7 (it is checked again when an attempt opens), L20.
// Tested in test/core/records/golden.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { evaluateCondition, namesArgument } from '../base/condition.ts';
import { RequestId, RunId } from '../base/ids.ts';
import { canonicalJson, type JsonObject } from '../base/json.ts';
import { rememberedMsDefault } from '../base/limits.ts';
import { type Contract, Destination } from '../registry/contract.ts';
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

export type NotRememberable = 'irreversible' | 'look_alike' | 'contract' | 'contract_run_only';

/** How far the contracts let it be remembered: what the newest one says holds too, where it says less. */
export const rememberableIn = (
  ...contracts: readonly Pick<Contract, 'policy'>[]
): 'never' | 'run' | 'agent' => {
  const said = contracts.map(({ policy }) => policy.remember);
  if (said.includes('never')) return 'never';
  return said.includes('run') ? 'run' : 'agent';
};

/** Why an approval can give no grant of that scope; undefined when it can. */
export const notRememberable = (
  action: Action,
  shown: { readonly likeness?: unknown },
  scope: Remembering['scope'],
  allowed: 'never' | 'run' | 'agent',
): NotRememberable | undefined => {
  if (action.effectKind === 'irreversible') return 'irreversible';
  if (shown.likeness !== undefined) return 'look_alike';
  if (allowed === 'never') return 'contract';
  return allowed === 'run' && scope === 'agent' ? 'contract_run_only' : undefined;
};

/** The arguments that a condition can name: the tool's own, and those that the call gave. */
const argumentNames = ({ registration }: ToolVersion, args: JsonObject): ReadonlySet<string> => {
  const { properties } = registration.arguments;
  const declared =
    typeof properties === 'object' && properties !== null && !Array.isArray(properties)
      ? Object.keys(properties)
      : [];
  return new Set([...declared, ...Object.keys(args)]);
};

/** A condition that says something of the arguments: it names one, and does not hold when there are none. */
export const isAboutArguments = async (
  condition: string,
  tool: ToolVersion,
  args: JsonObject,
): Promise<boolean> => {
  if (!namesArgument(condition, argumentNames(tool, args))) return false;
  try {
    return (await evaluateCondition(condition, {})) !== true;
  } catch {
    return true;
  }
};

/** One that names no end has this one. */
const endsAtMs = ({ grantedAt, expiresAtMs }: Pick<Grant, 'grantedAt' | 'expiresAtMs'>): number =>
  expiresAtMs ?? Date.parse(grantedAt) + rememberedMsDefault;

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
  expiresAtMs: endsAtMs({
    grantedAt: nowIso,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  }),
});

export const grantCovers = async (
  grant: Grant,
  call: { readonly runId: RunId; readonly tool: ToolVersion; readonly arguments: JsonObject },
  nowMs: number,
): Promise<boolean> => {
  const { registration } = call.tool;
  if (grant.revokedAt !== undefined || registration.contract.effect === 'irreversible')
    return false;
  if (endsAtMs(grant) <= nowMs) return false;
  // What the contract allows now holds for what was remembered before, too.
  const allowed = registration.contract.policy.remember;
  if (allowed === 'never' || (allowed === 'run' && grant.runId === undefined)) return false;
  if (!(await isAboutArguments(grant.condition, call.tool, call.arguments))) return false;
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
