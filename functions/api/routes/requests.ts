// Requests: what waits for a person, and their answers. Laws: L6 (the digest shown is the one approved), L13 (once, by the
// session's identity; the second is told who, what and when).
// Tested in test/functions/api/answers/answers.test.ts.
import { z } from 'zod';
import { ConversationId, RequestId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { ApprovalMandate } from '../../core/records/change.ts';
import { notRememberable, rememberableIn } from '../../core/records/grant.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { againstSays, alikeSays } from '../answers/against-words.ts';
import { answerOf, giveAnswer } from '../answers/answering.ts';
import { nothingStands, standingOf } from '../answers/standing.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { conversationFor, requestFor } from '../http/found.ts';
import { type Again, type Call, type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { countsFor, inboxPage } from '../lists/inbox.ts';
import { marksOf } from '../lists/marks.ts';
import { problem } from '../problems/problems.ts';
import { InboxPage, InboxQuery } from '../schemas/lists.ts';
import { InboxSummary } from '../schemas/people.ts';
import { AnswerBody, Answered, RequestView } from '../schemas/requests.ts';
import { none } from '../schemas/schemas.ts';
import { requestView } from '../schemas/views.ts';

const one = z.strictObject({ requestId: RequestId });
const inConversation = z.strictObject({ conversationId: ConversationId });

const list = reading(
  {
    operationId: 'listRequests',
    method: 'get',
    path: '/v1/requests',
    tag: 'requests',
    summary: 'The inbox: open requests of the workspace that you may answer',
    description:
      'Questions are for members, approvals for the role that the tool’s policy names, skills for approvers, recoveries that need a person for recoverers. A page can hold fewer than `limit`, or none, and still have a next one.',
    params: none,
    query: InboxQuery,
    answers: { 200: { description: 'A page.', schema: InboxPage } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const of = `${caller.workspace}#${query.order}`;
    const page = await inboxPage(world, caller, query, cursorIn('requests', of, query.cursor));
    const next = page.next && cursorOut('requests', of, page.next);
    const { items, lookedTo } = page;
    return { status: 200, body: { items, next, lookedTo: lookedTo?.openedAt } };
  },
);

/** Newest runs looked at for the count of conversations that ended while one was away. */
const newestMax = 100;

const summary = reading(
  {
    operationId: 'summariseInbox',
    method: 'get',
    path: '/v1/inbox/summary',
    tag: 'requests',
    summary: 'Counts for a badge: what needs you, and what ended while you were away',
    params: none,
    query: none,
    answers: { 200: { description: 'The counts.', schema: InboxSummary } },
  },
  async ({ world, caller }) => {
    const [counts, newest] = await Promise.all([
      countsFor(world, caller),
      world.lists.runs(caller.workspace, { limit: newestMax }),
    ]);
    const ids = new Set(newest.items.map(({ conversationId }) => conversationId));
    const conversations = ids.size === 0 ? [] : await world.people.conversations([...ids]);
    const marks = await marksOf(world, caller, conversations);
    const ended = marks.filter(({ finishedWhileAway }) => finishedWhileAway).length;
    return { status: 200, body: { ...counts, finishedWhileAway: ended } };
  },
);

const skillOf = async ({ registry }: ApiWorld, request: PersonRequest) => {
  if (request.on !== 'skill') return {};
  const skill = await registry.skill(request.workspace, request.skill, request.version);
  return skill === undefined ? {} : { skill };
};

const rememberableOf = async (
  { registry }: ApiWorld,
  request: PersonRequest,
  action: Action,
): Promise<{ readonly rememberable?: 'never' | 'run' | 'agent' }> => {
  if (request.on !== 'approval') return {};
  const { name, version } = action.tool;
  const [pinned, newest] = await Promise.all([
    registry.tool(action.workspace, name, version),
    registry.newestTool(action.workspace, name),
  ]);
  const contracts = [pinned, newest].flatMap((tool) => (tool ? [tool.registration.contract] : []));
  const allowed = rememberableIn(...contracts);
  return {
    rememberable:
      notRememberable(action, request, 'run', allowed) === undefined ? allowed : 'never',
  };
};

const approvalIn = (mandate: ApprovalMandate | undefined) => {
  if (mandate === undefined) return {};
  const { grantedAt, grantedBy, expiresAtMs, revokedAt, revokedBy, revokedBecause } = mandate;
  return {
    approval: { grantedAt, grantedBy, expiresAtMs, revokedAt, revokedBy, revokedBecause },
  };
};

const get = reading(
  {
    operationId: 'getRequest',
    method: 'get',
    path: '/v1/requests/{requestId}',
    tag: 'requests',
    summary: 'One request, with exactly what would run and what looks like it',
    params: one,
    query: none,
    answers: { 200: { description: 'The request.', schema: RequestView } },
  },
  async ({ world, caller, params, language }) => {
    const { item } = await requestFor(world.store, caller, params.requestId);
    const { actions, mandates } = await world.store.read({
      actions: [item.actionId],
      mandates: item.decision?.kind === 'approved' ? [item.requestId] : [],
    });
    const action = actions[0]?.item;
    const { against, lookAlikes } =
      action === undefined
        ? nothingStands
        : await standingOf(world.store, item, action, world.clock.now());
    return {
      status: 200,
      body: {
        request: requestView(item),
        action,
        lookAlikes,
        alike: lookAlikes.map((twin) => ({
          actionId: twin.actionId,
          says: alikeSays(twin, language),
        })),
        against: against.map((one) => ({ ...one, says: againstSays(one, language) })),
        ...(action === undefined ? {} : await rememberableOf(world, item, action)),
        ...approvalIn(mandates[0]?.item),
        ...(await skillOf(world, item)),
      },
    };
  },
);

const answerProblems = [
  'already-answered',
  'request-expired',
  'request-voided',
  'digest-changed',
  'answer-does-not-fit',
  'not-rememberable',
  'cannot-run-now',
  'look-alike-found',
  'skill-changed',
] as const;

type Ids = Pick<z.infer<typeof Answered>, 'requestId'>;

const answerAgain: Again<Pick<Call<unknown, unknown, unknown>, 'world' | 'caller'>, Ids> = {
  ids: z.object({ requestId: RequestId }),
  read: async ({ world, caller }, { requestId }) =>
    answerOf((await requestFor(world.store, caller, requestId)).item),
};

const answer = route(
  {
    operationId: 'answerRequest',
    method: 'post',
    path: '/v1/requests/{requestId}/answer',
    tag: 'requests',
    summary: 'Answer a request; once',
    description:
      'Approve, refuse or ask for changes; answer or decline a question; grant or refuse a skill. Which role it takes is the request’s to say; granting a skill to the agent takes an administrator. Who answers is taken from the token. A later answer changes nothing and is told who answered what and when.',
    params: one,
    query: none,
    body: AnswerBody,
    answers: { 200: { description: 'Recorded.', schema: Answered } },
    problems: answerProblems,
    example: { kind: 'refuse', reason: 'The customer took it back.' },
  },
  async ({ world, caller, params, body }) => ({
    status: 200,
    body: await giveAnswer(world, caller, params.requestId, body),
  }),
  answerAgain,
);

/** The one request that is open in the conversation. Throws the problem that lists them when it is not one. */
const theOpenOne = async (
  world: ApiWorld,
  caller: Caller,
  conversationId: ConversationId,
): Promise<RequestId> => {
  const { item } = await conversationFor(world.store, caller, conversationId);
  const run = item.activeRun && (await world.store.read({ run: item.activeRun })).run?.item;
  const blocking = run && run.state.status === 'waiting' ? run.state.blocking : [];
  // A recovery is claimed and decided at the desk, not answered.
  const open = blocking.filter(({ on }) => on !== 'recovery');
  const [first, second] = open;
  if (first === undefined) throw problem('nothing-open', {});
  if (second !== undefined)
    throw problem(
      'several-open',
      { count: open.length },
      { members: { requests: open.map(({ on, requestId }) => ({ on, requestId })) } },
    );
  return first.requestId;
};

const answerInConversation = route(
  {
    operationId: 'answerInConversation',
    method: 'post',
    path: '/v1/conversations/{conversationId}/answer',
    tag: 'requests',
    summary: 'Answer the one request that is open in a conversation',
    description: 'When several are open, none is answered: the problem lists them.',
    params: inConversation,
    query: none,
    body: AnswerBody,
    answers: { 200: { description: 'Recorded.', schema: Answered } },
    problems: [...answerProblems, 'several-open', 'nothing-open'],
    example: { kind: 'answer', answer: { colour: 'blue' } },
  },
  async ({ world, caller, params, body }) => {
    const requestId = await theOpenOne(world, caller, params.conversationId);
    return { status: 200, body: await giveAnswer(world, caller, requestId, body) };
  },
  answerAgain,
);

export const requestRoutes: readonly Route[] = [list, summary, get, answer, answerInConversation];
