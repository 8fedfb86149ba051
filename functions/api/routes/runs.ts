// Runs: what they did, why they ended or what they wait for; stopping and continuing them. Laws: L11, L14.
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { ConversationId, RunId } from '../../core/base/ids.ts';
import { stopRun } from '../../core/pausing/stop.ts';
import { Action } from '../../core/records/action.ts';
import type { Round } from '../../core/records/decide.ts';
import { continuableEnds, type Run } from '../../core/records/run.ts';
import { Step } from '../../core/records/step.ts';
import { openRequestsOf } from '../../run/open-requests.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { fitting } from '../http/fitting.ts';
import { conversationFor, ours, runFor } from '../http/found.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import {
  LimitQuery,
  MessagePosted,
  none,
  pageOf,
  RunStopped,
  RunView,
} from '../schemas/schemas.ts';
import { runView } from '../schemas/views.ts';
import { post } from './messages.ts';

const one = z.strictObject({ runId: RunId });
const AfterStep = z.strictObject({
  afterStep: z.coerce.number().int().min(0).default(0).describe('Steps up to this are left out.'),
});
/** Steps of one page; a step with sixteen calls stays readable. */
const stepsPerPage = 100;

const viewOf = async (world: ApiWorld, run: Run): Promise<RunView> =>
  runView(run, await world.registry.agent(run.workspace, run.agentId, run.revision), world.traces);

const get = reading(
  {
    operationId: 'getRun',
    method: 'get',
    path: '/v1/runs/{runId}',
    tag: 'runs',
    summary: 'One run: its state, steps, usage and cost',
    params: one,
    query: none,
    answers: { 200: { description: 'The run.', schema: RunView } },
  },
  async ({ world, caller, params }) => {
    const { item } = await runFor(world.store, caller, params.runId);
    return { status: 200, body: await viewOf(world, item) };
  },
);

const list = reading(
  {
    operationId: 'listRuns',
    method: 'get',
    path: '/v1/conversations/{conversationId}/runs',
    tag: 'runs',
    summary: 'Runs of a conversation, newest first',
    params: z.strictObject({ conversationId: ConversationId }),
    query: LimitQuery,
    answers: { 200: { description: 'The runs.', schema: pageOf(RunView) } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, params, query }) => {
    const { store } = world;
    await conversationFor(store, caller, params.conversationId);
    const references = await store.runsOf(params.conversationId, query.limit);
    const found = await Promise.all(references.map(({ runId }) => store.read({ run: runId })));
    const runs = found.flatMap(({ run }) => (run === undefined ? [] : [run.item]));
    const items = await Promise.all(runs.map((run) => viewOf(world, run)));
    return { status: 200, body: { items } };
  },
);

/** A page of a run's steps, and where the next one begins. */
const stepsAfter = async (world: ApiWorld, caller: Caller, runId: RunId, afterStep: number) => {
  const [, all] = await Promise.all([
    runFor(world.store, caller, runId),
    world.store.stepsOf(runId, afterStep),
  ]);
  const steps = fitting(all.slice(0, stepsPerPage));
  const next = all.length > steps.length ? String(steps.at(-1)?.step) : undefined;
  return { steps, next };
};

const steps = reading(
  {
    operationId: 'listSteps',
    method: 'get',
    path: '/v1/runs/{runId}/steps',
    tag: 'runs',
    summary: 'Steps of a run, in order',
    description: '`next` is the `afterStep` of the next page.',
    params: one,
    query: AfterStep,
    answers: { 200: { description: 'A page.', schema: pageOf(Step) } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, params, query }) => {
    const page = await stepsAfter(world, caller, params.runId, query.afterStep);
    return { status: 200, body: { items: page.steps, next: page.next } };
  },
);

