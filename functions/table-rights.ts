// What a function may do with the tables, as plain data derived from its manifest entry: the stack turns it into IAM
// statements, and whoever plays DynamoDB can refuse what IAM would refuse.
// Laws: L3 (only Perform may write attempts), L4 (journal entries are put once; nothing is deleted from the ledger).
import { type FunctionEntry, type TableName, tableNames } from './manifest.ts';

/**
 * IAM's names. A transaction is authorised item by item under the names of its parts: Put as PutItem, Update as UpdateItem,
 * Delete as DeleteItem, ConditionCheck as ConditionCheckItem; TransactGetItems as GetItem.
 */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'ConditionCheckItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem';

export interface TableGrant {
  readonly table: TableName;
  readonly actions: readonly TableAction[];
  /** Only items whose partition key begins with one of these; all items when left out. */
  readonly prefixes?: readonly string[];
}

/** A condition check reads and changes nothing: it goes with the right to read. */
const reading = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'] as const;
const writing = ['PutItem', 'UpdateItem', 'DeleteItem'] as const;
/** Journal entries. */
const putOnce = ['ATT#', 'END#', 'OBS#', 'AUT#', 'DEC#'];

const ledgerWrites = (entry: FunctionEntry): TableGrant[] => {
  const prefixes = entry.ledgerWritePrefixes;
  if (prefixes === undefined)
    throw new Error(`A function that writes the Ledger must name its prefixes (${entry.module}).`);
  const changeable = prefixes.filter((prefix) => !putOnce.includes(prefix));
  const puts: TableGrant = { table: 'Ledger', actions: ['PutItem'], prefixes };
  if (changeable.length === 0) return [puts];
  return [puts, { table: 'Ledger', actions: ['UpdateItem'], prefixes: changeable }];
};

/** Everything a function may do with the tables. Nobody may scan, and nobody may delete from the ledger. */
export const tableGrantsOf = (entry: FunctionEntry): TableGrant[] =>
  tableNames.flatMap((table): TableGrant[] => {
    const rights = entry.tables[table] ?? [];
    const reads: TableGrant[] = rights.includes('read') ? [{ table, actions: reading }] : [];
    if (!rights.includes('write')) return reads;
    if (table === 'Ledger') return [...reads, ...ledgerWrites(entry)];
    return [...reads, { table, actions: writing }];
  });

/** Whether these grants allow an action on an item. */
export const isGranted = (
  grants: readonly TableGrant[],
  action: TableAction,
  table: TableName,
  partitionKey: string,
): boolean =>
  grants.some(
    (grant) =>
      grant.table === table &&
      grant.actions.includes(action) &&
      (grant.prefixes?.some((prefix) => partitionKey.startsWith(prefix)) ?? true),
  );
