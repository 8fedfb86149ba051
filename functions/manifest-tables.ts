// The tables that exist, their keys and indexes. Part of the manifest, which feeds both the stack and the twin.
// Owns: their names and shapes.

export const tableNames = [
  'Conversations',
  'Requests',
  'Ledger',
  'Registry',
  'Idempotency',
] as const;
export type TableName = (typeof tableNames)[number];

export interface TableEntry {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Global secondary indexes: they hold keys alone, and whoever reads one reads the items themselves. */
  readonly indexes: readonly {
    readonly name: string;
    readonly partitionKey: string;
    readonly sortKey: string;
    readonly sortKeyType: 'S' | 'N';
  }[];
  readonly stream: boolean;
  readonly timeToLive?: string;
}

/** What is due, for the sweep: sharded, sparse, sorted by time (epoch milliseconds). */
const due = { name: 'due', partitionKey: 'dueShard', sortKey: 'dueAt', sortKeyType: 'N' } as const;
/** Lists of one workspace (conversations, open requests, actions): sparse, newest last. */
const listed = {
  name: 'listed',
  partitionKey: 'listKey',
  sortKey: 'listedAt',
  sortKeyType: 'S',
} as const;

/** What needs recovery, per workspace: sparse, oldest first, so that the desk never pages through what is settled. */
const desk = {
  name: 'desk',
  partitionKey: 'deskKey',
  sortKey: 'deskAt',
  sortKeyType: 'S',
} as const;

export const tables: { readonly [Name in TableName]: TableEntry } = {
  Conversations: { partitionKey: 'pk', sortKey: 'sk', indexes: [due, listed], stream: true },
  Requests: { partitionKey: 'pk', sortKey: 'sk', indexes: [due, listed], stream: false },
  Ledger: { partitionKey: 'pk', sortKey: 'sk', indexes: [due, listed, desk], stream: false },
  Registry: { partitionKey: 'pk', sortKey: 'sk', indexes: [listed], stream: false },
  Idempotency: { partitionKey: 'id', indexes: [], stream: false, timeToLive: 'expiration' },
};
