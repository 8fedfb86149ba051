// The streams of other protocols at their edges: who may, what is told before a stream begins, and how one ends that must.
// Laws: L11, L13.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { historyBytesMax } from '../../../../functions/api/http/body.ts';
import { RunId } from '../../../../functions/core/base/ids.ts';
import type { EventBody } from '../../../../functions/core/records/event.ts';
import { simulatedClock } from '../../../../local/base/clock.ts';
import { holds } from '../../../rig/until.ts';
import { openRig, type PersonName, type Request, type Rig } from '../rig.ts';
import { askApproval, type Begun, begin, commit, endRun, here, takeStep } from '../story.ts';
import { agUiTo, aiSdkTo, chatUser, listen, refusalOf, servingOf, user } from './listen.ts';

let rig: Rig;
let begun: Begun;
beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterAll(() => rig.close());

let threads = 0;
const newThread = (): string => {
  threads += 1;
  return `thread ${threads}`;
};
const agUi = (body: object, as?: PersonName) => agUiTo(begun.agentId, body, as);
const aiSdk = (body: object, as?: PersonName) => aiSdkTo(begun.agentId, body, as);

/** The run that a thread's first message began. */
const runOf = async (said: readonly Record<string, unknown>[]): Promise<RunId> => {
  const { conversationId } =
    JSON.parse(JSON.stringify(said[0])).metadata?.reprise ??
    JSON.parse(JSON.stringify(said[0])).messageMetadata;
  const { body } = await rig.call({ path: `/v1/conversations/${conversationId}` });
  return RunId.parse(body.activeRun);
};

const problemOf = (request: Request) => refusalOf(servingOf(rig), request);

describe('before a stream begins, what is wrong is a problem', () => {
  const thread = 'a thread';
  const cases: readonly (readonly [string, () => Request, number, string])[] = [
    [
      'nobody vouches for the caller',
      () => ({ ...agUi({ threadId: thread }), as: null }),
      401,
      'unauthenticated',
    ],
    [
      'a viewer says something',
      () => agUi({ threadId: thread, messages: [user('Hi')] }, 'vera'),
      403,
      'forbidden',
    ],
    [
      'an approver says something',
      () => aiSdk({ id: thread, messages: [chatUser('Hi')] }, 'abe'),
      403,
      'forbidden',
    ],
    ['another method', () => ({ ...agUi({}), method: 'DELETE' }), 405, 'method-not-allowed'],
    [
      'no such agent',
      () => ({
        ...agUi({ threadId: thread, messages: [user('Hi')] }),
        path: `/v1/ag-ui/agt_0000000000000000000000000Z`,
      }),
      404,
      'not-found',
    ],
    [
      'another workspace’s conversation',
      () => agUi({ threadId: begun.conversationId, messages: [user('Hi')] }, 'stranger'),
      404,
      'not-found',
    ],
    [
      'a stream of another workspace’s',
      () => ({
        path: `/v1/ai-sdk/${begun.agentId}/${begun.conversationId}/stream`,
        as: 'stranger',
      }),
      404,
      'not-found',
    ],
    ['no JSON', () => ({ ...agUi({}), raw: '{' }), 400, 'invalid-json'],
    [
      'too much of it',
      () => ({ ...agUi({}), raw: `"${'x'.repeat(historyBytesMax)}"` }),
      413,
      'body-too-large',
    ],
    ['no thread', () => agUi({ messages: [user('Hi')] }), 422, 'invalid-body'],
    ['nothing said', () => agUi({ threadId: thread, messages: [user('  ')] }), 422, 'invalid-body'],
    ['no message', () => aiSdk({ id: thread, messages: [] }), 422, 'invalid-body'],
    [
      'nothing new',
      () => agUi({ threadId: thread, messages: [user('Hi'), { id: 'a', role: 'assistant' }] }),
      422,
      'invalid-body',
    ],
    [
      'a picture',
      () => agUi({ threadId: thread, messages: [{ ...user(''), content: [{ type: 'image' }] }] }),
      422,
      'invalid-body',
    ],
    [
      'a file',
      () => aiSdk({ id: thread, messages: [{ ...chatUser(''), parts: [{ type: 'file' }] }] }),
      422,
      'invalid-body',
    ],
    [
      'an answer in a thread that is none',
      () => agUi({ threadId: thread, resume: [{ interruptId: 'x', status: 'resolved' }] }),
      404,
      'not-found',
    ],
    [
      'an answer to no request',
      () =>
        agUi({
          threadId: begun.conversationId,
          resume: [{ interruptId: 'x', status: 'resolved' }],
        }),
      404,
      'not-found',
    ],
  ];
  test.each(cases)('%s', async (_, request, status, slug) => {
    expect(await problemOf(request())).toEqual([status, slug]);
  });

  test('and nothing was said by any of it', async () => {
    const { body } = await rig.call({ path: '/v1/conversations' });
    expect(body.items).toHaveLength(1);
  });
});

test('a message under an id that said something else is refused; the same is the same run', async () => {
  const threadId = newThread();
  const heard = listen(servingOf(rig), agUi({ threadId, messages: [user('Hi')] }));
  await holds('it begins', () => heard.said().length > 0);
  const runId = await runOf(heard.said());
  expect(await problemOf(agUi({ threadId, messages: [user('Ho')] }))).toEqual([
    422,
    'invalid-body',
  ]);
  const refused = listen(servingOf(rig), agUi({ threadId, messages: [user('Ho')] }));
  await refused.ended;
  // These doors know no key: what is told is about ids of messages.
  expect(refused.text()).toContain('Give each message an id of its own');
  expect(refused.text()).not.toMatch(/key/i);
  const again = listen(servingOf(rig), agUi({ threadId, messages: [user('Hi')] }));
  await holds('it begins again', () => again.said().length > 0);
  expect(await runOf(again.said())).toBe(runId);
  await takeStep(rig, runId);
  await endRun(rig, runId);
  await Promise.all([heard.ended, again.ended]);
  expect(again.said().at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: { reason: 'done' } });
  // The same name of another person, or with another agent, is another thread.
  const other = listen(servingOf(rig), agUi({ threadId, messages: [user('Hi')] }, 'ben'));
  await holds('it begins', () => other.said().length > 0);
  expect(await runOf(other.said())).not.toBe(runId);
  other.leave();
  await other.ended;
});

