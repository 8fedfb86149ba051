// Answers of people to requests of every kind, each once. Owns: which answer fits which kind, and what is read and written for it.
// Laws: L6 (the digest shown is the one approved), L13 (once, by the session's identity), L15 (a grant for the agent is a new
// revision, in the same transaction).
// Tested in test/functions/api/answers/answers.test.ts.

import { askedAnew } from '../../core/answers/against.ts';
import { type Allowed, type AnswerOutcome, answerApproval } from '../../core/answers/answer.ts';
import { answerQuestion, type QuestionOutcome } from '../../core/answers/answer-question.ts';
import { answererOf } from '../../core/answers/answerer.ts';
import {
  answerSkill,
  type SkillOutcome,
  skillAskedAnew,
  skillSince,
} from '../../core/answers/skill.ts';
import { conditionProblem } from '../../core/base/condition.ts';
import { Defect } from '../../core/base/errors.ts';
import { AgentId, type RequestId } from '../../core/base/ids.ts';
import { isAskedByTool } from '../../core/pausing/asked.ts';
import type { Change, Versioned } from '../../core/records/change.ts';
import {
  grantCovers,
  grantFrom,
  isAboutArguments,
  notRememberable,
  rememberableIn,
} from '../../core/records/grant.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { AgentRevision } from '../../core/registry/agent.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { ours, requestFor } from '../http/found.ts';
import { hasRole } from '../identity/access.ts';
import type { Caller } from '../identity/identity.ts';
import { Problem, problem } from '../problems/problems.ts';
import type { AnswerBody } from '../schemas/requests.ts';
import { isBarring } from './against-words.ts';
import {
  alreadyDecided,
  cannotRunNow,
  doesNotFit,
  fieldProblem,
  lookAlikeFound,
  problemOfApproval,
  problemOfQuestion,
  problemOfSkill,
  skillChanged,
} from './answer-problems.ts';
import { mayAnswer } from './may-answer.ts';
import { standingOf } from './standing.ts';

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
): Promise<{ readonly remember?: Allowed }> => {
  if (body.kind !== 'approve' || body.remember === undefined) return {};
  const { scope, condition, expiresInMs } = body.remember;
  const { item } = action;
  const tool = await world.registry.tool(item.workspace, item.tool.name, item.tool.version);
  if (tool === undefined) throw new Defect(`The tool ${item.tool.name} of an action is gone.`);
  const newest = await world.registry.newestTool(item.workspace, item.tool.name);
  const allowed = rememberableIn(
    tool.registration.contract,
    (newest ?? tool).registration.contract,
  );
  const remember: Allowed = {
    scope,
    condition,
    allowed,
    ...(expiresInMs === undefined ? {} : { expiresAtMs: nowMs + expiresInMs }),
  };
  // What can give no grant at all is told as such, whatever its condition.
  if (notRememberable(item, {}, scope, allowed) === undefined) {
    const { requestId } = request.item;
    const grant = grantFrom(item, requestId, remember, caller.author, nowIso);
    const call = { runId: item.runId, tool, arguments: item.arguments };
    if (conditionProblem(condition) === 'has_no_bound')
      throw fieldProblem('condition_has_no_bound');
    if (
      conditionProblem(condition) === undefined &&
      !(await isAboutArguments(condition, tool, item.arguments))
    )
      throw fieldProblem('condition_names_no_argument');
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
      const outcome = approval(giving, around, { kind, digest, ...more });
      await mustStand(giving, around);
      return outcome;
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
      if (scope === 'agent' && request.item.on === 'skill' && !hasRole(caller.roles, 'admin'))
        throw problem('forbidden', { role: 'admin' });
      const agentId = AgentId.parse(around.run.item.agentId);
      const newest = await world.registry.newestAgent(caller.workspace, agentId);
      if (newest === undefined) throw new Defect(`The agent ${agentId} is not in the registry.`);
      const outcome = skill(
        giving,
        around,
        scope === 'run' ? { kind, scope } : { kind, scope, newest },
      );
      await mustBeOffered(giving, around, newest);
      return outcome;
    }
  }
};

/** L7, L20: what could open no attempt is not approved, and a look-alike that came up since is looked at first. */
const mustStand = async (
  { world, request }: Giving,
  { conversation, action, nowMs }: Around,
): Promise<void> => {
  const { against, lookAlikes, standing } = await standingOf(
    world.store,
    request.item,
    action.item,
    nowMs,
  );
  const barring = against.filter(isBarring);
  if (barring.length > 0) throw cannotRunNow(barring);
  if (against.length === 0 || standing === undefined) return;
  throw new AskedAnew(askedAnew(conversation, request, standing), lookAlikeFound(lookAlikes));
};

/** What an administrator has changed since it was asked is looked at first: another version, or none. */
const mustBeOffered = async (
  { world, request }: Giving,
  { conversation, run }: Around,
  newest: AgentRevision,
): Promise<void> => {
  const { item } = request;
  if (item.on !== 'skill') return;
  const { workspace, agentId, revision } = run.item;
  const asked = await world.registry.agent(workspace, newest.agentId, revision);
  const since = skillSince(item, asked, newest);
  if (since === undefined) return;
  const changed = skillChanged(item, since);
  const { version } = since;
  const now = version && (await world.registry.skill(workspace, item.skill, version));
  if (now === undefined || now === 0)
    throw version === undefined ? changed : new Defect(`${agentId} has a skill that is gone.`);
  throw new AskedAnew(skillAskedAnew(conversation, request, now), changed);
};

/** The request shows something else by now: it is written so, and whoever answers is told. */
class AskedAnew extends Error {
  override readonly name = 'AskedAnew';
  readonly change: Change;
  readonly problem: Problem;
  constructor(change: Change, problem: Problem) {
    super('The request shows something else by now.');
    this.change = change;
    this.problem = problem;
  }
}

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

/** What is written for an answer: it is given, or the request is asked anew with what came up since. */
const answeredOrAnew = async (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<{ readonly change: Change; readonly answer: Planned['answer'] | Problem }> => {
  try {
    return await planned(world, caller, requestId, body);
  } catch (error) {
    if (!(error instanceof AskedAnew)) throw error;
    return { change: error.change, answer: error.problem };
  }
};

/** Throws the problem that stands against the answer as things are now. Answers nothing. */
export const checkAnswer = async (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<void> => {
  const { answer } = await answeredOrAnew(world, caller, requestId, body);
  // What came up since is written with the answer that is refused for it.
  if (answer instanceof Problem) await giveAnswer(world, caller, requestId, body);
};

/** Throws the problem that stands against the answer; then nothing was answered. */
export const giveAnswer = async (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  body: AnswerBody,
): Promise<ReturnType<typeof answerOf>> => {
  const answer = await deciding<Planned['answer'] | Problem>(world, async () => ({
    kind: 'commit',
    ...(await answeredOrAnew(world, caller, requestId, body)),
  }));
  if (answer instanceof Problem) throw answer;
  return answer;
};
