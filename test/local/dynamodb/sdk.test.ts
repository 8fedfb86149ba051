// AWS's own client on the twin, through a request handler instead of a network.

import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceNotFoundException,
  TransactionCanceledException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import { openTwin, things } from './twin.ts';

const clientOf = (twin: DynamoTwin): DynamoDBDocumentClient => {
  const requestHandler = {
    handle: async (request: { headers: Record<string, string>; body?: Uint8Array }) => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      const { status, body } = twin.handle(
        operation,
        JSON.parse(new TextDecoder().decode(request.body)),
      );
      return {
        response: {
          statusCode: status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: new TextEncoder().encode(JSON.stringify(body)),
        },
      };
    },
  };
  const client = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: 'http://twin.invalid',
    credentials: { accessKeyId: 'twin', secretAccessKey: 'twin' },
    requestHandler,
    maxAttempts: 1,
  });
  return DynamoDBDocumentClient.from(client);
};

const TableName = 'Things';

it('serves the AWS SDK: items, conditions, transactions, pages', async () => {
  const { twin } = openTwin();
  const client = clientOf(twin);
  await client.send(new CreateTableCommand(things as CreateTableCommandInput));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  const Item = {
    pk: 'p',
    sk: '1',
    bytes: Uint8Array.of(0, 255),
    set: new Set(['a']),
    deep: { list: [1, null, true] },
  };
  await client.send(new PutCommand({ TableName, Item }));
  const read = await client.send(new GetCommand({ TableName, Key: { pk: 'p', sk: '1' } }));
  expect(read.Item).toEqual(Item);
  const failing = new UpdateCommand({
    TableName,
    Key: { pk: 'p', sk: '1' },
    UpdateExpression: 'SET a = :v',
    ConditionExpression: 'attribute_exists(a)',
    ExpressionAttributeValues: { ':v': 1 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const failed = await client.send(failing).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConditionalCheckFailedException);
  expect(failed).toMatchObject({
    message: 'The conditional request failed',
    Item: { pk: { S: 'p' } },
  });
  const absent = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
  const twice = new TransactWriteCommand({
    TransactItems: [
      { Put: { ...absent, Item: { pk: 'p', sk: '2' } } },
      { Put: { ...absent, Item: { pk: 'p', sk: '1' } } },
    ],
  });
  const cancelled = await client.send(twice).catch((error: unknown) => error);
  expect(cancelled).toBeInstanceOf(TransactionCanceledException);
  expect(cancelled).toMatchObject({
    message: expect.stringContaining('[None, ConditionalCheckFailed]'),
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
  });
  await client.send(new PutCommand({ TableName, Item: { pk: 'p', sk: '3' } }));
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': 'p' },
  };
  const found: unknown[] = [];
  for await (const page of paginateQuery({ client, pageSize: 1 }, query))
    found.push(...(page.Items ?? []).map((item) => item.sk));
  expect(found).toEqual(['1', '3']);
  const nowhere = new GetCommand({ TableName: 'Nowhere', Key: { pk: 'p' } });
  await expect(client.send(nowhere)).rejects.toBeInstanceOf(ResourceNotFoundException);
});
