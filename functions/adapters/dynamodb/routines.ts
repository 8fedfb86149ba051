// Routines on DynamoDB: the routine in the registry, its clock and occurrences beside the conversations.
// Owns: their reads, and writes that touch no conversation. Laws: L19 (an occurrence is put once).
// Tested in test/routines/firing.test.ts.
import { TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { Defect } from '../../core/base/errors.ts';
import type { Routines } from '../../ports/routines.ts';
import { parseItem } from './codec.ts';
import { keys } from './keys.ts';
import { listed } from './listed.ts';
import { readKeys, type StoreParts } from './read-keys.ts';
import { operationsFor } from './writes.ts';

const read: (parts: StoreParts) => Routines['read'] = (parts) => async (routineId) => {
  const items = await readKeys(parts, [keys.routine(routineId), keys.routineClock(routineId)]);
  const routine = items.find((item) => item.kind?.S === 'routine');
  const clock = items.find((item) => item.kind?.S === 'routine-clock');
  if (routine === undefined) return undefined;
  if (clock === undefined) throw new Defect(`The routine ${routineId} has no clock.`);
  return { routine: parseItem('routine', routine), clock: parseItem('routine-clock', clock) };
};

const commit: (parts: StoreParts) => Routines['commit'] =
  ({ client, tables, minter }) =>
  async (writes) => {
    const name = minter.suffix();
    const operations = writes.flatMap((write) => operationsFor(tables, write, name));
    try {
      await client.send(
        new TransactWriteItemsCommand({
          TransactItems: operations.map(({ operation }) => operation),
          ClientRequestToken: name,
        }),
      );
      return 'done';
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      // Our own earlier, unanswered send fulfilled the condition: the items carry this change's name.
      if (reasons.some((reason) => reason.Item?.change?.S === name)) return 'done';
      const conflicts = ['None', 'ConditionalCheckFailed', 'TransactionConflict'];
      if (reasons.every(({ Code }) => conflicts.includes(Code ?? 'None'))) return 'conflict';
      throw error;
    }
  };

export const routinesFrom = (parts: StoreParts): Routines => ({
  read: read(parts),
  records: async (routineId, ids) => {
    const items = await readKeys(
      parts,
      ids.map((id) => keys.occurrence(routineId, id)),
    );
    return items.map((item) => parseItem('occurrence', item).item);
  },
  commit: commit(parts),
  routinesOf: (workspace, limit, cursor) =>
    listed(parts, 'Registry', 'routine', `RTN#${workspace}`, { limit, cursor }),
  history: (routineId, limit, cursor) =>
    listed(parts, 'Conversations', 'occurrence', `OCC#${routineId}`, { limit, cursor }),
});
