// The operations on single items, on ranges and on batches: Get, Put, Update, Delete, Query, Scan,
// BatchGet, BatchWrite.
// Owns: the answers of these operations. A batch is one commit here, though callers must not count
// on it.

import { invalid } from './answers.ts';
import {
  actions,
  type DynaliteStore,
  runAction,
  type ValidatedOperation,
  validated,
} from './dynalite.ts';
import {
  type Change,
  type Evaluator,
  tableOf,
  tableStore,
  type WriteAction,
} from './evaluation.ts';
import { queryPage, readItem } from './reads.ts';
import { type CapacityWish, capacity, wantsCapacity } from './sizes.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';
import type { Body, Item, RequestData } from './values.ts';
import type { Writer } from './writes.ts';

export type Operation = (body: Body) => Body;

export interface Engine {
  readonly storage: Storage;
  readonly tables: Tables;
  readonly evaluator: Evaluator;
  readonly writer: Writer;
}

const request = (operation: ValidatedOperation, body: Body): RequestData =>
  validated(operation, body) as Body & RequestData;

const oldItemChoices = new Set(['ALL_OLD', 'NONE']);

/** Did the caller ask for the old item when the condition fails? */
export const wantsOldItem = (body: Body): boolean => {
  const choice = body.ReturnValuesOnConditionCheckFailure;
  if (choice === undefined || choice === null) return false;
  if (typeof choice !== 'string' || !oldItemChoices.has(choice))
    throw invalid(
      `1 validation error detected: Value '${choice}' at 'returnValuesOnConditionCheckFailure' failed to satisfy ` +
        'constraint: Member must satisfy enum value set: [ALL_OLD, NONE]',
    );
  return choice === 'ALL_OLD';
};

const write =
  ({ evaluator, writer }: Engine, action: WriteAction): Operation =>
  (body) => {
    const returnOld = wantsOldItem(body);
    const { answer, change } = evaluator.evaluate(action, request(action, body), returnOld);
    if (change) writer.commit([change]);
    return answer;
  };

const getItem =
  ({ storage, tables }: Engine): Operation =>
  (body) => {
    const data = request('getItem', body);
    const found = readItem(storage, tableOf(tables, data.TableName), data);
    return {
      ...(found.item ? { Item: found.item } : {}),
      ...(found.capacity ? { ConsumedCapacity: found.capacity } : {}),
    };
  };

/** Refusals of AWS that dynalite does not know. */
const checkRange = (data: RequestData): void => {
  const { Select, ProjectionExpression, AttributesToGet } = data;
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && data.IndexName === undefined)
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  const shows = ProjectionExpression !== undefined || AttributesToGet !== undefined;
  if (Select === 'SPECIFIC_ATTRIBUTES' && !shows)
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (Select === 'COUNT' && ProjectionExpression !== undefined)
    throw invalid('Cannot specify the ProjectionExpression when choosing to get only the Count');
  for (const [name, { AttributeValueList = [] }] of Object.entries(data.KeyConditions ?? {}))
    for (const { S, B } of AttributeValueList)
      if (S === '' || B === '')
        throw invalid(
          'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
            `${S === '' ? 'string' : 'binary'} value. Key: ${name}`,
        );
};

const range = ({ storage, tables }: Engine, operation: 'query' | 'scan'): Operation => {
  const store: DynaliteStore = {
    ...tableStore(tables.find),
    page: (data, options, startKeyNames) =>
      queryPage(storage, tableOf(tables, data.TableName), data, options, startKeyNames),
  };
  return (body) => {
    const data = request(operation, body);
    checkRange(data);
    return runAction(actions[operation], store, data);
  };
};

/** The part of a batch that says whether to report capacity, for each of its requests. */
const askedCapacity = (data: CapacityWish): CapacityWish =>
  data.ReturnConsumedCapacity === undefined
    ? {}
    : { ReturnConsumedCapacity: data.ReturnConsumedCapacity };

const answerBytesMax = 16 * 1024 * 1024;

