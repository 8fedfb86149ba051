// Perform as it is deployed, on the twin's DynamoDB in memory, with Powertools' real package as its guard; only the destination is
// made here. Owns: one planned write, the destination's list of effects, and trouble with the database on demand.
import { setTimeout as pauseFor } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import {
  ActionId,
  AgentId,
  ConversationId,
  MessageId,
  RequestId,
  RunId,
} from '../../../functions/core/base/ids.ts';
import { PerformInput } from '../../../functions/core/records/machine-input.ts';
import type { CheckedCall } from '../../../functions/core/turn/checked-call.ts';
import { storeStep } from '../../../functions/core/turn/plan.ts';
import { postMessage } from '../../../functions/core/turn/post-message.ts';
import { environmentNames, tableNames } from '../../../functions/manifest.ts';
import type { ToolReport, ToolSend } from '../../../functions/ports/tool.ts';
import { perform } from '../../../functions/run/perform.ts';
import { performWorld } from '../../../functions/wiring/perform.ts';
import type { Substrate } from '../../../functions/wiring/substrate.ts';
import { realClock } from '../../../local/base/clock.ts';
import { outputOf } from '../../../local/base/endpoints.ts';
import { targetService } from '../../../local/base/wire.ts';
import { transportFor } from '../../../local/calls/transport.ts';
import { ensureTables } from '../../../local/deployment/tables.ts';
import { openDynamoTwin } from '../../../local/dynamodb/index.ts';
import { agentOf, conversationOf } from '../../fakes/items.ts';
import { suffixes } from '../../fakes/suffixes.ts';
import { type ContractKind, toolsOf } from '../../sim/contracts.ts';

export const workspace = 'acme';
const region = 'eu-west-3';

/** What the destination does with a call, once the effect is there. */
export type After = (call: ToolSend) => Promise<ToolReport> | ToolReport;

export const answered: After = () => ({
  kind: 'reply',
  reply: { status: 201, headers: {}, body: { id: 'obj-1' }, bytes: 2 },
});
export const replyLost: After = () => ({
  kind: 'unknown',
  because: 'The connection was reset.',
  milestone: 'transmitted',
});

