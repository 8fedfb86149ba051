// What a validated Put, Update, Delete or ConditionCheck would do and answer.
// Owns: the evaluation of single writes. It only reads. As one process owns the store and calls are
// synchronous, nothing changes between an evaluation and the commit of its change.

import { invalid, Refusal, refusalBody, tableNotFound } from './answers.ts';
import {
  actions,
  type DynaliteStore,
  helpers,
  type ItemDb,
  itemBytesMax,
  runAction,
} from './dynalite.ts';
import './replacements.ts';
import { checkStorable } from './index-keys.ts';
import { itemKey } from './keys.ts';
import { project } from './paths.ts';
import { consumedCapacity, itemBytes } from './sizes.ts';
import type { Storage, StoredRow } from './storage.ts';
import type { Table, Tables } from './tables.ts';
import { updated } from './updates.ts';
import type { Body, Item, RequestData } from './values.ts';

/** One item's change; `after` undefined deletes. */
export interface Change {
  readonly table: Table;
  readonly key: string;
  readonly row: StoredRow | undefined;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** Deleted because its time to live had passed. */
  readonly expired?: boolean;
}

export interface Evaluated {
  readonly answer: Body;
  readonly change: Change | undefined;
}

export type WriteAction = 'putItem' | 'updateItem' | 'deleteItem';

export interface Evaluator {
  /**
   * What the write would do and answer. Throws its refusal, with the old item if `returnOld` and a
   * condition failed.
   */
  evaluate(action: WriteAction, data: RequestData, returnOld: boolean): Evaluated;
  /** For ConditionCheck: the size of the item if its condition holds; throws like `evaluate`. */
  check(data: RequestData, returnOld: boolean): number;
}

/** The table of a request about items. */
export const tableOf = (tables: Tables, name: string): Table => {
  const table = tables.find(name);
  if (table === undefined) throw tableNotFound();
  return table;
};

/** The part of dynalite's store that knows the tables. */
export const tableStore = (find: (name: string) => Table | undefined): DynaliteStore => ({
  options: { maxItemSize: itemBytesMax },
  getTable: (name, ...rest) => {
    const then = rest.at(-1) as (error: unknown, shape?: unknown) => void;
    const table = find(name);
    if (table === undefined) then(tableNotFound());
    else then(null, table.shape);
  },
  getItemDb: () => {
    throw new Error('this store holds no items');
  },
  page: () => {
    throw new Error('this store holds no ranges');
  },
});

/**
 * The call being evaluated, as dynalite's action sees it: a store of one item, which remembers the
 * outcome.
 */
interface Stage {
  readonly table: Table;
  readonly key: string;
  readonly row: StoredRow | undefined;
  readonly before: Item | undefined;
  outcome: { readonly after: Item | undefined } | undefined;
}

const notFound = Object.assign(new Error('no such item'), { name: 'NotFoundError' });

const stagedStore = (stage: Stage): DynaliteStore => {
  const itemDb: ItemDb = {
    lock: (_key, locked) => locked((then) => then),
    get: (_key, then) => (stage.before ? then(null, stage.before) : then(notFound)),
    put: (_key, item, then) => {
      stage.outcome = { after: item };
      then(null);
    },
    del: (_key, then) => {
      stage.outcome = { after: undefined };
      then(null);
    },
  };
  return { ...tableStore(() => stage.table), getItemDb: () => itemDb };
};

const conditionFailed = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';

/** Adds the old item to a failed condition, for callers that asked for it. */
const withOldItem = (error: unknown, before: Item | undefined): unknown => {
  const body = refusalBody(error);
  if (before === undefined || body?.__type !== conditionFailed) return error;
  return new Refusal('ConditionalCheckFailedException', String(body.message), { Item: before });
};

const returned = (data: RequestData, before: Item | undefined, after: Item): Body => {
  const paths = data._updates?.paths ?? [];
  const shown = (): Item | undefined => {
    if (data.ReturnValues === 'ALL_OLD') return before;
    if (data.ReturnValues === 'UPDATED_OLD') return before && project(paths, before);
    if (data.ReturnValues === 'ALL_NEW') return after;
    return data.ReturnValues === 'UPDATED_NEW' ? project(paths, after) : undefined;
  };
  const attributes = shown();
  const consumed = consumedCapacity(data, false, before, after);
  return {
    ...(attributes && Object.keys(attributes).length > 0 ? { Attributes: attributes } : {}),
    ...(consumed ? { ConsumedCapacity: consumed } : {}),
  };
};

/** An update by expression; dynalite's own is used for the old `AttributeUpdates` only. */
const update = (data: RequestData, { table, before }: Stage) => {
  const failed =
    helpers.validateUpdates(undefined, data._updates, table.shape) ??
    helpers.checkConditional(data, before);
  if (failed) throw failed;
  const after = updated(before ?? data.Key ?? {}, data._updates?.sections ?? []);
  if (itemBytes(after) > itemBytesMax)
    throw invalid('Item size to update has exceeded the maximum allowed size');
  return { answer: returned(data, before, after), after };
};

export const openEvaluator = (storage: Storage, tables: Tables): Evaluator => {
  const staged = (data: RequestData): Stage => {
    const table = tableOf(tables, data.TableName);
    const wrong = data.Item
      ? helpers.validateItem(data.Item, table.shape)
      : helpers.validateKey(data.Key ?? {}, table.shape);
    if (wrong) throw wrong;
    const key = itemKey(data.Item ?? data.Key ?? {}, table.shape);
    const row = storage.item(table.id, key);
    const before = row && (JSON.parse(row.item) as Item);
    return { table, key, row, before, outcome: undefined };
  };
  const outcome = (action: WriteAction, data: RequestData, stage: Stage) => {
    if (action === 'updateItem' && !data.AttributeUpdates) return update(data, stage);
    const { ConsumedCapacity, ...answer } = runAction(actions[action], stagedStore(stage), data);
    return {
      answer: ConsumedCapacity === undefined ? answer : { ...answer, ConsumedCapacity },
      after: stage.outcome?.after,
    };
  };
  return {
    evaluate: (action, data, returnOld) => {
      const stage = staged(data);
      try {
        const { answer, after } = outcome(action, data, stage);
        const { table, key, row, before } = stage;
        if (after) checkStorable(table, after, action === 'updateItem');
        return { answer, change: { table, key, row, before, after } };
      } catch (error) {
        throw returnOld ? withOldItem(error, stage.before) : error;
      }
    },
    check: (data, returnOld) => {
      const { before } = staged(data);
      const failed = helpers.checkConditional(data, before);
      if (failed) throw returnOld ? withOldItem(failed, before) : failed;
      return before ? itemBytes(before) : 0;
    },
  };
};
