// Stored items as the API shows them. Owns: what is left out (locks, fences, counters) and what is added (cost, marks).
// Tested in test/functions/api/http/openapi.test.ts.

import { executionNameOf, recoveryNameOf } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { Claim } from '../../core/records/claim.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Run } from '../../core/records/run.ts';
import type { AgentRevision } from '../../core/registry/agent.ts';
import { amountOf } from '../../core/registry/usage.ts';
import type { Journal } from '../../ports/store.ts';
import type { Traces } from '../../ports/traces.ts';
import type { MarksView } from './people.ts';
import type {
  ClaimView,
  ConversationSummary,
  ConversationView,
  ExecutionView,
  RunView,
} from './schemas.ts';

export const conversationSummary = (of: Conversation, marks: MarksView): ConversationSummary => ({
  conversationId: of.conversationId,
  agentId: of.agentId,
  title: of.title,
  createdAt: of.createdAt,
  activeAt: of.activeAt ?? of.createdAt,
  createdBy: of.createdBy,
  eventNumber: of.eventNumber,
  runs: of.runs,
  pending: of.pending,
  ...(of.lastRun === undefined ? {} : { lastRun: of.lastRun }),
  ...(of.activeRun === undefined ? {} : { activeRun: of.activeRun }),
  marks,
});

export const conversationView = (
  of: Conversation,
  run: Run | undefined,
  marks: MarksView,
): ConversationView => ({
  ...conversationSummary(of, marks),
  state: run?.state ?? { status: 'idle' },
  queued: of.queued.map(({ messageId }) => messageId),
});

/** A request that a run waits for: not decided, and not let go of by a stopped run. */
export const isOpen = (request: PersonRequest): boolean =>
  request.decision === undefined && request.released !== true && isForPerson(request);

/** A recovery is a person's only once a verdict says so; until then the machine still looks. */
const isForPerson = (request: PersonRequest): boolean =>
  request.on !== 'recovery' || request.needsPerson;

/** What belongs in the inbox. A recovery stays when its run was stopped: the action still needs somebody. */
export const needsSomebody = (request: PersonRequest): boolean =>
  isOpen(request) ||
  (request.on === 'recovery' && request.decision === undefined && request.needsPerson);

/**
 * A request as readers see it. A tool's sealed state is the tool's: it goes back to it with the answer and to nobody else, since
 * whatever it holds may be good for more than one call (L18).
 */
export const requestView = (request: PersonRequest): PersonRequest => {
  if (request.on !== 'question' || request.asked === undefined) return request;
  const { requestState: _sealed, ...asked } = request.asked;
  return { ...request, asked };
};

/** The journal as readers see it: whole, but for what a tool sealed. */
export const journalView = (journal: Journal): Journal => ({
  ...journal,
  attempts: journal.attempts.map((attempt) => {
    if (attempt.continuation === undefined) return attempt;
    const { requestState: _sealed, ...continuation } = attempt.continuation;
    return { ...attempt, continuation };
  }),
});

const executionView = (name: string, trace: string | undefined): ExecutionView => ({
  name,
  ...(trace === undefined ? {} : { trace }),
});

/** Executions that recover an action: one per round, oldest first. */
export const recoveryViews = (
  { actionId, round }: Pick<Action, 'actionId' | 'round'>,
  traces: Traces,
): ExecutionView[] =>
  Array.from({ length: round }, (_, index) => {
    const name = recoveryNameOf(actionId, index + 1);
    return executionView(name, traces.recovery(name));
  });

export const runView = (run: Run, agent: AgentRevision | undefined, traces: Traces): RunView => {
  const price = agent?.configuration.price;
  return {
    runId: run.runId,
    conversationId: run.conversationId,
    agentId: run.agentId,
    revision: run.revision,
    number: run.number,
    state: run.state,
    steps: { taken: run.step, limit: run.stepLimit },
    usage: run.usage,
    ...(price === undefined
      ? {}
      : { cost: { currency: price.currency, amount: amountOf(run.usage, price) } }),
    executions: Array.from({ length: run.segment }, (_, index) => {
      const name = executionNameOf(run.runId, index + 1);
      return executionView(name, traces.run(name));
    }),
    skills: run.skills,
    ...(run.firstMessageId === undefined ? {} : { firstMessageId: run.firstMessageId }),
    startedAt: run.startedAt,
  };
};

export const claimView = (claim: Claim): ClaimView => ({
  actionId: claim.actionId,
  fence: claim.fence,
  ...(claim.holder === undefined ? {} : { holder: claim.holder }),
  since: claim.since,
  until: new Date(claim.untilMs).toISOString(),
  tookOver: claim.tookOver,
});
