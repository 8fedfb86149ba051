// Run by crash.test.ts as a process of its own, to be killed: writes transactions without end and
// says which are done.
// Arguments: the store's file, the number of the first transaction.

import { writeSync } from 'node:fs';
import { realClock } from '../../../local/base/clock.ts';
import { openDynamoTwin } from '../../../local/dynamodb/index.ts';

const [, , file = '', first = '0'] = process.argv;
const twin = openDynamoTwin({ file, clock: realClock() });

/** Transaction n: a new item in each table, a counter that becomes n, the item of n - 5 away. */
const transaction = (n: number) => ({
  TransactItems: [
    {
      Put: {
        TableName: 'Things',
        Item: {
          pk: { S: `item${n}` },
          sk: { S: 'x' },
          grp: { S: `g${n % 3}` },
          rank: { N: String(n) },
          text: { S: 'x'.repeat((n * 397) % 9000) },
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    {
      Put: {
        TableName: 'Others',
        Item: { pk: { S: `item${n}` }, sk: { S: 'x' }, grp: { S: 'o' } },
      },
    },
    {
      Update: {
        TableName: 'Things',
        Key: { pk: { S: 'counter' }, sk: { S: 'x' } },
        UpdateExpression: 'SET n = :n',
        ConditionExpression: 'attribute_not_exists(n) OR n = :before',
        ExpressionAttributeValues: { ':n': { N: String(n) }, ':before': { N: String(n - 1) } },
      },
    },
    { Delete: { TableName: 'Things', Key: { pk: { S: `item${n - 5}` }, sk: { S: 'x' } } } },
  ],
});

for (let n = Number(first); ; n += 1) {
  const answer = twin.handle('TransactWriteItems', transaction(n));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  writeSync(1, `${n}\n`);
}
