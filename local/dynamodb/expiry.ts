// Time to live: deletes items whose expiry has passed, as the service, with a stream record that
// says so.
// Owns: the sweep. Also drops transaction tokens and stream records past their time.

import type { Change } from './evaluation.ts';
import type { Schemas } from './schemas.ts';
import { tokenMs } from './transactions.ts';
import type { Item } from './values.ts';

const batchMax = 500;
/** AWS leaves items alone whose expiry is more than five years past: that is rather a mistake. */
const graceSeconds = 5 * 365 * 24 * 60 * 60;

const dueChanges = ({ storage, tables, clock }: Schemas): Change[] => {
  const nowSeconds = Math.floor(clock.now() / 1000);
  const changes: Change[] = [];
  for (const row of storage.sql.expired.all(nowSeconds - graceSeconds, nowSeconds, batchMax)) {
    const table = tables.byId(Number(row.tbl));
    if (table === undefined) continue;
    const item = String(row.item);
    changes.push({
      table,
      key: String(row.key),
      row: { id: Number(row.id), item },
      before: JSON.parse(item) as Item,
      after: undefined,
      expired: true,
    });
  }
  return changes;
};

/** A sweep over all tables; returns how many items it deleted. */
export const sweeper = (schemas: Schemas) => (): number => {
  const { storage, writer, streams, clock } = schemas;
  let deleted = 0;
  for (;;) {
    const changes = dueChanges(schemas);
    if (changes.length > 0) writer.commitLazily(changes);
    deleted += changes.length;
    if (changes.length < batchMax) break;
  }
  storage.commitLazily(() => storage.sql.dropTokens.run(clock.now() - tokenMs));
  streams.dropOld();
  return deleted;
};
