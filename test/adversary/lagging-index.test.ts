// An index that lags behind its table: it still names what is gone, or what has moved to another list or to a later time. A page
// may then be short, nothing may be passed over, and nobody acts on the old place.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { deliveriesFrom } from '../../functions/adapters/dynamodb/deliveries.ts';
import { peopleFrom } from '../../functions/adapters/dynamodb/people.ts';
import { workspaceListsFrom } from '../../functions/adapters/dynamodb/workspace-lists.ts';
import { ActionId, DecisionId, RequestId } from '../../functions/core/base/ids.ts';
import type { ItemOf } from '../../functions/core/records/change.ts';
import { realClock } from '../../local/base/clock.ts';
import { outputOf } from '../../local/base/endpoints.ts';
import { targetService } from '../../local/base/wire.ts';
import { transportFor } from '../../local/calls/transport.ts';
import { ensureTables } from '../../local/deployment/tables.ts';
import { openDynamoTwin } from '../../local/dynamodb/index.ts';
import { putMany } from '../functions/api/lists/many.ts';
import { conversationId, idOf, runId } from './parts.ts';

const by = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const at = (minute: number): string => new Date(Date.UTC(2027, 0, 1, 0, minute)).toISOString();
const actionId = ActionId.parse(idOf('act', 1));

const request = (minute: number): ItemOf<'request'> => ({
  schema: 1,
  workspace: 'acme',
  requestId: RequestId.parse(idOf('req', minute)),
  conversationId,
  runId,
  actionId,
  openedAt: at(0),
  on: 'question',
  message: 'Which one?',
  form: { type: 'object', properties: { which: { type: 'string' } } },
  onExpiry: 'continue',
  decision: { kind: 'declined' },
  decidedAt: at(minute),
  decidedBy: by,
});

const decision = (minute: number): ItemOf<'decision'> => ({
  schema: 1,
  workspace: 'acme',
  actionId,
  decisionId: DecisionId.parse(idOf('dec', minute)),
  entry: minute,
  kind: 'abandon',
  reason: 'No.',
  by,
  at: at(minute),
  fence: 1,
  seenHead: 1,
});

const Asked = z.looseObject({
  TableName: z.string(),
  IndexName: z.string().optional(),
  Limit: z.number().optional(),
  ExpressionAttributeValues: z.record(z.string(), z.object({ S: z.string() }).loose()).optional(),
});
const Entries = z.looseObject({
  Items: z.array(z.looseObject({ listedAt: z.object({ S: z.string() }) })),
});
const Names = z.looseObject({ Items: z.array(z.unknown()) });

type Twin = ReturnType<typeof openDynamoTwin>;

/** The lists over tables of which queries are answered like this. */
const opened = async (answerTo: (twin: Twin) => Twin['handle']) => {
  const clock = realClock();
  const twin = openDynamoTwin({ file: ':memory:', clock });
  onTestFinished(() => twin.close());
  await ensureTables(async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  }, clock);
  const service = targetService(answerTo(twin));
  const client = new DynamoDBClient({ ...transportFor('dynamodb', 'eu-west-3', { service }) });
  const tables = {
    Conversations: 'Conversations',
    Requests: 'Requests',
    Ledger: 'Ledger',
    Registry: 'Registry',
    Idempotency: 'Idempotency',
  };
  const pause = async () => undefined;
  const parts = {
    client,
    tables,
    clock: { now: () => clock.now(), pause },
    minter: { suffix: () => 'x', fraction: () => 0 },
  };
  return {
    people: peopleFrom(parts),
    lists: workspaceListsFrom(parts),
    deliveries: deliveriesFrom(parts),
    handle: (operation: string, body: unknown) => twin.handle(operation, body),
  };
};

