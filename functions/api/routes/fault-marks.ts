// Calls that readers marked as faulty: marked, changed, taken back, and listed for a run, a conversation or an agent. A mark
// touches nothing but itself, so none of this goes through a conversation's transaction. Laws: L13.
// Tested in test/functions/api/routes/faults.test.ts.
import { z } from 'zod';
import { TryAgain } from '../../core/base/errors.ts';
import { AgentId, ConversationId, FaultMarkId, RunId } from '../../core/base/ids.ts';
import { conflictTriesMax } from '../../core/base/limits.ts';
import type { Versioned } from '../../core/records/change.ts';
import {
  changeFault,
  type FaultChanging,
  type FaultMark,
  faultMarkIdOf,
  markFault,
  standingFault,
  takeBackFault,
} from '../../core/records/fault-mark.ts';
import type { FaultPlace } from '../../ports/fault-marks.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { conversationFor, ours, runFor } from '../http/found.ts';
import { type Again, type Call, type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { faultView, historyView, mayChangeFault } from '../schemas/fault-views.ts';
import {
  FaultChangeBody,
  FaultMarkBody,
  FaultMarkHistory,
  FaultMarkView,
  FaultTakeBackBody,
} from '../schemas/faults.ts';
import { none, PageQuery, pageOf } from '../schemas/schemas.ts';

const ofRun = z.strictObject({ runId: RunId });
const oneMark = ofRun.extend({ markId: FaultMarkId });
const saying = {
  note: 'It should have looked the customer up first.',
  kind: 'too_early',
} as const;

/** Puts until nobody else was faster; undefined, or the same mark, leaves it as it stands. */
const changed = async (
  world: ApiWorld,
  place: FaultPlace,
  caller: Caller,
  change: (before: Versioned<FaultMark> | undefined, now: FaultChanging) => FaultMark | undefined,
): Promise<{ readonly mark: FaultMark; readonly made: boolean }> => {
  for (let tries = 0; tries < conflictTriesMax; tries += 1) {
    const before = await world.faultMarks.get(place);
    const nowIso = new Date(world.clock.now()).toISOString();
    const mark = change(before, { by: caller.author, nowIso });
    if (mark === undefined) {
      if (before === undefined) throw problem('not-found', {});
      return { mark: before.item, made: false };
    }
    if (mark === before?.item) return { mark, made: false };
    if ((await world.faultMarks.put(mark, before?.rev ?? 0)) === 'put')
      return { mark, made: before === undefined };
  }
  throw new TryAgain('The mark is being changed by others. Nothing was written.');
};

/** Where a mark of this run lies. Throws `not-found` for a run of another workspace. */
const placeOf = async (
  { store }: ApiWorld,
  caller: Caller,
  { runId, markId }: z.infer<typeof oneMark>,
): Promise<FaultPlace> => {
  const { conversationId } = (await runFor(store, caller, runId)).item;
  return { conversationId, runId, markId };
};

type Named = z.infer<typeof ofRun>;
type Ids = Pick<z.infer<typeof oneMark>, 'markId'>;

/** As it is by now: a note that was erased does not come back by a repeat. */
const markAgain: Again<Pick<Call<Named, unknown, unknown>, 'world' | 'caller' | 'params'>, Ids> = {
  ids: z.object({ markId: FaultMarkId }),
  read: async ({ world, caller, params: { runId } }, { markId }) => {
    const found = await world.faultMarks.get(await placeOf(world, caller, { runId, markId }));
    return faultView(caller, ours(caller, found).item);
  },
};

const mark = route(
  {
    operationId: 'markFault',
    method: 'post',
    path: '/v1/runs/{runId}/fault-marks',
    tag: 'runs',
    summary: 'Mark a tool call as the faulty one, with a note',
    description:
      'A note for whoever improves the agent; it changes nothing about the run or the action. Each person has one mark per call: marking it again replaces your words.',
    params: ofRun,
    query: none,
    body: FaultMarkBody,
    answers: {
      200: { description: 'Your words of before are replaced.', schema: FaultMarkView },
      201: { description: 'Marked.', schema: FaultMarkView },
    },
    problems: ['no-such-call'],
    example: { step: 2, call: 0, ...saying },
  },
  async ({ world, caller, params, body }) => {
    const { runId } = params;
    const { step: number, call, ...said } = body;
    const run = (await runFor(world.store, caller, runId)).item;
    const [step] = (await world.store.read({ steps: [{ runId, step: number }] })).steps;
    const of = step?.calls[call];
    if (step === undefined || of === undefined)
      throw problem('no-such-call', { step: number, call });
    const markId = faultMarkIdOf(runId, number, call, caller.author.subject);
    const place = { conversationId: run.conversationId, runId, markId };
    const done = await changed(world, place, caller, (before, now) =>
      markFault(before?.item, { run, step, call, of }, said, now),
    );
    return { status: done.made ? 201 : 200, body: faultView(caller, done.mark) };
  },
  markAgain,
);

/** A mark that the caller may change: their own, or any for an admin. */
const forChange = (caller: Caller, found: Versioned<FaultMark> | undefined): FaultMark => {
  const { item } = ours(caller, found);
  if (!mayChangeFault(caller, item)) throw problem('fault-mark-of-another', { by: item.by.name });
  return item;
};

const change = route(
  {
    operationId: 'changeFaultMark',
    method: 'post',
    path: '/v1/runs/{runId}/fault-marks/{markId}',
    tag: 'runs',
    summary: 'Change what a mark says',
    description: 'For its author and for admins. What it said before stays in its history.',
    params: oneMark,
    query: none,
    body: FaultChangeBody,
    answers: { 200: { description: 'Changed.', schema: FaultMarkView } },
    problems: ['fault-mark-of-another', 'fault-mark-taken-back'],
    example: saying,
  },
  async ({ world, caller, params, body }) => {
    const place = await placeOf(world, caller, params);
    const done = await changed(world, place, caller, (before, now) => {
      const next = changeFault(forChange(caller, before), body, now);
      if (next === undefined) throw problem('fault-mark-taken-back', {});
      return next;
    });
    return { status: 200, body: faultView(caller, done.mark) };
  },
  markAgain,
);

const takeBack = route(
  {
    operationId: 'takeBackFaultMark',
    method: 'post',
    path: '/v1/runs/{runId}/fault-marks/{markId}/take-back',
    tag: 'runs',
    summary: 'Take a mark back',
    description:
      'For its author and for admins. It is listed no more; its history stays, without its notes when they are erased. Taking it back again changes nothing.',
    params: oneMark,
    query: none,
    body: FaultTakeBackBody,
    answers: { 200: { description: 'Taken back.', schema: FaultMarkView } },
    problems: ['fault-mark-of-another'],
    example: { erase: false },
  },
  async ({ world, caller, params, body }) => {
    const place = await placeOf(world, caller, params);
    const done = await changed(world, place, caller, (before, now) =>
      takeBackFault(forChange(caller, before), body.erase, now),
    );
    return { status: 200, body: faultView(caller, done.mark) };
  },
  markAgain,
);

const get = reading(
  {
    operationId: 'getFaultMark',
    method: 'get',
    path: '/v1/runs/{runId}/fault-marks/{markId}',
    tag: 'runs',
    summary: 'One mark with its history',
    params: oneMark,
    query: none,
    answers: { 200: { description: 'The mark.', schema: FaultMarkHistory } },
  },
  async ({ world, caller, params }) => {
    const found = await world.faultMarks.get(await placeOf(world, caller, params));
    return { status: 200, body: historyView(caller, ours(caller, found).item) };
  },
);

interface Listing {
  readonly conversationId: ConversationId;
  readonly runId?: RunId;
}
/** A page of the marks that stand. Those taken back leave gaps in it. */
const pageFor = async (
  world: ApiWorld,
  caller: Caller,
  { conversationId, runId }: Listing,
  query: z.infer<typeof PageQuery>,
) => {
  const list = `fault-marks:${runId ?? conversationId}`;
  const cursor = cursorIn(list, caller.workspace, query.cursor);
  const page = await world.faultMarks.of(conversationId, runId, query.limit, cursor);
  const items = page.items
    .filter((item) => standingFault(item) !== undefined)
    .toSorted((a, b) => a.runId.localeCompare(b.runId) || a.step - b.step || a.call - b.call)
    .map((item) => faultView(caller, item));
  return { items, next: page.next && cursorOut(list, caller.workspace, page.next) };
};

const listed = { 200: { description: 'A page.', schema: pageOf(FaultMarkView) } };

const list = reading(
  {
    operationId: 'listFaultMarks',
    method: 'get',
    path: '/v1/runs/{runId}/fault-marks',
    tag: 'runs',
    summary: 'Calls of a run that readers marked as faulty',
    params: ofRun,
    query: PageQuery,
    answers: listed,
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, params, query }) => {
    const { conversationId, runId } = (await runFor(world.store, caller, params.runId)).item;
    const body = await pageFor(world, caller, { conversationId, runId }, query);
    return { status: 200, body };
  },
);