test('an approver who may not speak answers what waits, and hears what comes of it', async () => {
  const { conversationId } = begun;
  const serving = servingOf(rig);
  const first = listen(
    serving,
    agUi({ threadId: conversationId, messages: [user('Refund', 'm2')] }),
  );
  await holds('it begins', () => first.said().length > 0);
  const runId = await runOf(first.said());
  const { requestId } = await askApproval(rig, runId);
  await first.ended;
  expect(first.said().at(-1)).toMatchObject({ outcome: { interrupts: [{ id: requestId }] } });
  const payload = { kind: 'refuse', reason: 'No.' };
  const resume = [{ interruptId: requestId, status: 'resolved', payload }];
  const heard = listen(serving, agUi({ threadId: conversationId, resume }, 'abe'));
  await holds('the result is told', () =>
    heard.said().some(({ type }) => type === 'TOOL_CALL_RESULT'),
  );
  heard.leave();
  await heard.ended;
  // A later answer of somebody else changes nothing and is told who was first.
  const late = agUi({ threadId: conversationId, resume }, 'ana');
  expect(await problemOf(late)).toEqual([409, 'already-answered']);
  await endRun(rig, runId);
});

test('at the cap of streams nothing is taken in, and nothing is said', async () => {
  const serving = servingOf(rig, { streamsMax: 1 });
  const first = listen(serving, agUi({ threadId: newThread(), messages: [user('Hi')] }));
  await holds('it begins', () => first.said().length > 0);
  const before = (await rig.call({ path: '/v1/conversations' })).body.items;
  const second = listen(serving, agUi({ threadId: newThread(), messages: [user('Hi')] }));
  await second.ended;
  expect([second.head.status, second.head.headers['retry-after']]).toEqual([503, '1']);
  expect((await rig.call({ path: '/v1/conversations' })).body.items).toEqual(before);
  first.leave();
  await first.ended;
});

test('a quiet stream says something every 15 seconds, and ends in order before the limit; the run goes on', async () => {
  const requests = [
    agUi({ threadId: newThread(), messages: [user('Hi')] }),
    aiSdk({ id: newThread(), messages: [chatUser('Hi')] }),
  ];
  for (const request of requests) {
    const clock = simulatedClock(rig.now());
    const pause = (ms: number) =>
      new Promise<void>((done) => void clock.at(clock.now() + ms, done));
    const heard = listen(servingOf(rig, { clock: { now: clock.now, pause } }), request, 70_000);
    let over = false;
    void heard.ended.then(() => {
      over = true;
    });
    await holds('it begins', () => heard.said().length > 0);
    const runId = await runOf(heard.said());
    while (!over) await clock.advance(500);
    expect(heard.text().split(': still here\n\n')).toHaveLength(4);
    expect(JSON.stringify(heard.said().at(-1))).toContain('The run goes on.');
    const { body } = await rig.call({ path: `/v1/runs/${runId}` });
    expect(body.state).toMatchObject({ status: 'running' });
  }
});

test('a stream that breaks in the middle says so in its protocol’s own way', async () => {
  let reads = 0;
  const eventsAfter: typeof rig.world.store.eventsAfter = (...given) => {
    reads += 1;
    if (reads > 1) throw new Error('The store is away.');
    return rig.world.store.eventsAfter(...given);
  };
  const store = { ...rig.world.store, eventsAfter };
  const heard = listen(
    servingOf(rig, { store }),
    aiSdk({ id: newThread(), messages: [chatUser('Hi')] }),
  );
  await heard.ended;
  expect(heard.said().at(-1)).toMatchObject({ type: 'error' });
  expect(heard.text()).toMatch(/\[DONE\]\n\n$/);
  expect(heard.text()).not.toContain('The store is away.');
});

test('a text that is taken back in the middle is taken back at the client', async () => {
  const cases = [
    [agUi({ threadId: newThread(), messages: [user('Hi')] }), 'MESSAGES_SNAPSHOT'],
    [aiSdk({ id: newThread(), messages: [chatUser('Hi')] }), 'reset-step'],
  ] as const;
  for (const [request, type] of cases) {
    const heard = listen(servingOf(rig), request);
    await holds('it begins', () => heard.said().length > 0);
    const runId = await runOf(heard.said());
    const emit = async (event: EventBody) =>
      commit(rig, {
        conversation: (await here(rig, runId)).conversation,
        events: [event],
        writes: [],
      });
    const text = { type: 'text.delta', runId, step: 1 } as const;
    await emit({ ...text, attempt: 'm0', text: 'Wrong' });
    await emit({ type: 'text.reset', runId, step: 1, attempt: 'm0' });
    await emit({ ...text, attempt: 'm1', text: 'Step ' });
    await takeStep(rig, runId);
    await endRun(rig, runId);
    await heard.ended;
    const types = heard.said().map((one) => one.type);
    expect(types).toContain(type);
    const deltas = heard
      .said()
      .slice(types.lastIndexOf(type))
      .flatMap(({ delta }) => delta ?? []);
    expect(deltas.join('')).toBe('Step 1.');
  }
});
