// The doctor's look at an AWS account: credentials, region, and what a deployment must have there. Owns: those checks. It only
// reads, and only when it is asked to.
import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { tableNames } from '../../functions/manifest.ts';
import type { Place } from '../kit/command.ts';

const failure = (name: string, detail: string, fix: string): Check => ({
  name,
  state: 'failure',
  detail,
  fix,
});
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

/** Names of tables that end as ours do; a stack's are its name, a dash, ours. */
const stackOf = async (client: DynamoDBClient): Promise<string | undefined> => {
  const found: string[] = [];
  let from: string | undefined;
  do {
    const page = await client.send(
      new ListTablesCommand({ ...(from === undefined ? {} : { ExclusiveStartTableName: from }) }),
    );
    found.push(...(page.TableNames ?? []));
    from = page.LastEvaluatedTableName;
  } while (from !== undefined);
  return found.find((name) => name.endsWith('-Ledger'))?.slice(0, -'-Ledger'.length);
};

const tableChecks = async (client: DynamoDBClient, { say }: Place): Promise<Check[]> => {
  const stack = await stackOf(client);
  if (stack === undefined)
    return [
      failure(
        say('tables', 'tables'),
        say('no table of Reprise in this region', 'aucune table de Reprise dans cette région'),
        say(
          'Deploy (docs/deploy.md), or choose the region.',
          'Déployez (docs/deploy.md), ou choisissez la région.',
        ),
      ),
    ];
  const checks: Check[] = [];
  for (const name of tableNames) {
    const TableName = `${stack}-${name}`;
    const described = await client.send(new DescribeTableCommand({ TableName })).catch(nameOf);
    const active = typeof described !== 'string' && described.Table?.TableStatus === 'ACTIVE';
    const guarded =
      typeof described !== 'string' &&
      (name === 'Idempotency' || described.Table?.DeletionProtectionEnabled === true);
    if (active && guarded) checks.push({ name: TableName, state: 'ok', detail: 'ACTIVE', fix: '' });
    else
      checks.push(
        failure(
          TableName,
          typeof described === 'string' ? described : String(described.Table?.TableStatus),
          active
            ? say('Turn deletion protection on.', 'Activez la protection contre la suppression.')
            : say('Deploy again.', 'Déployez à nouveau.'),
        ),
      );
  }
  return checks;
};

const machineCheck = async ({ say }: Place): Promise<Check> => {
  const name = say('state machines', 'machines à états');
  const { stateMachines = [] } = await new SFNClient().send(new ListStateMachinesCommand({}));
  const ours = stateMachines.flatMap(({ name: one }) =>
    one !== undefined && /(run|recover)$/i.test(one) ? [one] : [],
  );
  return ours.length >= 2
    ? { name, state: 'ok', detail: ours.join(', '), fix: '' }
    : failure(
        name,
        say('run and recover are not both there', 'run et recover ne sont pas là tous les deux'),
        say('Deploy (docs/deploy.md).', 'Déployez (docs/deploy.md).'),
      );
};

export const awsChecks = async (place: Place): Promise<Check[]> => {
  const { say } = place;
  const client = new DynamoDBClient();
  try {
    await client.config.credentials();
  } catch (error) {
    return [
      failure(
        say('AWS credentials', 'identifiants AWS'),
        nameOf(error),
        say(
          'Sign in (aws sso login) or set AWS_PROFILE.',
          'Connectez-vous (aws sso login) ou définissez AWS_PROFILE.',
        ),
      ),
    ];
  }
  try {
    const region = await client.config.region();
    const found: Check = {
      name: say('AWS region', 'région AWS'),
      state: 'ok',
      detail: region,
      fix: '',
    };
    return [found, ...(await tableChecks(client, place)), await machineCheck(place)];
  } catch (error) {
    return [
      failure(
        'AWS',
        nameOf(error),
        say(
          'Set AWS_REGION, and a role that may read tables and state machines.',
          'Définissez AWS_REGION et un rôle qui peut lire tables et machines à états.',
        ),
      ),
    ];
  }
};

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failure';
  readonly detail: string;
  /** What to do; empty when nothing is wrong. */
  readonly fix: string;
}
