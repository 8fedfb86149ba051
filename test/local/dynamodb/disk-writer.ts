// Run by disk.test.ts as a process of its own, under a limit of file sizes: fills the store, then
// tries on. Prints what happened as JSON. Argument: the store's file.

import { writeSync } from 'node:fs';
import { realClock } from '../../../local/base/clock.ts';
import { openDynamoTwin } from '../../../local/dynamodb/index.ts';

const twin = openDynamoTwin({ file: process.argv[2] ?? '', clock: realClock() });
const TableName = 'Things';
const item = (pk: string, size: number) => ({
  pk: { S: pk },
  sk: { S: 'x' },
  grp: { S: 'g' },
  rank: { N: '1' },
  text: { S: 'x'.repeat(size) },
});
const pair = (n: number, size: number) => ({
  TransactItems: ['a', 'b'].map((half) => ({
    Put: { TableName, Item: item(`${half}${n}`, size) },
  })),
});

let written = 0;
let failure = twin.handle('ListTables', {});
while (failure.status === 200) {
  failure = twin.handle('TransactWriteItems', pair(written, 300_000));
  if (failure.status === 200) written += 1;
}
const again = twin.handle('TransactWriteItems', pair(written, 300_000));
const read = twin.handle('GetItem', { TableName, Key: { pk: { S: 'a0' }, sk: { S: 'x' } } });
const small = twin.handle('PutItem', { TableName, Item: item('small', 10) });
const together = await Promise.all([
  twin.take('PutItem', { TableName, Item: item('first', 10) }),
  twin.take('TransactWriteItems', pair(written, 300_000)),
  twin.take('PutItem', { TableName, Item: item('second', 10) }),
]);
twin.close();
writeSync(
  1,
  JSON.stringify({
    written,
    failure,
    again: again.status,
    read: read.status,
    small: small.status,
    together: together.map(({ status }) => status),
  }),
);
