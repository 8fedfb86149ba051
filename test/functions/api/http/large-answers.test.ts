// What is large is answered in pages that Lambda can carry (6 MB), each item once: messages, steps and actions at their limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ActionId, MessageId } from '../../../../functions/core/base/ids.ts';
import { noUsage } from '../../../../functions/core/records/run.ts';
import {
  actionWith,
  agentId,
  conversationId,
  nowIso,
  runId,
  runWith,
  workspace,
} from '../../../core/samples.ts';
import { conversationOf } from '../../../fakes/items.ts';
import { openRig, type Rig } from '../rig.ts';

/** What Lambda answers at most. */
const lambdaBytes = 6 * 1024 * 1024;
const messages = 40;
const steps = 30;
const callsPerStep = 4;

const idOf = (number: number): string => String(number).padStart(26, '0');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const large = '漢'.repeat(90_000);

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  rig.putMany('conversation', [conversationOf(workspace, conversationId, agentId)]);
  rig.putMany('run', [runWith({ step: steps })]);
  rig.putMany(
    'message',
    numbers(messages).map((number) => ({
      schema: 1,
      workspace,
      conversationId,
      messageId: MessageId.parse(`msg_${idOf(messages - number)}`),
      number,
      text: large,
      author: { kind: 'person', subject: 'ben', name: 'Ben' },
      at: nowIso,
      fate: { fate: 'taken', runId, step: 1 },
    })),
  );
  const actionIdOf = (step: number, call: number) =>
    ActionId.parse(`act_${idOf(step * callsPerStep + call)}`);
  const calls = numbers(callsPerStep).map((number) => number - 1);
  rig.putMany(
    'action',
    numbers(steps).flatMap((step) =>
      calls.map((call) =>
        actionWith({
          actionId: actionIdOf(step, call),
          step,
          call,
          arguments: { name: 'x'.repeat(60_000) },
        }),
      ),
    ),
  );
  rig.putMany(
    'step',
    numbers(steps).map((step) => ({
      schema: 1 as const,
      runId,
      step,
      attempt: 'one',
      text: large,
      calls: calls.map((call) => ({
        kind: 'action' as const,
        actionId: actionIdOf(step, call),
        name: 'write',
        arguments: {},
      })),
      took: [],
      results: [],
      usage: { ...noUsage, callId: 'call', model: 'scripted' },
      at: nowIso,
    })),
  );
});
afterAll(() => rig.close());

/** Every page, by the parameter that names where the next begins. */
const all = async (path: string, parameter: string) => {
  const items: Record<string, unknown>[] = [];
  let next = '0';
  let pages = 0;
  for (;;) {
    const reply = await rig.call({ path, query: { [parameter]: next } });
    expect(reply.status).toBe(200);
    expect(Buffer.byteLength(reply.text)).toBeLessThan(lambdaBytes);
    items.push(...(reply.body.items as Record<string, unknown>[]));
    pages += 1;
    if (typeof reply.body.next !== 'string') return { items, pages };
    next = reply.body.next;
  }
};

test('all messages of a conversation come, in order, in pages that fit', async () => {
  const { items, pages } = await all(`/v1/conversations/${conversationId}/messages`, 'after');
  expect(items.map(({ number }) => number)).toEqual(numbers(messages));
  expect(pages).toBeGreaterThan(1);
});

test('all steps of a run come, in order, in pages that fit', async () => {
  const { items, pages } = await all(`/v1/runs/${runId}/steps`, 'afterStep');
  expect(items.map(({ step }) => step)).toEqual(numbers(steps));
  expect(pages).toBeGreaterThan(1);
});

test('all actions of a run come, those of a step together, in pages that fit', async () => {
  const { items, pages } = await all(`/v1/runs/${runId}/actions`, 'afterStep');
  expect(items.map(({ step, call }) => `${step}.${call}`)).toEqual(
    numbers(steps).flatMap((step) => numbers(callsPerStep).map((call) => `${step}.${call - 1}`)),
  );
  expect(pages).toBeGreaterThan(1);
});
