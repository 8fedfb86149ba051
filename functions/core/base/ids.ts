// The ids of everything Reprise stores: one branded string type per kind, `prefix_` + 26 Crockford characters.
// Owns: their shape and how one id is made from another. Nothing sorts by id and nothing reads time from one.
// Laws: L5 (the destination's key derives from the action's id alone).
// Tested in test/core/base/identity.test.ts.
import { createHash } from 'node:crypto';
import { z } from 'zod';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const idOf = <Brand extends string>(prefix: string, _brand: Brand) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))
    .brand<Brand>();

export const ConversationId = idOf('cnv', 'ConversationId');
export const MessageId = idOf('msg', 'MessageId');
export const RunId = idOf('run', 'RunId');
export const ActionId = idOf('act', 'ActionId');
export const AttemptId = idOf('att', 'AttemptId');
export const ObservationId = idOf('obs', 'ObservationId');
export const DecisionId = idOf('dec', 'DecisionId');
export const RequestId = idOf('req', 'RequestId');
export const RoutineId = idOf('rtn', 'RoutineId');
export const OccurrenceId = idOf('occ', 'OccurrenceId');
export const AgentId = idOf('agt', 'AgentId');
export const EventId = idOf('evt', 'EventId');
export const FaultMarkId = idOf('flt', 'FaultMarkId');

export type ConversationId = z.infer<typeof ConversationId>;
export type MessageId = z.infer<typeof MessageId>;
export type RunId = z.infer<typeof RunId>;
export type ActionId = z.infer<typeof ActionId>;
export type AttemptId = z.infer<typeof AttemptId>;
export type ObservationId = z.infer<typeof ObservationId>;
export type DecisionId = z.infer<typeof DecisionId>;
export type RequestId = z.infer<typeof RequestId>;
export type RoutineId = z.infer<typeof RoutineId>;
export type OccurrenceId = z.infer<typeof OccurrenceId>;
export type AgentId = z.infer<typeof AgentId>;
export type EventId = z.infer<typeof EventId>;
export type FaultMarkId = z.infer<typeof FaultMarkId>;

/** A workspace's name: lower-case letters, digits and dashes, 1 to 64 characters. */
export const WorkspaceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .brand<'WorkspaceId'>();
export type WorkspaceId = z.infer<typeof WorkspaceId>;

/** The first 128 bits of SHA-256 over the parts (each length-prefixed, so no two lists collide), in 26 characters. */
export const derivedSuffix = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  let bits = BigInt(`0x${hash.digest('hex').slice(0, 32)}`);
  let suffix = '';
  for (let place = 0; place < 26; place += 1) {
    suffix = `${crockford[Number(bits & 31n)]}${suffix}`;
    bits >>= 5n;
  }
  return suffix;
};

/** The id of what an API call creates: same caller, route and Idempotency-Key give the same id. */
export interface ApiIdentity {
  readonly workspace: WorkspaceId;
  readonly subject: string;
  readonly route: string;
  readonly idempotencyKey: string;
}

export const suffixFor = (identity: ApiIdentity): string =>
  derivedSuffix(identity.workspace, identity.subject, identity.route, identity.idempotencyKey);

/** The key or reference given to a destination. It is the action's id, so all attempts share it (L5). */
export const referenceOf = (actionId: ActionId): string => actionId;

/** Attempt n of an action always has the same id, so a second writer of it is seen as one. */
export const attemptIdOf = (actionId: ActionId, attempt: number): AttemptId =>
  AttemptId.parse(`att_${derivedSuffix('attempt', actionId, String(attempt))}`);

/** Execution names: `run_…` for the first segment, `run_…-s2` for its continuations. */
export const executionNameOf = (runId: RunId, segment: number): string =>
  segment === 1 ? runId : `${runId}-s${segment}`;

/** Recovery executions: one per action and round. */
export const recoveryNameOf = (actionId: ActionId, round: number): string =>
  `${actionId}-r${round}`;
