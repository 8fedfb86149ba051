// The shortcut between a client and the twin's DynamoDB: the same answers as over the protocol, and no call for a dead invocation.
import {
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { dynamoClientFrom } from '../../functions/wiring/store.ts';
import type { Substrate } from '../../functions/wiring/substrate.ts';
import { handling, testFunction, twinForTest } from './twin-for-tests.ts';

const TableName = 'Conversations';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const withoutShortcut = (substrate: Substrate): Substrate => ({
  ...substrate,
  aws: (service) => {
    const { plugin: _shortcut, ...settings } = substrate.aws(service);
    return settings;
  },
});

it('answers as the protocol does, bytes included', async () => {
  const twin = await twinForTest();
  const substrate = twin.substrate('admit');
  const short = dynamoClientFrom(substrate);
  const long = dynamoClientFrom(withoutShortcut(substrate));
  const plain = { ...key('plain'), list: { L: [{ N: '1' }, { M: { a: { SS: ['b', 'c'] } } }] } };
  const binary = { ...key('binary'), raw: { B: new Uint8Array([1, 2, 255]) }, B: { S: 'name' } };
  for (const Item of [plain, binary]) await short.send(new PutItemCommand({ TableName, Item }));
  for (const pk of ['plain', 'binary', 'none']) {
    const get = { TableName, Key: key(pk), ConsistentRead: true };
    const { $metadata: _one, ...answer } = await short.send(new GetItemCommand(get));
    const { $metadata: _other, ...usual } = await long.send(new GetItemCommand(get));
    expect(answer).toEqual(usual);
  }
  const changed = await short.send(
    new UpdateItemCommand({
      TableName,
      Key: key('binary'),
      UpdateExpression: 'SET seen = :yes',
      ExpressionAttributeValues: { ':yes': { BOOL: true } },
      ReturnValues: 'ALL_NEW',
    }),
  );
  expect(changed.Attributes?.raw?.B).toEqual(new Uint8Array([1, 2, 255]));
});

it('tells a refusal by the exception of the SDK, with its reasons', async () => {
  const twin = await twinForTest();
  const client = dynamoClientFrom(twin.substrate('admit'));
  const Put = {
    TableName,
    Item: key('one'),
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const once = () => client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
  await once();
  const refusal = await once().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TransactionCanceledException);
  expect(refusal).toMatchObject({
    CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: key('one') }],
  });
});

it('lets one of many simultaneous writers win, and keeps the others whole', async () => {
  const twin = await twinForTest();
  const client = dynamoClientFrom(twin.substrate('admit'));
  const take = (n: number) =>
    client
      .send(
        new PutItemCommand({
          TableName,
          Item: { ...key('lock'), owner: { N: String(n) } },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      )
      .then(
        () => 'won',
        (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
      );
  const other = client.send(new PutItemCommand({ TableName, Item: key('other') }));
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => take(n)));
  await other;
  expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['won', 'ConditionalCheckFailedException']));
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: key('other') }));
  expect(Item).toEqual(key('other'));
});

it('makes no call for an invocation whose time is over', async () => {
  const late = Promise.withResolvers<unknown>();
  const twin = await twinForTest({
    functions: { slow: testFunction({ timeoutMs: 50 }) },
    handlers: {
      slow: handling(async (_event, _context, substrate) => {
        const client = dynamoClientFrom(substrate);
        while (substrate.open()) await new Promise<void>((done) => setImmediate(done));
        client
          .send(new PutItemCommand({ TableName, Item: key('late') }))
          .then(late.resolve, late.resolve);
        return late.promise;
      }),
    },
  });
  expect(await twin.invoke('slow', {})).toMatchObject({ functionError: 'Unhandled' });
  expect(await late.promise).toMatchObject({ name: 'InvocationOver' });
  const found = twin.dynamo.handle('GetItem', { TableName, Key: key('late') });
  expect(found.body).not.toHaveProperty('Item');
});
