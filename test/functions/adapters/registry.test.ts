// The registry on the DynamoDB twin: versions are put once, numbers have no gap, a lost reply is no failure.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registryFrom } from '../../../functions/adapters/dynamodb/registry.ts';
import { AgentId } from '../../../functions/core/base/ids.ts';
import type { AgentRevision } from '../../../functions/core/registry/agent.ts';
import type { Registrations } from '../../../functions/ports/registrations.ts';
import { realClock } from '../../../local/base/clock.ts';
import { outputOf } from '../../../local/base/endpoints.ts';
import { type JsonAnswer, targetService } from '../../../local/base/wire.ts';
import { transportFor } from '../../../local/calls/transport.ts';
import { ensureTables } from '../../../local/deployment/tables.ts';
import { type DynamoTwin, openDynamoTwin } from '../../../local/dynamodb/index.ts';

let twin: DynamoTwin;
let registry: Registrations;
/** Answers in place of the twin's, one per transaction, after the twin has done its work. */
let answers: JsonAnswer[];

const agentId = AgentId.parse('agt_00000000000000000000000001');
const revision = (number: number, prompt = 'Help.'): AgentRevision => ({
  schema: 1,
  workspace: 'acme',
  agentId,
  revision: number,
  configuration: {
    name: 'Helper',
    prompt,
    model: { provider: 'scripted', script: 'demo' },
    modelOptions: {},
    tools: [],
    skills: [],
    stepLimit: 40,
  },
  createdAt: '2026-11-30T09:00:00Z',
  createdBy: 'ana',
});

beforeEach(async () => {
  const clock = realClock();
  twin = openDynamoTwin({ file: ':memory:', clock });
  answers = [];
  await ensureTables(async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  }, clock);
  const service = targetService((operation, body) => {
    const answer = twin.handle(operation, body);
    return (operation === 'TransactWriteItems' ? answers.shift() : undefined) ?? answer;
  });
  const client = new DynamoDBClient({ ...transportFor('dynamodb', 'eu-west-3', { service }) });
  registry = registryFrom({ client, tables: { Registry: 'Registry' } });
});
afterEach(() => twin.close());

test('a revision is put once, in order, and never changed', async () => {
  expect(await registry.putAgent(revision(1))).toBe('put');
  expect(await registry.putAgent(revision(1, 'Other.'))).toBe('exists');
  expect(await registry.putAgent(revision(3))).toBe('exists');
  expect(await registry.putAgent(revision(2))).toBe('put');
  expect((await registry.newestAgent('acme', agentId))?.revision).toBe(2);
  expect((await registry.agent('acme', agentId, 1))?.configuration.prompt).toBe('Help.');
  expect((await registry.revisionsOf('acme', agentId)).map((one) => one.revision)).toEqual([2, 1]);
  expect(await registry.agent('elsewhere', agentId, 1)).toBeUndefined();
  expect(await registry.agentsOf('elsewhere')).toEqual([]);
});

test('of two that put the same number at once one wins, and both know', async () => {
  await registry.putAgent(revision(1));
  const both = await Promise.all(['A.', 'B.'].map((said) => registry.putAgent(revision(2, said))));
  expect(both.toSorted()).toEqual(['exists', 'put']);
});

test('a put whose reply was lost and that is sent again by the SDK is still put', async () => {
  answers = [{ status: 500, body: { __type: 'InternalServerError', message: 'Lost.' } }];
  expect(await registry.putAgent(revision(1))).toBe('put');
});

test('what made a revision is remembered with it', async () => {
  await registry.putAgent(revision(1), 'first');
  await registry.putAgent(revision(2), 'second');
  expect((await registry.agentMadeBy('acme', 'first'))?.revision).toBe(1);
  expect((await registry.agentMadeBy('acme', 'second'))?.revision).toBe(2);
  expect(await registry.agentMadeBy('elsewhere', 'first')).toBeUndefined();
  expect(await registry.putAgent(revision(3), 'second')).toBe('exists');
  expect(await registry.toolMadeBy('acme', 'first')).toBeUndefined();
});
