// What each function may do in the account, from its manifest entry and nothing else.
// Laws: L3, L4 (only Perform may write attempts; no role may delete from the ledger), L18 (secrets only where named).
//
// On the ledger a write is limited to the function's key prefixes by `dynamodb:LeadingKeys`. IAM authorises a transaction item
// by item, so the limit holds inside TransactWriteItems as well.
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { type FunctionEntry, machineNames, machines, tables } from '../functions/manifest.ts';
import {
  blobOperations,
  eventOperations,
  machineOperations,
  scheduleOperations,
  secretOperations,
  toolOperations,
} from '../functions/service-rights.ts';
import { type TableGrant, tableGrantsOf } from '../functions/table-rights.ts';
import type { RoutineSchedules } from './constructs/routine-schedules.ts';
import type { Storage } from './constructs/storage.ts';
import {
  executionArns,
  machineAliasArn,
  machineArn,
  secretArns,
  toolFunctionArns,
} from './names.ts';
import type { Settings } from './settings.ts';

/** Rights of one kind; `reason` explains the `*` in its resources and is there exactly when they have one. */
export interface Right {
  readonly statement: PolicyStatement;
  readonly reason?: string;
}

export interface RightsProps {
  readonly storage: Storage;
  readonly busArn: string;
  readonly signInSecretArn: string;
  readonly routines: RoutineSchedules;
  readonly settings: Pick<Settings, 'models' | 'answerScope'>;
}

const tableRight = (grant: TableGrant, storage: Storage): Right => {
  const { table, prefixes } = grant;
  const arn = storage.tables[table].tableArn;
  const indexes = grant.actions.includes('Query') ? tables[table].indexes : [];
  const right = allow(actionsOf('dynamodb', grant.actions), [
    arn,
    ...indexes.map((index) => `${arn}/index/${index.name}`),
  ]);
  if (prefixes === undefined) return right;
  right.statement.addCondition('ForAllValues:StringLike', {
    'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`),
  });
  // ForAllValues alone also holds for a request that names no key at all.
  right.statement.addCondition('Null', { 'dynamodb:LeadingKeys': 'false' });
  return right;
};

const actionsOf = (service: string, operations: readonly string[]): string[] =>
  operations.map((operation) => `${service}:${operation}`);

const allow = (actions: string[], resources: string[], reason?: string): Right => ({
  statement: new PolicyStatement({ actions, resources }),
  ...(reason === undefined ? {} : { reason }),
});

/** Machines that bind task tokens, which they need a table for. */
const waitingMachines = machineNames.filter(
  (name) => Object.keys(machines[name].tables).length > 0,
);

const machineRights = (entry: FunctionEntry, scope: IConstruct, anyToken: boolean): Right[] => {
  const may = entry.machines ?? [];
  const found: Right[] = [];
  if (may.includes('start'))
    found.push(
      allow(
        actionsOf('states', machineOperations.start),
        // Step Functions authorises a start by alias on the machine's own ARN, so the alias's alone would let nothing start.
        machineNames.flatMap((name) => [machineArn(scope, name), machineAliasArn(scope, name)]),
      ),
    );
  if (may.includes('answer')) {
    const answers = actionsOf('states', machineOperations.answer);
    found.push(
      anyToken
        ? allow(answers, ['*'], 'This account does not accept the machine ARN for SendTask*.')
        : allow(
            answers,
            waitingMachines.map((name) => machineArn(scope, name)),
          ),
    );
  }
  const onExecutions = (['describe', 'stop'] as const)
    .filter((right) => may.includes(right))
    .flatMap((right) => actionsOf('states', machineOperations[right]));
  if (onExecutions.length > 0)
    found.push(
      allow(
        onExecutions,
        machineNames.map((name) => executionArns(scope, name)),
        'Execution names are ids of runs and actions, known only at run time; the machines are fixed.',
      ),
    );
  return found;
};

const modelRights = (models: readonly string[]): Right => {
  const ids = models.length === 0 ? ['*'] : models;
  const arns = ids.flatMap((id) => [
    `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${id}`,
    `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:inference-profile/${id}`,
    `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:application-inference-profile/${id}`,
  ]);
  return allow(
    ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
    arns,
    'Agents name their model; inference profiles route to other Regions. The setting `models` narrows it.',
  );
};

const scheduleRights = ({ scheduleArns, role }: RoutineSchedules): Right[] => {
  const pass = allow(['iam:PassRole'], [role.roleArn]);
  pass.statement.addCondition('StringEquals', {
    'iam:PassedToService': 'scheduler.amazonaws.com',
  });
  return [
    allow(
      actionsOf('scheduler', scheduleOperations),
      [scheduleArns],
      'Schedules are named by the ids of routines, made at run time; their group is fixed.',
    ),
    pass,
  ];
};

/** Everything a function may do, apart from its own logs and traces. */
export const rightsOf = (entry: FunctionEntry, scope: IConstruct, props: RightsProps): Right[] => {
  const blobs = entry.blobs ?? [];
  const objects = props.storage.blobs.arnForObjects('*');
  const anyBody = 'A body is stored under an id made at run time.';
  return [
    ...tableGrantsOf(entry).map((grant) => tableRight(grant, props.storage)),
    ...blobs.map((right) => allow(actionsOf('s3', blobOperations[right]), [objects], anyBody)),
    ...(entry.readsSecrets
      ? [
          allow(
            actionsOf('secretsmanager', secretOperations),
            [secretArns(scope)],
            'Tools name their secrets at run time; only those under reprise/ are readable.',
          ),
        ]
      : []),
    ...(entry.readsSignInSecret
      ? [allow(actionsOf('secretsmanager', secretOperations), [props.signInSecretArn])]
      : []),
    ...(entry.invokesModels ? [modelRights(props.settings.models)] : []),
    ...(entry.invokesTools
      ? [
          allow(
            actionsOf('lambda', toolOperations),
            [toolFunctionArns(scope)],
            'Tools are registered at run time; only functions named as tools may be called.',
          ),
        ]
      : []),
    ...machineRights(entry, scope, props.settings.answerScope === 'any'),
    ...(entry.keepsSchedules ? scheduleRights(props.routines) : []),
    ...(entry.putsEvents ? [allow(actionsOf('events', eventOperations), [props.busArn])] : []),
  ];
};
