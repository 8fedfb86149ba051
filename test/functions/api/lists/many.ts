// Many stored items at once, as the store keeps them: what would take a year to come about. Owns: putting them.
import {
  attributesOf,
  keyAttributes,
  keyFor,
} from '../../../../functions/adapters/dynamodb/codec.ts';
import type { ItemKind, ItemOf } from '../../../../functions/core/records/change.ts';

export type Handle = (operation: string, body: unknown) => unknown;

/** BatchWriteItem takes this many. */
const batchMax = 25;

/** Puts items of one kind through DynamoDB's own operation. */
export const putMany = <Kind extends ItemKind>(
  handle: Handle,
  kind: Kind,
  items: readonly ItemOf<Kind>[],
): void => {
  for (let from = 0; from < items.length; from += batchMax) {
    const batch = items.slice(from, from + batchMax);
    const [first] = batch;
    if (first === undefined) return;
    handle('BatchWriteItem', {
      RequestItems: {
        [keyFor(kind, first).table]: batch.map((item) => ({
          PutRequest: {
            Item: {
              ...keyAttributes(keyFor(kind, item)),
              ...attributesOf(kind, item, 1, 'many'),
            },
          },
        })),
      },
    });
  }
};
