// Answers of people to requests of every kind, each once. Owns: which answer fits which kind, and what is read and written for it.
// Laws: L6 (the digest shown is the one approved), L13 (once, by the session's identity), L15 (a grant for the agent is a new
// revision, in the same transaction).
import { type AnswerOutcome, answerApproval } from '../../core/answers/answer.ts';
import { answerQuestion, type QuestionOutcome } from '../../core/answers/answer-question.ts';
import { answererOf } from '../../core/answers/answerer.ts';
import { answerSkill, type SkillOutcome } from '../../core/answers/skill.ts';
import { conditionProblem } from '../../core/base/condition.ts';
import { Defect } from '../../core/base/errors.ts';
import { AgentId, type RequestId } from '../../core/base/ids.ts';
import { isAskedByTool } from '../../core/pausing/asked.ts';
import type { Change, Versioned } from '../../core/records/change.ts';
import { grantCovers, grantFrom, type Remembering } from '../../core/records/grant.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { ours, requestFor } from '../http/found.ts';
import { hasRole } from '../identity/access.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import type { AnswerBody } from '../schemas/requests.ts';
import {
  alreadyDecided,
  doesNotFit,
  fieldProblem,
  problemOfApproval,
  problemOfQuestion,
  problemOfSkill,
} from './answer-problems.ts';
import { mayAnswer } from './may-answer.ts';

interface Giving {
  readonly world: ApiWorld;
  readonly caller: Caller;
  readonly request: Versioned<PersonRequest>;
  readonly body: AnswerBody;
}

const readAround = async ({ world, caller, request }: Giving) => {
  const { conversationId, runId, actionId } = request.item;
  const found = await world.store.read({
    conversation: conversationId,
    run: runId,
    actions: [actionId],
  });
  const nowMs = world.clock.now();
  return {
    conversation: ours(caller, found.conversation),
    run: ours(caller, found.run),
    action: ours(caller, found.actions[0]),
    request,
    by: caller.author,
    nowMs,
    nowIso: new Date(nowMs).toISOString(),
  };
};
type Around = Awaited<ReturnType<typeof readAround>>;

/** What is to be remembered, once it is known to be readable and to cover the very call that is approved. */
const remembering = async (
  { world, caller, body }: Giving,
  { action, request, nowMs, nowIso }: Around,
): Promise<{ readonly remember?: Remembering }> => {
  if (body.kind !== 'approve' || body.remember === undefined) return {};
  const { scope, condition, expiresInMs } = body.remember;
  const remember: Remembering = {
    scope,
    condition,
    ...(expiresInMs === undefined ? {} : { expiresAtMs: nowMs + expiresInMs }),
  };
  const { item } = action;
  const tool = await world.registry.tool(item.workspace, item.tool.name, item.tool.version);
  if (tool === undefined) throw new Defect(`The tool ${item.tool.name} of an action is gone.`);
  // What can give no grant at all is told as such, whatever its condition.
  if (item.effectKind !== 'irreversible') {
    const { requestId } = request.item;
    const grant = grantFrom(item, requestId, remember, caller.author, nowIso);
    const call = { runId: item.runId, tool, arguments: item.arguments };
    if (conditionProblem(condition) === 'has_no_bound')
      throw fieldProblem('condition_has_no_bound');
    if (!(await grantCovers(grant, call, nowMs))) throw fieldProblem('condition_does_not_cover');
  }
  return { remember };
};

const give = async (giving: Giving): Promise<AnswerOutcome | QuestionOutcome | SkillOutcome> => {
  const { world, caller, request, body } = giving;
  const around = await readAround(giving);
  switch (body.kind) {
    case 'approve': {
      const { kind, digest } = body;
      const more = await remembering(giving, around);
      return approval(giving, around, { kind, digest, ...more });
    }
    case 'request_changes':
      return approval(giving, around, body);
    case 'refuse':
      return request.item.on === 'skill'
        ? skill(giving, around, body)
        : approval(giving, around, body);
    case 'answer':
      return question(giving, around, body);
    case 'decline': {
      const { kind, reason } = body;
      return question(giving, around, { kind, ...(reason === undefined ? {} : { reason }) });
    }
    case 'grant': {
      const { kind, scope } = body;
      if (scope === 'run') return skill(giving, around, { kind, scope });
      if (request.item.on === 'skill' && !hasRole(caller.roles, 'admin'))
        throw problem('forbidden', { role: 'admin' });
      const agentId = AgentId.parse(around.run.item.agentId);
      const newest = await world.registry.newestAgent(caller.workspace, agentId);
      if (newest === undefined) throw new Defect(`The agent ${agentId} is not in the registry.`);
      return skill(giving, around, { kind, scope, newest });
    }
  }
};

const approval = (
  { request }: Giving,
  around: Around,
  answer: Parameters<typeof answerApproval>[0]['answer'],
): AnswerOutcome => {
  const outcome = answerApproval({ ...around, answer });
  if (outcome.kind === 'refused') throw problemOfApproval(outcome, request.item);
  return outcome;
};

const question = async (
  { world, request }: Giving,
  around: Around,
  answer: Parameters<typeof answerQuestion>[0]['answer'],
): Promise<QuestionOutcome> => {
  const known = isAskedByTool(request.item)
    ? { known: await world.store.journal(request.item.actionId) }
    : {};
  const outcome = answerQuestion({ ...around, ...known, answer });
  if (outcome.kind === 'refused') throw problemOfQuestion(outcome, request.item);
  return outcome;
};

const skill = (
  { request }: Giving,
  around: Around,
  answer: Parameters<typeof answerSkill>[0]['answer'],
): SkillOutcome => {
  const outcome = answerSkill({ ...around, answer });
  if (outcome.kind === 'refused') throw problemOfSkill(outcome, request.item);
  return outcome;
};

export const answerOf = (request: PersonRequest) => ({
  requestId: request.requestId,
  decision: request.decision,
  decidedAt: request.decidedAt,
  decidedBy: request.decidedBy,
});

interface Planned {
  readonly change: Change;
  readonly answer: ReturnType<typeof answerOf>;
}

/** Reads, and decides what the answer would change. */
const planned = async (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<Planned> => {
  const request = await requestFor(world.store, caller, requestId);
  if (!mayAnswer(caller, request.item))
    throw problem('forbidden', { role: answererOf(request.item).role });
  if (request.item.decision !== undefined) throw alreadyDecided(request.item);
  if (request.item.on === 'recovery') throw doesNotFit(request.item);
  const outcome = await give({ world, caller, request, body });
  if (outcome.kind === 'refused') throw new Defect('A refused answer was not told.');
  const { change } = outcome;
  const closed = change.writes.flatMap((write) =>
    write.do === 'replace' && write.kind === 'request' && write.item.requestId === requestId
      ? [write.item]
      : [],
  )[0];
  if (closed === undefined) throw new Defect(`The answer to ${requestId} does not close it.`);
  return { change, answer: answerOf(closed) };
};

/** Throws the problem that stands against the answer as things are now. Changes nothing. */
export const checkAnswer = async (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<void> => {
  await planned(world, caller, requestId, body);
};

/** Throws the problem that stands against the answer; then nothing was changed. */
export const giveAnswer = (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<ReturnType<typeof answerOf>> =>
  deciding<ReturnType<typeof answerOf>>(world, async () => ({
    kind: 'commit',
    ...(await planned(world, caller, requestId, body)),
  }));
