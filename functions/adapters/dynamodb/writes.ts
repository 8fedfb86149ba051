// Turns the writes and guards of a change into the operations of one TransactWriteItems call.
// Owns: the condition of every write. Laws: L3 (an attempt is put once), L7 (guards), L20 (the marker).
// Tested in test/functions/store.test.ts.
import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { ItemKind, ItemOf, MarkerWrite, Write } from '../../core/records/change.ts';
import { attributesOf, keyAttributes, keyFor } from './codec.ts';
import { guardOperation } from './guards.ts';
import { keys } from './keys.ts';
import type { Operation, TableNames } from './operation.ts';
import { revisionOperations } from './registry.ts';

const returnOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const put = <Kind extends ItemKind>(
  tables: TableNames,
  kind: Kind,
  item: ItemOf<Kind>,
  change: string,
): Operation => {
  const key = keyFor(kind, item);
  return {
    on: { conflict: kind },
    operation: {
      Put: {
        TableName: tables[key.table],
        Item: { ...keyAttributes(key), ...attributesOf(kind, item, 1, change) },
        ConditionExpression: 'attribute_not_exists(pk)',
        ...returnOld,
      },
    },
  };
};

/** A request keeps the attributes that the run machine put on it (the task token), so it is updated in place. */
const updateRequest = (
  tables: TableNames,
  item: ItemOf<'request'>,
  rev: number,
  change: string,
): Operation => {
  const key = keyFor('request', item);
  const attributes = attributesOf('request', item, rev + 1, change);
  const gone = ['listKey', 'listedAt', 'dueShard', 'dueAt'].filter((name) => !(name in attributes));
  const names = Object.keys(attributes);
  return {
    on: { conflict: 'request' },
    operation: {
      Update: {
        TableName: tables[key.table],
        Key: keyAttributes(key),
        ConditionExpression: '#rev = :was',
        UpdateExpression:
          `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}` +
          (gone.length > 0 ? ` REMOVE ${gone.map((name) => `#${name}`).join(', ')}` : ''),
        ExpressionAttributeNames: Object.fromEntries(
          [...names, ...gone].map((name) => [`#${name}`, name]),
        ),
        ExpressionAttributeValues: {
          ':was': { N: String(rev) },
          ...Object.fromEntries(
            names.map((name) => [`:${name}`, attributes[name] ?? { NULL: true }]),
          ),
        },
        ...returnOld,
      },
    },
  };
};

export const replace = <Kind extends ItemKind>(
  tables: TableNames,
  kind: Kind,
  item: ItemOf<Kind>,
  rev: number,
  change: string,
): Operation => {
  const key = keyFor(kind, item);
  return {
    on: { conflict: kind },
    operation: {
      Put: {
        TableName: tables[key.table],
        Item: { ...keyAttributes(key), ...attributesOf(kind, item, rev + 1, change) },
        ConditionExpression: '#rev = :was',
        ExpressionAttributeNames: { '#rev': 'rev' },
        ExpressionAttributeValues: { ':was': { N: String(rev) } },
        ...returnOld,
      },
    },
  };
};

const marker = (tables: TableNames, write: MarkerWrite, change: string): Operation => {
  const me = { SS: [write.actionId] };
  switch (write.do) {
    case 'mark-run-likeness': {
      const key = keys.runLikeness(write.runId, write.likeDigest);
      return {
        on: { conflict: 'run-likeness' },
        operation: {
          Put: {
            TableName: tables[key.table],
            Item: { ...keyAttributes(key), actionId: { S: write.actionId } },
          },
        },
      };
    }
    case 'hold-likeness': {
      const key = keys.likeness(write.workspace, write.likeDigest);
      const approved =
        write.approvedRev === undefined ? {} : { ':approved': { S: write.approvedRev } };
      return {
        on: { guard: 'likeness' },
        operation: {
          Update: {
            TableName: tables[key.table],
            Key: keyAttributes(key),
            // A repeat of the same action holds the marker already, perhaps with one whose approval showed both: no look-alike.
            ConditionExpression:
              // A reissue needs more than an empty one: its approval showed the original as unknown, and that has changed since.
              `attribute_not_exists(${write.instead ? 'rev' : 'holders'}) OR contains(holders, :self)` +
              (write.approvedRev === undefined ? '' : ' OR rev = :approved'),
            // ADD and SET of one attribute exclude each other: a reissue sets the whole list that its approval showed.
            UpdateExpression: write.instead
              ? 'SET rev = :rev, holders = :holders'
              : 'SET rev = :rev ADD holders :me',
            ExpressionAttributeValues: {
              ':self': { S: write.actionId },
              ':rev': { S: change },
              ...approved,
              ...(write.instead
                ? { ':holders': { SS: [...write.instead.holders] } }
                : { ':me': me }),
            },
          },
        },
      };
    }
    case 'release-likeness': {
      const key = keys.likeness(write.workspace, write.likeDigest);
      return {
        on: { conflict: 'likeness' },
        operation: {
          Update: {
            TableName: tables[key.table],
            Key: keyAttributes(key),
            UpdateExpression: 'SET rev = :rev DELETE holders :me',
            ExpressionAttributeValues: { ':me': me, ':rev': { S: change } },
          },
        },
      };
    }
  }
};

const putWrite = (tables: TableNames, write: Extract<Write, { do: 'put' }>, change: string) =>
  put(tables, write.kind, write.item, change);

export const operationsFor = (tables: TableNames, write: Write, change: string): Operation[] => {
  switch (write.do) {
    case 'put':
      return [putWrite(tables, write, change)];
    case 'replace':
      return write.kind === 'request'
        ? [updateRequest(tables, write.item, write.rev, change)]
        : [replace(tables, write.kind, write.item, write.rev, change)];
    case 'guard':
      return [guardOperation(tables, write)];
    case 'hold-likeness':
    case 'release-likeness':
    case 'mark-run-likeness':
      return [marker(tables, write, change)];
    case 'revise-agent':
      return revisionOperations(tables, write.item, change).map((operation) => ({
        on: { conflict: 'agent' },
        operation,
      }));
  }
};

/** A failed condition that our own earlier, unanswered send fulfilled is no failure: the items carry our change's name. */
export const wroteItAlready = (error: TransactionCanceledException, change: string): boolean =>
  (error.CancellationReasons ?? []).some((reason) => reason.Item?.change?.S === change);

export { put as putOperation };
