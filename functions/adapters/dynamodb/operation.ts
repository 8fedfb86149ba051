// One operation of a transaction, and the names of the tables that it may be about. Owns: those two shapes.
// Tested in test/adversary/rights.test.ts.
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Guard } from '../../core/records/change.ts';
import type { TableName } from '../../manifest.ts';

export interface Operation {
  /** What a failed condition means: an item's kind (somebody else was faster), or the guard that does not hold. */
  readonly on: { readonly conflict: string } | { readonly guard: Guard['guard'] | 'likeness' };
  readonly operation: TransactWriteItem;
}

export type TableNames = { readonly [Name in TableName]: string };
