// TransactWriteItems and TransactGetItems: all or nothing, with a reason for each item when
// nothing.
// Owns: cancellation reasons and request tokens (10 minutes). All conditions are evaluated first,
// then one commit writes all items, their index entries, their stream records and the token.

import { hash } from 'node:crypto';
import type { TwinClock } from '../base/clock.ts';
import { invalid, Refusal, refusalBody } from './answers.ts';
import { helpers, validated } from './dynalite.ts';
import { type Change, tableOf, type WriteAction } from './evaluation.ts';
import { type Engine, type Operation, wantsOldItem } from './items.ts';
import { itemKey } from './keys.ts';
import { readItem } from './reads.ts';
import {
  type CapacityWish,
  capacity,
  itemBytes,
  readUnits,
  wantsCapacity,
  writeUnits,
} from './sizes.ts';
import type { Tables } from './tables.ts';
import { type Body, isObject, type RequestData } from './values.ts';

const itemsMax = 100;
const bytesMax = 4 * 1024 * 1024;
/** How long a token answers for its request. */
export const tokenMs = 10 * 60 * 1000;

type Part =
  | {
      readonly kind: 'write';
      readonly action: WriteAction;
      readonly data: RequestData;
      readonly returnOld: boolean;
    }
  | { readonly kind: 'check'; readonly data: RequestData; readonly returnOld: boolean };

const kinds: Readonly<Record<string, WriteAction>> = {
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
  ConditionCheck: 'deleteItem',
};

const members = (body: Body): Body[] => {
  const list = body.TransactItems;
  const failed = (value: string, problem: string): Refusal =>
    invalid(
      `1 validation error detected: Value ${value} at 'transactItems' failed to satisfy constraint: Member must ${problem}`,
    );
  if (list === undefined || list === null) throw failed('null', 'not be null');
  if (!Array.isArray(list)) throw new Refusal('SerializationException', 'Unexpected field type');
  if (list.length === 0) throw failed("'[]'", 'have length greater than or equal to 1');
  if (list.length > itemsMax)
    throw failed(`of ${list.length} members`, `have length less than or equal to ${itemsMax}`);
  return list.map((member: unknown) => {
    if (!isObject(member))
      throw new Refusal('SerializationException', 'Unexpected value type in payload');
    return member;
  });
};

/** The one request inside a member, e.g. `{ Put: {…} }`. */
const onlyRequest = (member: Body, known: readonly string[]): readonly [string, Body] => {
  const present = known.filter((name) => member[name] !== undefined && member[name] !== null);
  const [kind] = present;
  const request = kind === undefined ? undefined : member[kind];
  if (kind === undefined || present.length > 1)
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  if (!isObject(request))
    throw new Refusal('SerializationException', 'Unexpected value type in payload');
  return [kind, request];
};

/** The expression each kind cannot do without. */
const neededExpressions: Readonly<Record<string, string>> = {
  Update: 'UpdateExpression',
  ConditionCheck: 'ConditionExpression',
};

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const writePart = (member: Body, at: number): Part => {
  const [kind, request] = onlyRequest(member, Object.keys(kinds));
  const needed = neededExpressions[kind];
  if (needed !== undefined && (request[needed] === undefined || request[needed] === null))
    throw invalid(
      `1 validation error detected: Value null at 'transactItems.${at + 1}.member.${lowerFirst(kind)}.` +
        `${lowerFirst(needed)}' failed to satisfy constraint: Member must not be null`,
    );
  const action = kinds[kind] ?? 'putItem';
  const data = validated(action, request) as Body & RequestData;
  const returnOld = wantsOldItem(request);
  return kind === 'ConditionCheck'
    ? { kind: 'check', data, returnOld }
    : { kind: 'write', action, data, returnOld };
};

type Reason =
  | { readonly Code: 'None' }
  | { readonly Code: string; readonly Message: string; readonly Item?: unknown };

/** The reason for one item; errors that are no refusal (a failing disk) end the call instead. */
const reasonFor = (error: unknown): Reason => {
  const body = refusalBody(error);
  if (body === undefined) throw error;
  const name = String(body.__type).split('#').at(-1) ?? '';
  const message = String(body.message);
  if (name === 'ConditionalCheckFailedException')
    return {
      Code: 'ConditionalCheckFailed',
      Message: message,
      ...(body.Item === undefined ? {} : { Item: body.Item }),
    };
  if (name === 'ValidationException') return { Code: 'ValidationError', Message: message };
  throw error;
};

const cancelled = (reasons: readonly Reason[]): Refusal => {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  // AWS spells this one with a capital.
  return new Refusal('TransactionCanceledException', message, {
    Message: message,
    CancellationReasons: reasons,
  });
};

/**
 * Refuses two operations on one item. Keys that do not fit their table are left to the evaluation.
 */
