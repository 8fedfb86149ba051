// The guards of a change as condition checks: what must hold at the instant of the transaction.
// Owns: the condition of every guard. Laws: L7, L10, L20.
// Tested in test/adversary/rights.test.ts.
import type { Guard } from '../../core/records/change.ts';
import { type Attributes, keyAttributes } from './codec.ts';
import { type Key, keys } from './keys.ts';
import type { Operation, TableNames } from './operation.ts';

const check = (
  tables: TableNames,
  key: Key,
  guard: Guard['guard'],
  condition: string,
  values?: Attributes,
  names?: Record<string, string>,
): Operation => ({
  on: { guard },
  operation: {
    ConditionCheck: {
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConditionExpression: condition,
      ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
      ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
    },
  },
});

type ClaimGuard = Extract<Guard, { guard: 'no-claim' | 'claim-held' | 'no-newer-claim' }>;

const claimOperation = (tables: TableNames, guard: ClaimGuard): Operation => {
  switch (guard.guard) {
    case 'no-claim':
      return check(
        tables,
        keys.claim(guard.actionId),
        guard.guard,
        'attribute_not_exists(holder) OR untilMs < :now',
        { ':now': { N: String(guard.nowMs) } },
      );
    case 'claim-held':
      return check(
        tables,
        keys.claim(guard.actionId),
        guard.guard,
        'holder = :subject AND fence = :fence AND untilMs > :now',
        {
          ':subject': { S: guard.subject },
          ':fence': { N: String(guard.fence) },
          ':now': { N: String(guard.nowMs) },
        },
      );
    case 'no-newer-claim':
      return check(
        tables,
        keys.claim(guard.actionId),
        guard.guard,
        'attribute_not_exists(pk) OR fence <= :fence',
        { ':fence': { N: String(guard.fence) } },
      );
  }
};

export const guardOperation = (tables: TableNames, guard: Guard): Operation => {
  switch (guard.guard) {
    case 'run-may-act':
      return check(
        tables,
        keys.run(guard.runId),
        guard.guard,
        'fence = :fence AND (#status = :running OR #status = :waiting)',
        {
          ':fence': { N: String(guard.fence) },
          ':running': { S: 'running' },
          ':waiting': { S: 'waiting' },
        },
        { '#status': 'status' },
      );
    case 'run-fence':
      return check(tables, keys.run(guard.runId), guard.guard, 'fence = :fence', {
        ':fence': { N: String(guard.fence) },
      });
    case 'mandate-stands':
      return check(
        tables,
        keys.standingMandate(guard.workspace, guard.agentId, guard.tool),
        guard.guard,
        'attribute_not_exists(revokedAt)',
      );
    case 'approval-stands':
      return check(
        tables,
        keys.approvalMandate(guard.requestId),
        guard.guard,
        'digest = :digest AND expiresAtMs > :now AND attribute_not_exists(revokedAt)',
        { ':digest': { S: guard.digest }, ':now': { N: String(guard.nowMs) } },
      );
    case 'grant-stands':
      return check(
        tables,
        keys.grant(guard.workspace, guard.agentId, guard.requestId),
        guard.guard,
        'expiresAtMs > :now AND attribute_not_exists(revokedAt)',
        { ':now': { N: String(guard.nowMs) } },
      );
    case 'not-barred':
      return check(
        tables,
        keys.bar(guard.workspace, guard.tool),
        guard.guard,
        'attribute_not_exists(barredAt)',
      );
    case 'no-claim':
    case 'claim-held':
    case 'no-newer-claim':
      return claimOperation(tables, guard);
    case 'unlike-last-run':
      return check(
        tables,
        keys.runLikeness(guard.runId, guard.likeDigest),
        guard.guard,
        'attribute_not_exists(pk)',
      );
  }
};