const actions = reading(
  {
    operationId: 'listRunActions',
    method: 'get',
    path: '/v1/runs/{runId}/actions',
    tag: 'runs',
    summary: 'Actions of a run, in order',
    description: '`next` is the `afterStep` of the next page.',
    params: one,
    query: AfterStep,
    answers: { 200: { description: 'A page.', schema: pageOf(Action) } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, params, query }) => {
    const page = await stepsAfter(world, caller, params.runId, query.afterStep);
    const ids = page.steps.flatMap(({ calls }) =>
      calls.flatMap((call) => (call.kind === 'action' ? [call.actionId] : [])),
    );
    const found = ids.length === 0 ? [] : (await world.store.read({ actions: ids })).actions;
    const all = found
      .map(({ item }) => item)
      .toSorted((a, b) => a.step - b.step || a.call - b.call);
    // A step's actions stay together: where the next page begins is told by its step.
    const bySteps = [...Map.groupBy(all, ({ step }) => step).values()];
    const shown = fitting(bySteps);
    const next = shown.length < bySteps.length ? String(shown.at(-1)?.[0]?.step) : page.next;
    return { status: 200, body: { items: shown.flat(), next } };
  },
);

interface Stop {
  readonly run: Run;
  /** More waited for people than one transaction could free. */
  readonly more: boolean;
}

const stop = route(
  {
    operationId: 'stopRun',
    method: 'post',
    path: '/v1/runs/{runId}/stop',
    tag: 'runs',
    summary: 'Stop a run',
    description:
      'Nothing new is sent. The run shows *stopping* until what was sent is settled or its time is over. Stopping a stopping run changes nothing.',
    params: one,
    query: none,
    body: none,
    answers: { 202: { description: 'It stops.', schema: RunStopped } },
    problems: ['run-finished'],
    example: {},
  },
  async ({ world, caller, params }) => {
    const { conversationId } = (await runFor(world.store, caller, params.runId)).item;
    const once = async (): Promise<Round<Stop>> => {
      const { store } = world;
      const found = await store.read({ conversation: conversationId, run: params.runId });
      const before = ours(caller, found.run);
      const { state } = before.item;
      if (state.status === 'finished' && state.reason !== 'stopped')
        throw problem('run-finished', { reason: state.reason });
      const stopped = stopRun({
        conversation: ours(caller, found.conversation),
        run: before,
        ...(await openRequestsOf(store, before.item)),
        by: caller.author,
        nowIso: new Date(world.clock.now()).toISOString(),
      });
      const { run } = stopped;
      return stopped.kind === 'unchanged'
        ? { kind: 'answer', answer: { run, more: false } }
        : { kind: 'commit', change: stopped.change, answer: { run, more: stopped.more } };
    };
    let { run, more } = await deciding<Stop>(world, once);
    while (more) ({ run, more } = await deciding<Stop>(world, once));
    return { status: 202, body: { runId: run.runId, state: run.state } };
  },
);

/** What is said on a person's behalf when they only press "continue". */
const goOn = { en: 'Continue.', fr: 'Continuez.' } as const;

const goOnWith = route(
  {
    operationId: 'continueRun',
    method: 'post',
    path: '/v1/runs/{runId}/continue',
    tag: 'runs',
    summary: 'Go on after the step limit, or where no whole answer came, as a new run',
    params: one,
    query: none,
    body: none,
    answers: { 202: { description: 'A new run goes on.', schema: MessagePosted } },
    problems: ['run-not-continuable', 'too-many-messages-waiting'],
    example: {},
  },
  async ({ world, caller, params, language, suffix }) => {
    const { item } = await runFor(world.store, caller, params.runId);
    const { conversationId, state } = item;
    const limited = state.status === 'finished' && continuableEnds.includes(state.reason);
    const answer = await post(world, caller, {
      conversationId,
      text: goOn[language],
      suffix,
      check: ({ lastRun, activeRun }) => {
        if (!limited || lastRun?.runId !== item.runId || activeRun !== undefined)
          throw problem('run-not-continuable', {});
      },
    });
    return { status: 202, body: answer };
  },
);

export const runRoutes: readonly Route[] = [get, list, steps, actions, stop, goOnWith];
