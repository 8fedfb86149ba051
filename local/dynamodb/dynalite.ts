// The border to dynalite (which has no types): its validations, its expression parsers, its item
// and query actions.
// Owns: loading it without the native LevelDB it would open, and the few helpers the twin replaces
// by its own. dynalite's actions run here against a store of ours that answers at once, so that
// everything stays synchronous.

import Module, { createRequire } from 'node:module';
import { tooDeep } from './answers.ts';
import { requestShape } from './shapes.ts';
import type {
  AttributeValue,
  Body,
  Item,
  KeySchemaElement,
  LegacyConditions,
  ParsedUpdate,
  Path,
  RequestData,
} from './values.ts';

/** dynalite's view of a table: AWS's table description. */
export interface TableShape {
  readonly TableName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: 'S' | 'N' | 'B';
  }[];
  readonly GlobalSecondaryIndexes?: readonly IndexShape[];
  readonly LocalSecondaryIndexes?: readonly IndexShape[];
}

export interface IndexShape {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: {
    readonly ProjectionType: string;
    readonly NonKeyAttributes?: readonly string[];
  };
}

export type Callback<T> = (error: unknown, result?: T) => void;

/**
 * What dynalite's actions need of a store; `getTable` has an optional middle argument that we
 * ignore.
 */
export interface DynaliteStore {
  readonly options: { readonly maxItemSize: number };
  getTable(name: string, ...rest: unknown[]): void;
  getItemDb(name: string): ItemDb;
  /** Ours: answers the range that Query or Scan computed. */
  page(data: RequestData, range: RangeOptions, startKeyNames: readonly string[]): Body;
}

export interface ItemDb {
  lock(key: string, locked: (release: <T>(then: Callback<T>) => Callback<T>) => void): void;
  get(key: string, then: Callback<Item>): void;
  put(key: string, item: Item, then: Callback<never>): void;
  del(key: string, then: Callback<never>): void;
}

/** Bounds of a range of keys, as dynalite's Query and Scan compute them. */
export interface RangeOptions {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
}

export type QueryTable = (
  store: DynaliteStore,
  table: TableShape,
  data: RequestData,
  range: RangeOptions,
  isLocal: boolean | undefined,
  fetchFromItemDb: boolean,
  startKeyNames: readonly string[],
  then: Callback<Body>,
) => void;

/**
 * Helpers of dynalite's `db` module. Those that are not readonly are looked up at each call, hence
 * replaceable.
 */
export interface Helpers {
  readonly validateKey: (key: Item, table: TableShape) => Error | undefined;
  readonly validateItem: (item: Item, table: TableShape) => Error | undefined;
  readonly validateKeyPaths: (paths: Body | undefined, table: TableShape) => Error | undefined;
  readonly toRangeStr: (value: string, type: string) => string;
  hashPrefix: (value: string) => string;
  createKey: (item: Item, table: TableShape, schema?: readonly KeySchemaElement[]) => string;
  readonly validateUpdates: (
    legacy: Body | undefined,
    updates: ParsedUpdate | undefined,
    table: TableShape,
  ) => Error | undefined;
  mapPaths: (paths: readonly (Path | string)[], item: Item) => Item;
  mapPath: (path: Path, item: Item) => AttributeValue | undefined;
  readonly toLexiStr: (value: string, type: string) => string;
  createIndexKey: (item: Item, table: TableShape, schema: readonly KeySchemaElement[]) => string;
  checkConditional: (data: RequestData, existing: Item | undefined) => Error | null | undefined;
  compare: (
    operator: string,
    value: AttributeValue | null | undefined,
    operands: AttributeValue | readonly AttributeValue[],
  ) => boolean;
  matchesFilter: (item: Item, filter: LegacyConditions, operator?: string) => boolean;
  itemSize: (item: Item) => number;
  addConsumedCapacity: (data: RequestData, isRead: boolean, one?: Item, other?: Item) => unknown;
  updateIndexes: (...args: [DynaliteStore, TableShape, unknown, unknown, () => void]) => void;
  queryTable: QueryTable;
}

export interface Parser {
  parse: (text: string, options: { readonly context: ParseContext }) => unknown;
}

export interface ParseContext {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, AttributeValue>>;
  readonly unusedAttrNames: Record<string, unknown>;
  readonly unusedAttrVals: Record<string, unknown>;
  readonly isKeyCondition?: boolean;
}