/** The index still names these places of a list's newest items, which are gone. */
const lagging = (table: 'Requests' | 'Ledger', listKey: string, ghosts: readonly string[]) =>
  opened((twin) => (operation, body) => {
    const answer = twin.handle(operation, body);
    const asked = Asked.safeParse(body).data;
    if (operation !== 'Query' || asked?.TableName !== table || asked.IndexName !== 'listed')
      return answer;
    const { Items } = Entries.parse(answer.body);
    const cursor = asked.ExpressionAttributeValues?.[':value']?.S ?? '~';
    const gone = ghosts
      .filter((place) => place < cursor)
      .map((place) => ({
        pk: { S: `gone ${place}` },
        sk: { S: 'META' },
        listKey: { S: listKey },
        listedAt: { S: place },
      }));
    const all = [...gone, ...Items].toSorted((a, b) => (a.listedAt.S < b.listedAt.S ? 1 : -1));
    const page = all.slice(0, asked.Limit);
    const more = all.length > page.length || 'LastEvaluatedKey' in Object(answer.body);
    return {
      status: 200,
      body: { Items: page, Count: page.length, ...(more ? { LastEvaluatedKey: page.at(-1) } : {}) },
    };
  });

test.each(['Requests', 'Ledger'] as const)(
  'the audit passes over no entry while the index of %s names what is gone',
  async (table) => {
    const ghosts = Array.from({ length: 5 }, (_, one) => `${at(50)}#gone${one}`);
    const { people, handle } = await lagging(table, 'AUD#acme', ghosts);
    const requests = [41, 43, 45].map(request);
    const decisions = [10, 20, 30, 42, 44].map(decision);
    putMany(handle, 'request', requests);
    putMany(handle, 'decision', decisions);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await people.decided('acme', 2, cursor);
      found.push(
        ...page.items.map(({ item }) =>
          'requestId' in item ? item.requestId : 'decisionId' in item ? item.decisionId : '',
        ),
      );
      cursor = page.next;
    } while (cursor !== undefined);
    const ids = [
      ...requests.map((one) => one.requestId),
      ...decisions.map((one) => one.decisionId),
    ];
    expect(found.toSorted()).toEqual(ids.toSorted());
  },
);

test('a list goes on beyond a page of which nothing is there any more', async () => {
  const ghosts = Array.from({ length: 5 }, (_, one) => `${at(50)}#gone${one}`);
  const { lists, handle } = await lagging('Requests', 'AUD#acme', ghosts);
  putMany(handle, 'request', [1, 2, 3].map(request));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await lists.closedRequests('acme', { limit: 2, cursor });
    found.push(...page.items.map(({ requestId }) => requestId));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(found).toEqual([3, 2, 1].map((minute) => idOf('req', minute)));
});

/** The index answers every query as it did when it first named something. */
const stale = async () => {
  const kept = new Map<string, ReturnType<Twin['handle']>>();
  return opened((twin) => (operation, body) => {
    const asked = Asked.safeParse(body).data;
    const answer = twin.handle(operation, body);
    if (operation !== 'Query' || asked?.IndexName === undefined) return answer;
    const query = JSON.stringify(asked);
    const first = kept.get(query) ?? answer;
    if (Names.parse(first.body).Items.length > 0) kept.set(query, first);
    return first;
  });
};

const open = ({ decision: _none, decidedAt: _at, decidedBy: _by, ...rest }: ItemOf<'request'>) =>
  ({ ...rest, expiresAtMs: Date.parse(at(100)) }) as ItemOf<'request'>;

test('a request that was decided meanwhile is not shown as open, though the index still names it', async () => {
  const { lists, handle } = await stale();
  const ids = async () =>
    (await lists.openRequests('acme', { limit: 10 })).items.map(({ requestId }) => requestId);
  putMany(handle, 'request', [1, 2].map(request).map(open));
  expect(await ids()).toHaveLength(2);
  putMany(handle, 'request', [request(1)]);
  expect(await ids()).toEqual([idOf('req', 2)]);
});

test('what is due later by now is not taken up, though the index still names it as due', async () => {
  const { deliveries, handle } = await stale();
  const due = async () =>
    (await deliveries.due('request', Date.parse(at(200)), 100)).map(({ requestId }) => requestId);
  putMany(handle, 'request', [1, 2].map(request).map(open));
  expect((await due()).toSorted()).toEqual([1, 2].map((number) => idOf('req', number)));
  putMany(handle, 'request', [{ ...open(request(1)), expiresAtMs: Date.parse(at(10_000)) }]);
  expect(await due()).toEqual([idOf('req', 2)]);
});