const checkDistinct = (tables: Tables, parts: readonly { readonly data: RequestData }[]): void => {
  const seen = new Set<string>();
  for (const { data } of parts) {
    const table = tableOf(tables, data.TableName);
    const fits = data.Item
      ? helpers.validateItem(data.Item, table.shape)
      : helpers.validateKey(data.Key ?? {}, table.shape);
    if (fits) continue;
    const id = `${table.id}/${itemKey(data.Item ?? data.Key ?? {}, table.shape)}`;
    if (seen.has(id))
      throw invalid('Transaction request cannot include multiple operations on one item');
    seen.add(id);
  }
};

interface Evaluation {
  readonly changes: Change[];
  readonly bytes: number;
  readonly units: ReadonlyMap<string, number>;
}

const largest = ({ before, after }: Change): number =>
  Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0);

/** Evaluates every part, then throws the cancellation if one failed. */
const evaluateAll = ({ evaluator }: Engine, parts: readonly Part[]): Evaluation => {
  const changes: Change[] = [];
  const units = new Map<string, number>();
  const reasons: Reason[] = [];
  let bytes = 0;
  const evaluate = (part: Part): number => {
    if (part.kind === 'check') return evaluator.check(part.data, part.returnOld);
    const { change } = evaluator.evaluate(part.action, part.data, part.returnOld);
    if (change === undefined) return 0;
    changes.push(change);
    return largest(change);
  };
  for (const part of parts) {
    try {
      const size = evaluate(part);
      const { TableName } = part.data;
      bytes += size;
      units.set(TableName, (units.get(TableName) ?? 0) + 2 * writeUnits(size));
      reasons.push({ Code: 'None' });
    } catch (error) {
      reasons.push(reasonFor(error));
    }
  }
  if (reasons.some((reason) => reason.Code !== 'None')) throw cancelled(reasons);
  return { changes, bytes, units };
};

const consumedOf = (
  wish: CapacityWish,
  units: ReadonlyMap<string, number>,
  unit: 'ReadCapacityUnits' | 'WriteCapacityUnits',
): Body => {
  if (!wantsCapacity(wish)) return {};
  const consumed = [...units].map(([name, spent]) => ({
    ...capacity(wish, name, spent),
    [unit]: spent,
  }));
  return { ConsumedCapacity: consumed };
};

const tokenOf = (body: Body): string | undefined => {
  const { ClientRequestToken: token } = body;
  if (token === undefined || token === null) return undefined;
  if (typeof token !== 'string' || token.length < 1 || token.length > 36)
    throw invalid(
      `1 validation error detected: Value '${String(token)}' at 'clientRequestToken' failed to satisfy constraint: ` +
        'Member must have length less than or equal to 36',
    );
  return token;
};

/** Remembers, in the transaction's own commit, which request a token stood for. */
const tokens = ({ storage }: Engine, clock: TwinClock) => ({
  /** True when the same request was done under this token; throws when another one was. */
  isRepeat: (token: string, digest: string): boolean => {
    const row = storage.sql.getToken.get(token);
    if (row === undefined || Number(row.at) <= clock.now() - tokenMs) return false;
    if (row.digest === digest) return true;
    throw new Refusal(
      'IdempotentParameterMismatchException',
      'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token ' +
        'with different requests, unless the requests are identical',
    );
  },
  keep: (token: string, digest: string): void => {
    storage.sql.putToken.run(token, digest, clock.now());
  },
});

const transactWrite = (engine: Engine, clock: TwinClock): Operation => {
  const kept = tokens(engine, clock);
  return (body) => {
    const wish = body as CapacityWish;
    const token = tokenOf(body);
    const digest = token === undefined ? '' : hash('sha256', JSON.stringify(body.TransactItems));
    const parts = members(body).map(writePart);
    if (token !== undefined && kept.isRepeat(token, digest)) return {};
    checkDistinct(engine.tables, parts);
    const { changes, bytes, units } = evaluateAll(engine, parts);
    if (bytes > bytesMax) throw invalid('Transaction request size exceeded the limit of 4 MB');
    engine.writer.commit(changes, () => {
      if (token !== undefined) kept.keep(token, digest);
    });
    return consumedOf(wish, units, 'WriteCapacityUnits');
  };
};

const transactGet =
  ({ storage, tables }: Engine): Operation =>
  (body) => {
    const wish = body as CapacityWish;
    const parts = members(body).map((member) => {
      const [, request] = onlyRequest(member, ['Get']);
      return validated('getItem', { ...request, ConsistentRead: true }) as Body & RequestData;
    });
    checkDistinct(
      tables,
      parts.map((data) => ({ data })),
    );
    const units = new Map<string, number>();
    const responses = parts.map((data) => {
      const { item, bytes } = readItem(storage, tableOf(tables, data.TableName), data);
      units.set(data.TableName, (units.get(data.TableName) ?? 0) + 2 * readUnits(bytes, true));
      return item ? { Item: item } : {};
    });
    return { Responses: responses, ...consumedOf(wish, units, 'ReadCapacityUnits') };
  };

/** The transactional operations, by their AWS names. */
export const transactionOperations = (
  engine: Engine,
  clock: TwinClock,
): Readonly<Record<string, Operation>> => ({
  TransactWriteItems: transactWrite(engine, clock),
  TransactGetItems: transactGet(engine),
});
