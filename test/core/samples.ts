// Items for tests of core: a write that was planned, its run, its attempts and what was seen; each test changes what it is about.

import {
  ActionId,
  AgentId,
  attemptIdOf,
  ConversationId,
  ObservationId,
  RequestId,
  RunId,
} from '../../functions/core/base/ids.ts';
import { type Action, actionDigest } from '../../functions/core/records/action.ts';
import type { Conversation } from '../../functions/core/records/conversation.ts';
import type { Attempt, AttemptEnd, Observation } from '../../functions/core/records/evidence.ts';
import type { FoldedAction } from '../../functions/core/records/folded.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import { noUsage, type Run } from '../../functions/core/records/run.ts';
import type { Contract } from '../../functions/core/registry/contract.ts';
import { likeDigestOf } from '../../functions/core/registry/likeness.ts';
import { conversationOf } from '../fakes/items.ts';
import { contractOf } from '../sim/contracts.ts';

export const nowIso = '2027-01-01T00:00:00.000Z';
export const nowMs = Date.parse(nowIso);
export const isoAt = (ms: number): string => new Date(ms).toISOString();
const suffix = (number: number): string => String(number).padStart(26, '0');

export const workspace = 'acme';
export const conversationId = ConversationId.parse(`cnv_${suffix(1)}`);
export const runId = RunId.parse(`run_${suffix(1)}`);
export const agentId = AgentId.parse(`agt_${suffix(1)}`);
export const actionId = ActionId.parse(`act_${suffix(1)}`);
export const requestId = RequestId.parse(`req_${suffix(1)}`);
export const observationIdOf = (number: number): ObservationId =>
  ObservationId.parse(`obs_${suffix(number)}`);

export const conversation = (): Conversation => ({
  ...conversationOf(workspace, conversationId, agentId),
  activeRun: runId,
  runs: 1,
});

export const runWith = (changes: Partial<Run> = {}): Run => ({
  schema: 1,
  workspace,
  runId,
  conversationId,
  agentId,
  revision: 1,
  state: { status: 'running' },
  fence: 1,
  segment: 1,
  wakeNo: 0,
  parked: false,
  step: 1,
  stepLimit: 40,
  number: 1,
  startedAt: nowIso,
  touchedAt: nowIso,
  segmentEvents: 0,
  usage: noUsage,
  skills: [],
  deaths: 0,
  ...changes,
});

const content = (contract: Contract) => ({
  tool: { name: 'write', version: 1 },
  destination: contract.destination,
  arguments: { name: 'Marta' },
});

/** Planned, nothing sent. */
/** What a case is made of stands for its fold. */
export const foldedOf = (action: Action): FoldedAction => action as FoldedAction;

export const actionWith = (
  changes: Partial<Action> = {},
  contract: Contract = contractOf('write', 'key'),
): FoldedAction => {
  const action: Action = {
    schema: 1,
    workspace,
    actionId,
    conversationId,
    runId,
    agentId,
    step: 1,
    call: 0,
    ...content(contract),
    effectKind: contract.effect,
    digest: actionDigest(content(contract)),
    likeDigest: likeDigestOf(workspace, 'write', contract, { name: 'Marta' }),
    plannedAt: nowIso,
    mandate: { kind: 'standing' },
    head: 1,
    authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
    effect: 'not_sent',
    contradicted: false,
    disposition: { kind: 'open' },
    attempts: 0,
    round: 0,
    ...changes,
  };
  return foldedOf(action);
};

export const timeoutMs = 10_000;

/** Attempt n, opened at a time, at an entry of the journal. */
export const attemptOf = (attempt: number, entry: number, engagedAtMs = nowMs): Attempt => ({
  schema: 1,
  attemptId: attemptIdOf(actionId, attempt),
  actionId,
  attempt,
  entry,
  owner: `owner-${attempt}`,
  engagedAt: isoAt(engagedAtMs),
  deadlineAtMs: engagedAtMs + timeoutMs,
  authorisedBy: entry - 1,
});

export const endOf = (
  attempt: number,
  entry: number,
  how: AttemptEnd['how'] = 'unknown',
): AttemptEnd => ({
  schema: 1,
  actionId,
  attempt,
  entry,
  at: nowIso,
  how,
  milestone: 'transmitted',
  milestoneIs: 'supposed',
  because: 'The reply was lost.',
});

export const seen = (
  entry: number,
  says: Observation['says'],
  changes: Partial<Observation> = {},
): Observation => ({
  schema: 1,
  observationId: observationIdOf(entry),
  actionId,
  entry,
  at: nowIso,
  source: 'reply',
  by: 'perform',
  says,
  about: 1,
  because: 'It was so.',
  account: 'a',
  environment: 'test',
  ...changes,
});

/** One attempt whose reply was lost: engaged at 2, ended at 3, seen at 4. */
export const undetermined = (changes: Partial<Action> = {}, contract?: Contract): FoldedAction =>
  actionWith(
    { head: 4, effect: 'undetermined', attempts: 1, firstEngagedAt: nowIso, ...changes },
    contract,
  );

export const approvalWith = (changes: Partial<PersonRequest> = {}): PersonRequest =>
  ({
    schema: 1,
    workspace,
    requestId,
    conversationId,
    runId,
    actionId,
    openedAt: nowIso,
    expiresAtMs: nowMs + 86_400_000,
    on: 'approval',
    digest: actionWith().digest,
    role: 'approver',
    ...changes,
  }) as PersonRequest;

export const at = <Item>(item: Item, rev = 1) => ({ item, rev });