interface Validations {
  readonly checkValidations: (
    data: Body,
    types: Body,
    custom: CustomCheck | undefined,
    store: Pick<DynaliteStore, 'options'>,
  ) => void;
  readonly validateAttributeValue: (value: AttributeValue) => string | undefined;
}

type CustomCheck = (data: Body, store: Pick<DynaliteStore, 'options'>) => string | undefined;
type Action = (store: DynaliteStore, data: RequestData, then: Callback<Body>) => void;

const load = createRequire(import.meta.url);

/**
 * dynalite's `db` opens LevelDB through a native module; we never open one, so an empty module
 * stands in meanwhile.
 */
const withoutLevel = <T>(loadIt: () => T): T => {
  const path = createRequire(load.resolve('dynalite/db')).resolve('level');
  const loaded = load.cache[path];
  if (loaded !== undefined) return loadIt();
  const empty = new Module(path);
  empty.exports = { Level: class {} };
  empty.loaded = true;
  load.cache[path] = empty;
  try {
    return loadIt();
  } finally {
    delete load.cache[path];
  }
};

export const helpers = withoutLevel(() => load('dynalite/db') as Helpers);
export const conditionParser = load('dynalite/db/conditionParser') as Parser;
export const updateParser = load('dynalite/db/updateParser') as Parser;
export const projectionParser = load('dynalite/db/projectionParser') as Parser;

/** big.js, the numbers of dynalite: `c` the digits, `e` the exponent. */
export interface BigNumber {
  readonly c: readonly number[];
  readonly e: number;
  plus(other: string): BigNumber;
  minus(other: string): BigNumber;
  toFixed(): string;
}
export const BigNumber = createRequire(load.resolve('dynalite/db'))('big.js') as new (
  text: string,
) => BigNumber;

export const validations = load('dynalite/validations') as Validations;

/** The operations whose requests dynalite can validate. */
export type ValidatedOperation =
  | 'batchGetItem'
  | 'batchWriteItem'
  | 'createTable'
  | 'deleteItem'
  | 'deleteTable'
  | 'describeTable'
  | 'getItem'
  | 'listTables'
  | 'putItem'
  | 'query'
  | 'scan'
  | 'updateItem'
  | 'updateTable';

interface RequestCheck {
  readonly types: Body;
  readonly custom: CustomCheck | undefined;
  readonly shape: (body: Body) => Body;
}

const checks = new Map<string, RequestCheck>();

const requestCheck = (operation: ValidatedOperation): RequestCheck => {
  const known = checks.get(operation);
  if (known !== undefined) return known;
  const { types, custom } = load(`dynalite/validations/${operation}`) as {
    readonly types: Body;
    readonly custom?: CustomCheck;
  };
  const check = { types, custom, shape: requestShape(types) };
  checks.set(operation, check);
  return check;
};

export const actions = {
  putItem: load('dynalite/actions/putItem') as Action,
  deleteItem: load('dynalite/actions/deleteItem') as Action,
  updateItem: load('dynalite/actions/updateItem') as Action,
  query: load('dynalite/actions/query') as Action,
  scan: load('dynalite/actions/scan') as Action,
};

/** AWS's limit of one item, in bytes. */
export const itemBytesMax = 409_600;

const limits = { options: { maxItemSize: itemBytesMax } };

/**
 * Checks a request as AWS would and returns it typed, with parsed expressions. Throws dynalite's
 * error with the answer.
 */
export const validated = (operation: ValidatedOperation, body: Body): Body => {
  const { types, custom, shape } = requestCheck(operation);
  try {
    const data = shape(body);
    validations.checkValidations(data, types, custom, limits);
    return data;
  } catch (error) {
    // Deeper than this program can follow is deeper than AWS's 32 levels.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
};

/** Runs a dynalite action that answers at once, and returns its result or throws its error. */
export const runAction = (action: Action, store: DynaliteStore, data: RequestData): Body => {
  let outcome: { readonly error: unknown; readonly result: Body | undefined } | undefined;
  action(store, data, (error, result) => {
    outcome ??= { error, result };
  });
  if (outcome === undefined) throw new Error('an action of dynalite left the synchronous path');
  if (outcome.error) throw outcome.error;
  return outcome.result ?? {};
};