const listOfConversation = reading(
  {
    operationId: 'listConversationFaultMarks',
    method: 'get',
    path: '/v1/conversations/{conversationId}/fault-marks',
    tag: 'conversations',
    summary: 'Calls of a conversation’s runs that readers marked as faulty',
    params: z.strictObject({ conversationId: ConversationId }),
    query: PageQuery,
    answers: listed,
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, params, query }) => {
    const { item } = await conversationFor(world.store, caller, params.conversationId);
    const { conversationId } = item;
    return { status: 200, body: await pageFor(world, caller, { conversationId }, query) };
  },
);

const listOfAgent = reading(
  {
    operationId: 'listAgentFaultMarks',
    method: 'get',
    path: '/v1/agents/{agentId}/fault-marks',
    tag: 'agents',
    summary: 'Calls of an agent that readers marked as faulty, newest first',
    description: 'Each with the revision that its run used.',
    params: z.strictObject({ agentId: AgentId }),
    query: PageQuery,
    answers: listed,
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, params, query }) => {
    const { workspace } = caller;
    const { agentId } = params;
    if ((await world.registry.newestAgent(workspace, agentId)) === undefined)
      throw problem('not-found', {});
    const name = `fault-marks:${agentId}`;
    const cursor = cursorIn(name, workspace, query.cursor);
    const page = await world.faultMarks.ofAgent(workspace, agentId, query.limit, cursor);
    const items = page.items.map((item) => faultView(caller, item));
    const next = page.next && cursorOut(name, workspace, page.next);
    return { status: 200, body: { items, next } };
  },
);

export const faultMarkRoutes: readonly Route[] = [
  mark,
  list,
  get,
  change,
  takeBack,
  listOfConversation,
  listOfAgent,
];
