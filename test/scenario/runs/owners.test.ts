// Nothing that is open is without somebody after the next sweep, whatever failed before.
// Laws: L11, L12, L14.
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { DeskEntry } from '../../../functions/api/schemas/desk.ts';
import { handlerFor as verifyHandlerFor } from '../../../functions/recover/verify.ts';
import { handlerFor as finishHandlerFor } from '../../../functions/run/finish.ts';
import { handlerFor as sweepHandlerFor } from '../../../functions/sweep/sweep.ts';
import type { Substrate } from '../../../functions/wiring/substrate.ts';
import type { Client } from '../../rig/client.ts';
import { approve, awsCall, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';
import { dayMs, openTurnedRig, type TurnedRig } from '../people/clock.ts';

const told = { say: 'So: {{result.last}}', onError: { say: 'So: {{error}}' } };
const scripts = {
  create: { scenes: [{ when: {}, turns: [{ call: [callCreate('{{message}}')] }, told] }] },
  refund: { scenes: [{ when: {}, turns: [{ call: [callRefund('pay_1001', 100)] }, told] }] },
  hello: { scenes: [{ when: {}, turns: [{ say: 'Hello.' }] }] },
};

/** What fails while the test wants it to. */
const trouble = { store: false, refused: 0, finishSilently: false };

/** DynamoDB answers with errors: every call of it, before it is sent. */
const withFailingStore = (substrate: Substrate): Substrate => ({
  ...substrate,
  aws: (service) => {
    const transport = substrate.aws(service);
    if (service !== 'dynamodb') return transport;
    return {
      ...transport,
      plugin: {
        applyToStack: (stack) => {
          stack.add(
            (next) => async (args) => {
              if (!trouble.store) return next(args);
              trouble.refused += 1;
              throw Object.assign(new Error('The service failed.'), {
                name: 'InternalServerError',
              });
            },
            { step: 'initialize', priority: 'high', name: 'failing' },
          );
          transport.plugin?.applyToStack(stack);
        },
      },
    };
  },
});

let turned: TurnedRig;
beforeAll(async () => {
  turned = await openTurnedRig(scripts, undefined, {
    handlers: {
      verify: (substrate) => verifyHandlerFor(withFailingStore(substrate)),
      sweep: (substrate) => sweepHandlerFor(withFailingStore(substrate)),
      // The status event is best effort, and here it is always lost.
      'execution-ended': () => async () => ({ did: 'nothing' }),
      finish: (substrate) => {
        const finish = finishHandlerFor(substrate);
        return async (input: unknown, context: Context) => {
          if (!trouble.finishSilently) return finish(input, context);
          trouble.finishSilently = false;
          return {};
        };
      },
    },
  });
});
afterAll(() => turned.rig.close());

let client: Client;
beforeEach(async () => {
  client = await turned.clientNow();
});
afterEach(() => {
  Object.assign(trouble, { store: false, refused: 0, finishSilently: false });
});

const deskOf = async (who: Client): Promise<DeskEntry[]> =>
  z.object({ items: z.array(DeskEntry) }).parse((await who.send('GET', '/v1/desk')).body).items;

/** A write that is done, and whose reply is lost. */
const lose = async (title: string) => {
  await turned.rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'drop_reply_after_write',
  });
  const talked = await talk(client, await turned.rig.agent('create'), title);
  const actionId = await until('the action is undetermined', async () => {
    const [action] = await client.actions(talked.runId);
    return action?.effect === 'undetermined' ? action.actionId : undefined;
  });
  return { ...talked, actionId };
};

test('L4 S46 the store fails during recovery and during a sweep: after the next sweep the case has its owner, and nothing was sent again', async () => {
  const { clock, rig } = turned;
  trouble.store = true;
  const { runId, actionId } = await lose('S46');
  await clock.advance(2 * 3_600_000);
  expect(trouble.refused).toBeGreaterThan(0);
  await turned.sweep();
  const entry = async () => (await deskOf(client)).find((one) => one.actionId === actionId);
  expect(await entry()).toMatchObject({ needsPerson: false });
  trouble.store = false;
  await clock.advance(60_000);
  expect(await entry()).toMatchObject({ needsPerson: false });
  await turned.sweep();
  expect(await entry()).toMatchObject({ needsPerson: true });
  await waitingOn(client, runId, 'recovery');
  expect(await rig.destination.effectsOf(actionId)).toHaveLength(1);
  await client.decide(actionId, { kind: 'suspend', reason: 'Marta is asked.' });
  await turned.endOf(runId);
});

test('L11 S49 a waiting run whose execution was ended behind its back: the sweep ends it, its request is void, and the conversation goes on', async () => {
  const { clock, rig } = turned;
  const { conversationId, runId } = await talk(client, await rig.agent('refund'), 'Refund it.');
  const [request] = await waitingOn(client, runId, 'approval');
  await turned.quiet();
  const arn = rig.twin.machineArns.run.replace(':stateMachine:', ':execution:');
  const executionArn = `${arn.split(':').slice(0, 7).join(':')}:${runId}`;
  await awsCall(rig.twin, 'states')('StopExecution', { executionArn });
  await turned.quiet();
  expect((await client.run(runId)).state.status).toBe('waiting');
  await clock.advance(dayMs + 60_000);
  await turned.sweep();
  expect((await client.run(runId)).state).toMatchObject({ status: 'finished', reason: 'stopped' });
  await expect(approve(client, request?.requestId ?? '')).rejects.toThrow('409');
  expect((await client.conversation(conversationId)).state.status).toBe('idle');
  const next = await client.say(conversationId, 'Again.');
  expect(next).toMatchObject({ fate: 'started' });
  await waitingOn(client, next.runId, 'approval');
  await client.stop(next.runId);
  await turned.endOf(next.runId);
  expect(await rig.destination.arrivals('refund')).toEqual([]);
});

test('L11 S49 an execution that succeeded without ending its run: the sweep takes the run up, and it ends', async () => {
  const { clock, rig } = turned;
  trouble.finishSilently = true;
  const { conversationId, runId } = await talk(client, await rig.agent('hello'), 'Hello.');
  await until('Finish was called', () => (trouble.finishSilently ? undefined : true));
  await turned.quiet();
  expect((await client.run(runId)).state.status).not.toBe('finished');
  await clock.advance(11 * 60_000);
  await turned.sweep();
  expect((await turned.endOf(runId)).state).toMatchObject({ reason: 'done' });
  expect((await client.run(runId)).executions).toHaveLength(2);
  expect((await client.conversation(conversationId)).state.status).toBe('idle');
});
