// What a function's changes write, held against what its role may write: IAM refuses a whole transaction for one item.
// Laws: L3 (only Perform writes attempts), L11 (a run that may not be ended blocks its conversation for ever).
import { expect, test } from 'vitest';
import type { TableNames } from '../../functions/adapters/dynamodb/operation.ts';
import { operationsFor } from '../../functions/adapters/dynamodb/writes.ts';
import { RequestId, RunId } from '../../functions/core/base/ids.ts';
import type { Change } from '../../functions/core/records/change.ts';
import { finishRun } from '../../functions/core/turn/finish.ts';
import { type FunctionName, functions, tableNames } from '../../functions/manifest.ts';
import { isGranted, type TableAction, tableGrantsOf } from '../../functions/table-rights.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { aConversation, agent, aRun, conversationId, idOf, runId } from './parts.ts';

const tables = Object.fromEntries(tableNames.map((name) => [name, name])) as TableNames;

const namedIn = (change: Change): readonly [TableAction, string, string][] =>
  change.writes
    .flatMap((write) => operationsFor(tables, write, 'change'))
    .map(({ operation }) => {
      const { Put, Update, ConditionCheck } = operation;
      const table = (Put ?? Update ?? ConditionCheck)?.TableName ?? '';
      const key = Put?.Item?.pk?.S ?? (Update ?? ConditionCheck)?.Key?.pk?.S ?? '';
      const action = Put ? 'PutItem' : Update ? 'UpdateItem' : 'ConditionCheckItem';
      return [action, table, key];
    });

const refusedBy = (name: FunctionName, change: Change): string[] => {
  const grants = tableGrantsOf(functions[name]);
  return namedIn(change).flatMap(([action, table, key]) => {
    const known = tableNames.find((one) => one === table);
    return known && isGranted(grants, action, known, key) ? [] : [`${action} ${table} ${key}`];
  });
};

const askedId = RequestId.parse(idOf('req', 1));

test.each([
  { asksBeforeActing: true as const, says: 'acts only when it was answered', writes: 'LIKE#' },
  { asksBeforeActing: undefined, says: 'may have acted', writes: 'REQ#' },
])(
  'a run may end while a question is open of a tool that $says: Finish, the sweep and the status event may write all of it',
  ({ asksBeforeActing, writes }) => {
    const action = anAction({ attempts: 1, head: 3, effect: 'in_progress', requestId: askedId });
    const finished = finishRun({
      conversation: aConversation(),
      run: aRun(),
      pending: [],
      requests: [
        {
          rev: 1,
          item: {
            schema: 1,
            workspace: 'acme',
            requestId: askedId,
            conversationId,
            runId,
            actionId: action.actionId,
            openedAt: at(startMs),
            on: 'question',
            message: 'Which one?',
            form: { type: 'object', properties: {} },
            onExpiry: 'continue',
            asked: {
              parts: {},
              ...(asksBeforeActing ? { contract: { asksBeforeActing } } : {}),
            },
          },
        },
      ],
      actions: [{ item: action, rev: 1 }],
      known: new Map([
        [
          action.actionId,
          {
            attempts: [{ attempt: 1, entry: 2 }],
            ends: [{ attempt: 1, entry: 3, how: 'replied' }],
            observations: [{ says: 'asked', about: 1, entry: 3 }],
          },
        ],
      ]),
      agent,
      reason: 'failed',
      detail: undefined,
      nextRunId: RunId.parse(idOf('run', 1)),
      nowIso: at(startMs),
    });
    if (finished.kind !== 'change') throw new Error('The run does not end.');
    expect(namedIn(finished.change).some(([, , key]) => key.startsWith(writes))).toBe(true);
    for (const name of ['finish', 'execution-ended', 'sweep'] as const)
      expect([name, refusedBy(name, finished.change)]).toEqual([name, []]);
  },
);