const contextOf = (remainingMs: number): Context => ({
  awsRequestId: 'test',
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'perform',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-3:000000000000:function:perform',
  memoryLimitInMB: '512',
  logGroupName: 'perform',
  logStreamName: 'perform',
  getRemainingTimeInMillis: () => remainingMs,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
export const context = contextOf(75_000);

const openDatabase = async () => {
  const clock = realClock();
  const twin = openDynamoTwin({ file: ':memory:', clock });
  onTestFinished(() => twin.close());
  await ensureTables(async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  }, clock);
  return twin;
};

export const openPerformRig = async (kind: ContractKind = 'http', calls = 1) => {
  const twin = await openDatabase();
  const suffix = suffixes();
  const effects: string[] = [];
  const seen = {
    aheadMs: 0,
    after: answered as After,
    failing: (_operation: string, _table: string) => false,
  };
  const service = targetService((operation, body) => {
    const table = String(Reflect.get(Object(body), 'TableName'));
    return seen.failing(operation, table)
      ? {
          status: 400,
          body: { __type: 'com.amazon#ValidationException', message: 'Refused by the test.' },
        }
      : twin.handle(operation, body);
  });
  const clock = { now: () => Date.now() + seen.aheadMs, pause: (ms: number) => pauseFor(ms) };
  const transport = transportFor('dynamodb', region, { service });
  const quiet = () => undefined;
  const substrate: Substrate = {
    environment: {
      [environmentNames.conversationsTable]: tableNames[0],
      [environmentNames.requestsTable]: tableNames[1],
      [environmentNames.ledgerTable]: tableNames[2],
      [environmentNames.registryTable]: tableNames[3],
      [environmentNames.idempotencyTable]: tableNames[4],
      [environmentNames.blobBucket]: 'bodies',
      [environmentNames.egress]: JSON.stringify({ hosts: [], allowPrivate: [] }),
    },
    clock,
    minter: { suffix, fraction: () => 0.5 },
    crash: { at: () => undefined },
    log: { info: quiet, warn: quiet, error: quiet },
    measures: { put: quiet },
    aws: () => transport,
    open: () => true,
  };
  const world = {
    ...performWorld(substrate),
    carrier: {
      send: async (call: ToolSend): Promise<ToolReport> => {
        call.beforeFirstByte();
        effects.push(call.reference);
        return seen.after(call);
      },
    },
  };
  const input = await planWrites(world, suffix, kind, calls);
  const { actionId } = input;
  return {
    world,
    input,
    effects,
    twin,
    client: new DynamoDBClient({ ...transport }),
    /** What the destination does after the effect; what the database refuses; how far time has moved. */
    seen,
    perform: (given: PerformInput = input) => perform(world, given, context),
    action: async () => {
      const found = await world.store.read({ actions: [actionId] });
      if (!found.actions[0]) throw new Error('The action is gone.');
      return found.actions[0].item;
    },
    journal: () => world.store.journal(actionId),
  };
};
export type PerformRig = Awaited<ReturnType<typeof openPerformRig>>;

type World = ReturnType<typeof performWorld>;

/** A conversation, a run, and a step with its writes, none like another, stored as Think stores it; Perform’s input for the first. */
const planWrites = async (
  world: World,
  suffix: () => string,
  kind: ContractKind,
  count: number,
): Promise<PerformInput> => {
  const { store, registry } = world;
  const agentId = AgentId.parse(`agt_${suffix()}`);
  const conversationId = ConversationId.parse(`cnv_${suffix()}`);
  const runId = RunId.parse(`run_${suffix()}`);
  const tools = toolsOf('write', kind);
  const [tool] = tools;
  if (!tool) throw new Error('There is no tool.');
  for (const one of tools) await registry.putTool(one);
  const agent = agentOf(workspace, agentId, ['write']);
  await registry.putAgent(agent);
  const conversation = await store.createConversation(
    conversationOf(workspace, conversationId, agentId),
  );
  const nowIso = new Date(world.clock.now()).toISOString();
  const posted = postMessage({
    conversation,
    agent,
    message: {
      messageId: MessageId.parse(`msg_${suffix()}`),
      text: 'Write it.',
      author: { kind: 'person', subject: 'ana', name: 'Ana' },
    },
    runId,
    nowIso,
  });
  if (posted.kind !== 'change') throw new Error('The message was refused.');
  await store.commit(posted.change);
  const actionIds = Array.from({ length: count }, () => ActionId.parse(`act_${suffix()}`));
  const [actionId] = actionIds;
  const calls = actionIds.map(
    (id, index): CheckedCall => ({
      kind: 'valid',
      name: 'write',
      arguments: { name: index === 0 ? 'Marta' : `Marta ${index}` },
      tool,
      gate: { on: 'nothing', mandate: { kind: 'standing' } },
      actionId: id,
      requestId: RequestId.parse(`req_${suffix()}`),
    }),
  );
  const read = await store.read({ conversation: conversationId, run: runId });
  if (!read.run || !read.conversation) throw new Error('The run is gone.');
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, callId: 'c', model: 'm' };
  const run = { item: { ...read.run.item, fence: 1 }, rev: read.run.rev };
  const stored = storeStep(
    read.conversation,
    run,
    {
      step: 1,
      attempt: 'mdl_1',
      text: 'I write.',
      calls,
      took: [],
      facts: undefined,
      factsTold: [],
      results: [],
      usage,
    },
    nowIso,
  );
  const committed = await store.commit(stored.change);
  if (committed.kind !== 'done') throw new Error(`The step was not stored: ${committed.kind}.`);
  return PerformInput.parse({ schema: 1, runId, conversationId, segment: 1, actionId, by: 'run' });
};
