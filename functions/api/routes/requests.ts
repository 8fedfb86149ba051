// Requests: what waits for a person, and their answers. Laws: L6 (the digest shown is the one approved), L13 (once, by the
// session's identity; the second is told who, what and when).
import { z } from 'zod';
import { Action } from '../../core/action.ts';
import { type AnswerRefusal, answerApproval } from '../../core/answer.ts';
import { Defect } from '../../core/errors.ts';
import { RequestId } from '../../core/ids.ts';
import { PersonRequest } from '../../core/request.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { hasRole, isRole } from '../access.ts';
import { cursorIn, cursorOut } from '../cursor.ts';
import { ours, requestFor } from '../found.ts';
import type { Caller } from '../identity.ts';
import { type Route, reading, route } from '../operation.ts';
import { type Problem, problem } from '../problems.ts';
import { AnswerBody, Answered, none, PageQuery, pageOf, RequestView } from '../schemas.ts';
import { needsSomebody } from '../views.ts';

const one = z.strictObject({ requestId: RequestId });

const list = reading(
  {
    operationId: 'listRequests',
    method: 'get',
    path: '/v1/requests',
    tag: 'requests',
    summary: 'Open requests of the workspace: the inbox',
    description: 'A page can hold fewer than `limit`, or none, and still have a next one.',
    params: none,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(PersonRequest) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('requests', workspace, query.cursor);
    const page = await world.store.requestsOpenIn(workspace, query.limit, cursor);
    const next = page.next && cursorOut('requests', workspace, page.next);
    return { status: 200, body: { items: page.items.filter(needsSomebody), next } };
  },
);

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
  async ({ world, caller, params }) => {
    const { item } = await requestFor(world.store, caller, params.requestId);
    const holders = item.on === 'approval' ? (item.likeness?.holders ?? []) : [];
    const ids = new Set([item.actionId, ...holders.map((id) => Action.shape.actionId.parse(id))]);
    const { actions } = await world.store.read({ actions: [...ids] });
    const all = actions.map((action) => action.item);
    return {
      status: 200,
      body: {
        request: item,
        action: all.find(({ actionId }) => actionId === item.actionId),
        lookAlikes: all.filter(({ actionId }) => actionId !== item.actionId),
      },
    };
  },
);

/** Who decided a request, what and when, beside the sentence. */
const alreadyDecided = ({ decision, decidedBy, decidedAt }: PersonRequest): Problem => {
  if (decision === undefined || decidedBy === undefined || decidedAt === undefined)
    throw new Defect('A decided request lacks its decision.');
  return problem(
    'already-answered',
    { by: decidedBy.name, at: decidedAt, decision: decision.kind },
    { members: { decision: decision.kind, decidedBy: { ...decidedBy }, decidedAt } },
  );
};

const problemOf = (refusal: AnswerRefusal, request: PersonRequest): Problem => {
  switch (refusal.because) {
    case 'already_decided':
      return alreadyDecided(refusal.request);
    case 'expired': {
      const at = new Date(refusal.request.expiresAtMs ?? 0).toISOString();
      return problem('request-expired', { at }, { members: { expiredAt: at } });
    }
    case 'digest_changed':
      return problem(
        'digest-changed',
        { digest: refusal.digest },
        { members: { digest: refusal.digest } },
      );
    case 'not_an_approval':
      return problem('answer-does-not-fit', { on: request.on }, { members: { on: request.on } });
  }
};

/** The role that this approval asks for, by its contract's policy. */
const checkRole = (caller: Caller, request: PersonRequest): void => {
  if (request.on !== 'approval') return;
  const needed = isRole(request.role) ? request.role : 'admin';
  if (!hasRole(caller.roles, needed)) throw problem('forbidden', { role: needed });
};

type AnswerGiven = z.infer<typeof AnswerBody>;

const answerOf = (request: PersonRequest) => ({
  requestId: request.requestId,
  decision: request.decision,
  decidedAt: request.decidedAt,
  decidedBy: request.decidedBy,
});

const give = (world: ApiWorld, caller: Caller, requestId: RequestId, answer: AnswerGiven) =>
  deciding<ReturnType<typeof answerOf>>(world, async () => {
    const { store, clock } = world;
    const request = await requestFor(store, caller, requestId);
    checkRole(caller, request.item);
    const found = await store.read({
      conversation: request.item.conversationId,
      run: request.item.runId,
      actions: [request.item.actionId],
    });
    const nowMs = clock.now();
    const outcome = answerApproval({
      conversation: ours(caller, found.conversation),
      run: ours(caller, found.run),
      action: ours(caller, found.actions[0]),
      request,
      answer,
      by: caller.author,
      nowMs,
      nowIso: new Date(nowMs).toISOString(),
    });
    if (outcome.kind === 'refused') throw problemOf(outcome, request.item);
    const written = outcome.change.writes.flatMap((write) =>
      write.do === 'replace' && write.kind === 'request' ? [write.item] : [],
    );
    const closed = written.find((item) => item.requestId === requestId);
    if (closed === undefined) throw new Defect(`The answer to ${requestId} does not close it.`);
    return { kind: 'commit', change: outcome.change, answer: answerOf(closed) };
  });

const answer = route(
  {
    operationId: 'answerRequest',
    method: 'post',
    path: '/v1/requests/{requestId}/answer',
    tag: 'requests',
    summary: 'Approve, refuse, or ask for changes; once',
    description:
      'Who answers is taken from the token. A later answer changes nothing and is told who answered what and when.',
    params: one,
    query: none,
    body: AnswerBody,
    answers: { 200: { description: 'Recorded.', schema: Answered } },
    problems: ['already-answered', 'request-expired', 'digest-changed', 'answer-does-not-fit'],
    example: { kind: 'refuse', reason: 'The customer took it back.' },
  },
  async ({ world, caller, params, body }) => ({
    status: 200,
    body: await give(world, caller, params.requestId, body),
  }),
);

export const requestRoutes: readonly Route[] = [list, get, answer];
