// What the template must never allow, whatever else changes: who may write what, what is kept, what is logged.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readable } from '../../../cdk/explain.ts';
import { toolFunctionPrefix } from '../../../cdk/names.ts';
import { type FunctionEntry, functionNames, functions } from '../../../functions/manifest.ts';
import { isGranted, tableGrantsOf } from '../../../functions/table-rights.ts';
import { List, Policy, rightsOf, tableId } from '../rights.ts';
import { ofType, templateFor } from '../synthesis.ts';

const template = templateFor();

/** Key prefixes of the ledger on which a function may use this action; `*` when nothing limits it. */
const ledgerKeys = (name: string, action: string): string[] =>
  rightsOf(name)
    .filter(
      (right) =>
        right.Action.includes(`dynamodb:${action}`) &&
        right.Resource.includes(`<${tableId('Ledger')}.Arn>`),
    )
    .flatMap((right) => {
      const limit = right.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
      const keyed = right.Condition?.Null?.['dynamodb:LeadingKeys'] === 'false';
      return limit === undefined || !keyed ? ['*'] : List.parse(limit);
    })
    .sort();

describe('the ledger', () => {
  test.each(functionNames)('%s writes the prefixes of the manifest only', (name) => {
    const entry: FunctionEntry = functions[name];
    const expected = (entry.ledgerWritePrefixes ?? []).map((prefix) => `${prefix}*`).sort();
    expect(ledgerKeys(name, 'PutItem')).toEqual(expected);
  });

  test('L3: only perform may open an attempt', () => {
    expect(functionNames.filter((name) => ledgerKeys(name, 'PutItem').includes('ATT#*'))).toEqual([
      'perform',
    ]);
  });

  test('L3: only perform, the sweep and verify may end an attempt', () => {
    expect(functionNames.filter((name) => ledgerKeys(name, 'PutItem').includes('END#*'))).toEqual([
      'perform',
      'sweep',
      'verify',
    ]);
  });

  test('L4: nobody may update or delete an entry of the journal', () => {
    for (const name of functionNames) {
      const changed = ledgerKeys(name, 'UpdateItem').filter((key) =>
        /^(\*|(ATT|END|OBS|AUT|DEC)#)/.test(key),
      );
      expect(changed, name).toEqual([]);
      expect(ledgerKeys(name, 'DeleteItem'), name).toEqual([]);
    }
  });
});

test('the rights as data say the same as the policies', () => {
  const grants = tableGrantsOf(functions.sweep);
  expect(isGranted(grants, 'PutItem', 'Ledger', 'END#act_1')).toBe(true);
  expect(isGranted(grants, 'PutItem', 'Ledger', 'ATT#act_1')).toBe(false);
  expect(isGranted(grants, 'UpdateItem', 'Ledger', 'END#act_1')).toBe(false);
  expect(isGranted(grants, 'UpdateItem', 'Ledger', 'LIKE#wsp#d')).toBe(true);
  expect(isGranted(grants, 'ConditionCheckItem', 'Ledger', 'CLM#act_1')).toBe(true);
  expect(isGranted(grants, 'PutItem', 'Registry', 'AGT#x')).toBe(false);
  expect(isGranted(grants, 'DeleteItem', 'Requests', 'REQ#x')).toBe(true);
});

describe('rights', () => {
  test.each(functionNames)('%s reaches only the tables of the manifest, as listed', (name) => {
    const entry: FunctionEntry = functions[name];
    const reached = (action: string) =>
      ['Conversations', 'Requests', 'Ledger', 'Registry', 'Idempotency'].filter((table) =>
        rightsOf(name).some(
          (right) =>
            right.Action.includes(`dynamodb:${action}`) &&
            right.Resource.includes(`<${tableId(table)}.Arn>`),
        ),
      );
    const listed = (right: 'read' | 'write') =>
      Object.entries(entry.tables)
        .filter(([, rights]) => rights.includes(right))
        .map(([table]) => table);
    expect(reached('GetItem').sort()).toEqual(listed('read').sort());
    expect(reached('PutItem').sort()).toEqual(listed('write').sort());
  });

  test('nobody may scan, manage tables, or use an action with a wildcard', () => {
    const actions = ofType(template, 'AWS::IAM::Policy').flatMap(([, each]) =>
      Policy.parse(each.Properties).PolicyDocument.Statement.flatMap(({ Action }) => Action),
    );
    const managing = /dynamodb:(Scan|DeleteTable|CreateTable|UpdateTable|PartiQL)|\*/;
    expect(actions.filter((action) => managing.test(action))).toEqual([]);
  });

  test('models, tools, secrets and the bus are open to those who need them only', () => {
    const who = (action: string) =>
      functionNames.filter((name) => rightsOf(name).some(({ Action }) => Action.includes(action)));
    const listed = (need: (entry: FunctionEntry) => boolean) =>
      functionNames.filter((name) => need(functions[name]));
    expect(who('bedrock:InvokeModel')).toEqual(listed((entry) => entry.invokesModels === true));
    expect(who('lambda:InvokeFunction')).toEqual(listed((entry) => entry.invokesTools === true));
    expect(who('secretsmanager:GetSecretValue')).toEqual(
      listed((entry) => entry.readsSecrets === true || entry.readsSignInSecret === true),
    );
    const secretsOf = (name: string) =>
      rightsOf(name)
        .filter(({ Action }) => Action.includes('secretsmanager:GetSecretValue'))
        .flatMap(({ Resource }) => Resource);
    const [sealing] = ofType(template, 'AWS::SecretsManager::Secret').map(([id]) => `<${id}>`);
    expect(secretsOf('auth')).toEqual([sealing]);
    for (const name of listed((entry) => entry.readsSecrets === true))
      expect(secretsOf(name).join(' ')).toMatch(/:secret:reprise\/\*$/);
    const keepsSchedules = listed((entry) => entry.keepsSchedules === true);
    expect(who('scheduler:CreateSchedule')).toEqual(keepsSchedules);
    expect(who('iam:PassRole')).toEqual(keepsSchedules);
    expect(who('events:PutEvents')).toEqual(listed((entry) => entry.putsEvents === true));
    expect(who('states:SendTaskSuccess')).toEqual(
      listed((entry) => entry.machines?.includes('answer') === true),
    );
  });

  // Functions are told the alias. The right is on the machine as well, because that is the ARN on which a start by alias is checked.
  test('a start is allowed on the machines and their alias, which every function is told', () => {
    const starts = functionNames.flatMap((name) =>
      rightsOf(name)
        .filter(({ Action }) => Action.includes('states:StartExecution'))
        .flatMap(({ Resource }) => Resource),
    );
    const machine = /^.*:stateMachine:/;
    expect([...new Set(starts.map((resource) => resource.replace(machine, '')))].sort()).toEqual([
      'Reprise-recover',
      'Reprise-recover:live',
      'Reprise-run',
      'Reprise-run:live',
    ]);
    for (const [, made] of ofType(template, 'AWS::Lambda::Function')) {
      const { Variables } = z
        .object({ Variables: z.record(z.string(), z.unknown()) })
        .parse(made.Properties.Environment);
      expect(readable(Variables.REPRISE_RUN_MACHINE_ARN)).toMatch(/:Reprise-run:live$/);
      expect(readable(Variables.REPRISE_RECOVER_MACHINE_ARN)).toMatch(/:Reprise-recover:live$/);
    }
  });

  test('agents cannot use the functions of the stack as tools', () => {
    for (const [, made] of ofType(template, 'AWS::Lambda::Function'))
      expect(made.Properties.FunctionName).not.toMatch(new RegExp(`^${toolFunctionPrefix}`));
  });

  test('every wildcard in a right is one that has a reason', () => {
    const shape = (resource: string) =>
      resource.replace(/<[^>]*?([A-Za-z]+)[0-9A-F]{8}\.Arn>/g, '<$1>');
    const found = ofType(template, 'AWS::IAM::Policy').flatMap(([, each]) =>
      Policy.parse(each.Properties).PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
        Resource.filter((resource) => resource.includes('*')).map(
          (resource) => `${shape(resource)} ${[...Action].sort().join(' ')}`,
        ),
      ),
    );
    const logDelivery = ['Create', 'Delete', 'Get', 'Update'].map(
      (verb) => `logs:${verb}LogDelivery`,
    );
    const bedrock = 'bedrock:InvokeModel bedrock:InvokeModelWithResponseStream';
    const here = '<AWS::Region>:<AWS::AccountId>';
    const schedules = ['Create', 'Delete', 'Get', 'Update']
      .map((verb) => `scheduler:${verb}Schedule`)
      .join(' ');
    const traces = 'xray:PutTelemetryRecords xray:PutTraceSegments';
    expect([...new Set(found)].sort()).toEqual(
      [
        `* ${traces}`,
        `* dynamodb:ListStreams ${traces}`,
        `* ${[
          ...logDelivery,
          'logs:DescribeLogGroups',
          'logs:DescribeResourcePolicies',
          'logs:ListLogDeliveries',
          'logs:PutResourcePolicy',
          'xray:GetSamplingRules',
          'xray:GetSamplingTargets',
          ...traces.split(' '),
        ]
          .sort()
          .join(' ')}`,
        '<FunctionsSweep>:* lambda:InvokeFunction',
        '<StorageBlobs>/* s3:GetObject s3:PutObject',
        `arn:<AWS::Partition>:bedrock:*::foundation-model/* ${bedrock}`,
        `arn:<AWS::Partition>:bedrock:*:<AWS::AccountId>:application-inference-profile/* ${bedrock}`,
        `arn:<AWS::Partition>:bedrock:*:<AWS::AccountId>:inference-profile/* ${bedrock}`,
        `arn:<AWS::Partition>:lambda:${here}:function:reprise-tool-* lambda:InvokeFunction`,
        `arn:<AWS::Partition>:secretsmanager:${here}:secret:reprise/* secretsmanager:GetSecretValue`,
        `arn:<AWS::Partition>:scheduler:${here}:schedule/Reprise-routines/* ${schedules}`,
        `arn:<AWS::Partition>:states:${here}:execution:Reprise-recover:* states:DescribeExecution`,
        `arn:<AWS::Partition>:states:${here}:execution:Reprise-run:* states:DescribeExecution`,
      ].sort(),
    );
  });
});

describe('what must last', () => {
  test('tables are kept, protected and restorable to any second', () => {
    for (const [, table] of ofType(template, 'AWS::DynamoDB::Table'))
      expect(table).toMatchObject({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      });
  });

  test('buckets and users are kept, and no bucket is public', () => {
    for (const [, bucket] of ofType(template, 'AWS::S3::Bucket'))
      expect(bucket).toMatchObject({
        DeletionPolicy: 'Retain',
        Properties: {
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        },
      });
    expect(ofType(template, 'AWS::Cognito::UserPool')).toMatchObject([
      [expect.anything(), { DeletionPolicy: 'Retain' }],
    ]);
  });

  test('only the ledger and its neighbours lack an expiry; idempotency records have one', () => {
    const expiring = ofType(template, 'AWS::DynamoDB::Table')
      .filter(([, table]) => 'TimeToLiveSpecification' in table.Properties)
      .map(([, table]) => table.Properties.TableName);
    expect(expiring).toEqual(['Reprise-Idempotency']);
  });
});