interface BatchGetTable extends Omit<RequestData, 'TableName'> {
  readonly Keys: readonly Item[];
}

/** Without what dynalite's parsers added: the request, as it can be sent again. */
const resendable = (tableName: string, body: Body): Body => {
  const items = body.RequestItems as Readonly<Record<string, Body>>;
  return { ...items[tableName] };
};

const batchGet =
  ({ storage, tables }: Engine): Operation =>
  (body) => {
    const data = validated('batchGetItem', body);
    const asked = Object.entries(data.RequestItems as Readonly<Record<string, BatchGetTable>>);
    const responses: Record<string, Item[]> = {};
    const unprocessed: Body = {};
    const consumed: Body[] = [];
    let bytes = 0;
    for (const [name, part] of asked) {
      const table = tableOf(tables, name);
      const items: Item[] = [];
      const later: Item[] = [];
      let units = 0;
      for (const Key of part.Keys) {
        const found = readItem(storage, table, {
          ...part,
          ...askedCapacity(data),
          TableName: name,
          Key,
        });
        units += (found.capacity as { CapacityUnits: number } | undefined)?.CapacityUnits ?? 0;
        if (bytes + found.bytes > answerBytesMax) later.push(Key);
        else if (found.item) items.push(found.item);
        bytes += found.bytes;
      }
      responses[name] = items;
      if (later.length > 0) unprocessed[name] = { ...resendable(name, body), Keys: later };
      if (wantsCapacity(data)) consumed.push(capacity(data, name, units));
    }
    return {
      Responses: responses,
      UnprocessedKeys: unprocessed,
      ...(wantsCapacity(data) ? { ConsumedCapacity: consumed } : {}),
    };
  };

interface BatchWriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** AWS words a key that does not fit its table differently for puts in a batch. */
const batchPart = <T>(evaluate: () => T): T => {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof Error && keyMismatch.test(error.message))
      throw invalid('The provided key element does not match the schema');
    throw error;
  }
};

const keyMismatch = /Missing the key|Type mismatch for key/;

const batchWrite =
  ({ evaluator, writer }: Engine): Operation =>
  (body) => {
    const data = validated('batchWriteItem', body);
    const asked = Object.entries(
      data.RequestItems as Readonly<Record<string, readonly BatchWriteRequest[]>>,
    );
    const changes: Change[] = [];
    const seen = new Set<string>();
    const units = new Map<string, number>();
    for (const [TableName, requests] of asked) {
      for (const { PutRequest, DeleteRequest } of requests) {
        const base = { ...askedCapacity(data), TableName };
        const { answer, change } = PutRequest
          ? batchPart(() =>
              evaluator.evaluate('putItem', { ...base, Item: PutRequest.Item }, false),
            )
          : evaluator.evaluate('deleteItem', { ...base, Key: DeleteRequest?.Key ?? {} }, false);
        const spent = answer.ConsumedCapacity as { CapacityUnits: number } | undefined;
        units.set(TableName, (units.get(TableName) ?? 0) + (spent?.CapacityUnits ?? 0));
        if (!change) continue;
        const id = `${change.table.id}/${change.key}`;
        if (seen.has(id)) throw invalid('Provided list of item keys contains duplicates');
        seen.add(id);
        changes.push(change);
      }
    }
    writer.commit(changes);
    const consumed = [...units].map(([name, spent]) => capacity(data, name, spent));
    return { UnprocessedItems: {}, ...(wantsCapacity(data) ? { ConsumedCapacity: consumed } : {}) };
  };

/** The operations on items, by their AWS names. */
export const itemOperations = (engine: Engine): Readonly<Record<string, Operation>> => ({
  GetItem: getItem(engine),
  PutItem: write(engine, 'putItem'),
  UpdateItem: write(engine, 'updateItem'),
  DeleteItem: write(engine, 'deleteItem'),
  Query: range(engine, 'query'),
  Scan: range(engine, 'scan'),
  BatchGetItem: batchGet(engine),
  BatchWriteItem: batchWrite(engine),
});
