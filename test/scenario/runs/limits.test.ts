// Limits are hard, said in plain words with the counted number, and a run that cannot go on becomes a visible case.
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Defect } from '../../../functions/core/base/errors.ts';
import { handlerFor as admitHandlerFor } from '../../../functions/run/admit.ts';
import { handlerFor as thinkHandlerFor } from '../../../functions/run/think.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';

let rig: Rig;
/** Invocations of functions that are made to fail. */
const failing = { admit: false, think: false };
const calls = { admit: 0, think: 0 };

/** The real handler until it is told to fail. */
const orFailing = (
  name: 'admit' | 'think',
  real: (input: unknown, context: Context) => Promise<unknown>,
) => {
  return async (input: unknown, context: Context): Promise<unknown> => {
    if (!failing[name]) return real(input, context);
    calls[name] += 1;
    throw new Defect('The state of the run cannot be loaded.');
  };
};

beforeAll(async () => {
  rig = await openRig({
    twin: {
      handlers: {
        admit: (substrate) => orFailing('admit', admitHandlerFor(substrate)),
        think: (substrate) => orFailing('think', thinkHandlerFor(substrate)),
      },
    },
    scripts: {
      twelve: {
        scenes: [
          {
            when: { says: ['twelve'] },
            turns: [
              { times: 12, say: 'Another.', call: [callCreate('{{message}} {{step}}')] },
              { say: 'All twelve.' },
            ],
          },
          {
            when: {},
            turns: [
              { times: 2, call: [callCreate('{{message}} {{step}}')] },
              { say: 'The rest is done.' },
            ],
          },
        ],
      },
      forever: {
        scenes: [
          { when: {}, turns: [{ times: 1_000, call: [callCreate('{{message}} {{step}}')] }] },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const effectsNamed = async (begin: string): Promise<number> =>
  (await rig.destination.effects()).filter(({ arguments: args }) =>
    String(args.title).startsWith(begin),
  ).length;

test('L14 S56 at the limit the run says so with the counted number, lists what is done, and "continue" goes on', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twelve', { stepLimit: 10 });
  const { conversationId, runId } = await talk(client, agentId, 'S56 twelve');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('step_limit');
  expect(run.state.detail).toContain('10 of 10 model calls');
  expect(run.steps).toEqual({ taken: 10, limit: 10 });
  const actions = await client.actions(runId);
  expect(actions.map(({ effect }) => effect)).toEqual(Array(10).fill('confirmed'));
  expect(await effectsNamed('S56 twelve')).toBe(10);
  const again = await client.goOn(runId);
  expect(again.fate).toBe('started');
  const next = await finished(client, again.runId);
  expect(next).toMatchObject({ number: 2, state: { reason: 'done' } });
  expect(await client.runs(conversationId)).toHaveLength(2);
});

test('L14 S57 a model that always asks for a tool is stopped hard at the limit', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await rig.agent('forever', { stepLimit: 5 }), 'S57');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('step_limit');
  expect(await client.steps(runId)).toHaveLength(5);
  expect(await effectsNamed('S57')).toBe(5);
});

test('L14 S53 a run whose state cannot be loaded ends after few tries with a reason, and the conversation is free', async () => {
  const { client } = rig;
  failing.think = true;
  const { conversationId, runId } = await talk(client, await rig.agent('twelve'), 'S53 think');
  const run = await finished(client, runId);
  failing.think = false;
  expect(run.state.reason).toBe('failed');
  expect(run.state.detail).toContain('the function that asks the model failed (Defect). This step');
  expect(calls.think).toBe(1);
  const next = await client.say(conversationId, 'S53 think twelve, again');
  expect(next.fate).toBe('started');
  expect((await finished(client, next.runId)).state.reason).toBe('done');
});

test('L14 S53 executions that die without getting further are given up after two, visibly', async () => {
  const { client } = rig;
  failing.admit = true;
  const { conversationId, runId } = await talk(client, await rig.agent('twelve'), 'S53 admit');
  const run = await finished(client, runId);
  failing.admit = false;
  expect(run.state).toMatchObject({ reason: 'failed' });
  expect(run.state.detail).toContain('died 2 times');
  expect(run.executions).toHaveLength(2);
  expect(calls.admit).toBe(2);
  expect(run.usage).toEqual({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 });
  expect((await client.conversation(conversationId)).state.status).toBe('idle');
});
