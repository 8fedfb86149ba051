// The conformance suite over both stores: in memory, as the simulation uses it, and on the twin's DynamoDB, as the product does.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { deliveriesFrom } from '../../functions/adapters/dynamodb/deliveries.ts';
import { mandatesFrom } from '../../functions/adapters/dynamodb/mandates.ts';
import { storeFrom } from '../../functions/adapters/dynamodb/store.ts';
import { changeBar, changeStanding } from '../../functions/core/answers/permissions.ts';
import type { Deliveries } from '../../functions/ports/store.ts';
import { realClock } from '../../local/base/clock.ts';
import { outputOf } from '../../local/base/endpoints.ts';
import { targetService } from '../../local/base/wire.ts';
import { transportFor } from '../../local/calls/transport.ts';
import { ensureTables } from '../../local/deployment/tables.ts';
import { openDynamoTwin } from '../../local/dynamodb/index.ts';
import { agentId, approvalWith, conversation, nowIso, nowMs, workspace } from '../core/samples.ts';
import { keep, memoryStore } from '../fakes/memory-store.ts';
import { suffixes } from '../fakes/suffixes.ts';
import { type Opened, storeConformance } from './store.conformance.ts';
import { grantsConformance } from './store-grants.conformance.ts';

const by = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const standing = () =>
  changeStanding(undefined, { workspace, agentId, tool: 'write' }, 'revoked', {
    by,
    reason: 'No.',
    nowIso,
  });
const bar = () =>
  changeBar(undefined, { workspace, tool: 'write' }, 'barred', { by, reason: 'No.', nowIso });

const inMemory = async (): Promise<Opened> => {
  const store = memoryStore({ clock: { now: () => nowMs }, minter: { suffix: suffixes() } });
  return {
    store,
    revoke: async () => {
      const mandate = standing();
      if (mandate) keep(store.memory, 'standing', mandate.item, 1);
    },
    bar: async () => {
      const barred = bar();
      if (barred) keep(store.memory, 'bar', barred.item, 1);
    },
  };
};

/** `answersLost`: each transaction takes place, its answer is lost, and it meets its own items when it is sent again. */
const onDynamoDb = async (
  answersLost = false,
): Promise<Opened & { readonly deliveries: Deliveries }> => {
  const clock = realClock();
  const twin = openDynamoTwin({ file: ':memory:', clock });
  onTestFinished(() => twin.close());
  await ensureTables(async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  }, clock);
  const service = targetService((operation, body) => {
    const answer = twin.handle(operation, body);
    if (!answersLost || operation !== 'TransactWriteItems') return answer;
    return twin.handle(operation, { ...body, ClientRequestToken: crypto.randomUUID() });
  });
  const client = new DynamoDBClient({ ...transportFor('dynamodb', 'eu-west-3', { service }) });
  const tables = {
    Conversations: 'Conversations',
    Requests: 'Requests',
    Ledger: 'Ledger',
    Registry: 'Registry',
    Idempotency: 'Idempotency',
  };
  const parts = {
    client,
    tables,
    clock: { now: () => nowMs, pause: async () => undefined },
    minter: { suffix: suffixes(), fraction: () => 0.5 },
  };
  const mandates = mandatesFrom(parts);
  return {
    store: storeFrom(parts),
    deliveries: deliveriesFrom(parts),
    revoke: async () => {
      const mandate = standing();
      if (mandate) await mandates.putStanding(mandate, 0);
    },
    bar: async () => {
      const barred = bar();
      if (barred) await mandates.putBar(barred, 0);
    },
  };
};

storeConformance('In memory', inMemory);
storeConformance('On DynamoDB', () => onDynamoDb());
grantsConformance('In memory', inMemory);
grantsConformance('On DynamoDB', () => onDynamoDb());

test('On DynamoDB: a change whose answer was lost, and that then meets its own items, is done; a rival’s is none', async () => {
  const { store } = await onDynamoDb(true);
  const first = await store.createConversation(conversation());
  const change = (title: string) =>
    store.commit({
      conversation: first,
      conversationNext: { ...first.item, title },
      events: [],
      writes: [],
    });
  expect(await change('Ours')).toMatchObject({ kind: 'done' });
  expect(await change('A rival’s')).toEqual({ kind: 'conflict', on: 'conversation' });
  const { conversation: stored } = await store.read({ conversation: first.item.conversationId });
  expect(stored).toMatchObject({ rev: 2, item: { title: 'Ours' } });
});

test('On DynamoDB: a request that is decided is due for the sweep no more', async () => {
  const { store, deliveries } = await onDynamoDb();
  const first = await store.createConversation(conversation());
  const request = approvalWith();
  const put = { do: 'put', kind: 'request', item: request } as const;
  const asked = await store.commit({ conversation: first, events: [], writes: [put] });
  if (asked.kind !== 'done') throw new Error('The request was not stored.');
  const farMs = nowMs + 400 * 86_400_000;
  expect(await deliveries.due('request', farMs, 10)).toHaveLength(1);
  const item = { ...request, decision: { kind: 'voided', because: 'Over.' } } as const;
  const voided = { do: 'replace', kind: 'request', rev: 1, item } as const;
  await store.commit({ conversation: asked.conversation, events: [], writes: [voided] });
  const after = await deliveries.due('request', farMs, 10);
  expect(after).toEqual([]);
});
