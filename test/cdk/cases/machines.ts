// The state machines and what they may touch; who answers their tokens; who is told that somebody is needed.
import { describe, expect, test } from 'vitest';
import {
  functionNames,
  machineNames,
  machines,
  notifications,
} from '../../../functions/manifest.ts';
import { Policy, rightsOf, tableId } from '../rights.ts';
import { ofType, templateFor } from '../synthesis.ts';

const template = templateFor();

describe.each(machineNames)('the machine %s', (name) => {
  const found = ofType(template, 'AWS::StepFunctions::StateMachine').find(
    ([, made]) => made.Properties.StateMachineName === `Reprise-${name}`,
  );
  const [id, machine] = found ?? [];

  test('is traced, and its log has no execution data (L18)', () => {
    expect(machine?.Properties).toMatchObject({
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
    });
    const logs = ofType(template, 'AWS::Logs::LogGroup').map(([, made]) => made.Properties);
    expect(logs).toContainEqual(
      expect.objectContaining({ LogGroupName: `/aws/vendedlogs/states/Reprise-${name}` }),
    );
  });

  test('keeps every version that was ever live', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    const versions = ofType(template, 'AWS::StepFunctions::StateMachineVersion').filter(
      ([, made]) => JSON.stringify(made.Properties.StateMachineArn).includes(`"${id}"`),
    );
    expect(versions).toMatchObject([[expect.anything(), kept]]);
    const aliases = ofType(template, 'AWS::StepFunctions::StateMachineAlias').filter(([, made]) =>
      JSON.stringify(made.Properties).includes(`"${versions[0]?.[0]}"`),
    );
    expect(aliases).toMatchObject([[expect.anything(), { ...kept, Properties: { Name: 'live' } }]]);
  });

  test('may invoke its functions and reach its tables, and no more', () => {
    const roles = JSON.stringify(machine?.Properties.RoleArn);
    const policies = ofType(template, 'AWS::IAM::Policy')
      .map(([, each]) => Policy.parse(each.Properties))
      .filter((policy) => policy.Roles.some(({ Ref }) => roles.includes(`"${Ref}"`)));
    const statements = policies.flatMap((policy) => policy.PolicyDocument.Statement);
    const data = statements.filter(({ Action }) => Action.some((each) => /^dynamodb:/.test(each)));
    const reached = Object.values<string>(machines[name].tables);
    expect(data.map(({ Action, Resource }) => ({ Action, Resource }))).toEqual(
      reached.map((table) => ({
        Action: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        Resource: [`<${tableId(table)}.Arn>`],
      })),
    );
    const invoked = statements.find(({ Action }) => Action.includes('lambda:InvokeFunction'));
    expect(invoked?.Resource).toHaveLength(Object.keys(machines[name].functions).length);
    const services = statements.flatMap(({ Action }) => Action.map((each) => each.split(':')[0]));
    expect([...new Set(services)].sort()).toEqual(
      ['dynamodb', 'lambda', 'logs', 'xray'].filter(
        (service) => service !== 'dynamodb' || reached.length > 0,
      ),
    );
  });
});

test('task tokens are answered on the machine that binds them only', () => {
  const answered = functionNames.flatMap((name) =>
    rightsOf(name)
      .filter(({ Action }) => Action.includes('states:SendTaskSuccess'))
      .flatMap(({ Resource }) => Resource),
  );
  expect(answered.length).toBeGreaterThan(0);
  for (const resource of answered) expect(resource).toMatch(/:stateMachine:Reprise-run$/);
});

test('routines’ schedules have a group of their own, and a role that only it may use and that calls fire alone', () => {
  const groups = ofType(template, 'AWS::Scheduler::ScheduleGroup');
  expect(groups.map(([, made]) => made.Properties.Name)).toContain('Reprise-routines');
  const [role] = ofType(template, 'AWS::IAM::Role').filter(([id]) => id.startsWith('RoutinesRole'));
  const [group] = groups.filter(([id]) => id.startsWith('RoutinesGroup'));
  expect(role?.[1].Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [group?.[0], 'Arn'] } },
        },
      },
    ],
  });
  const policies = ofType(template, 'AWS::IAM::Policy')
    .map(([, made]) => Policy.parse(made.Properties))
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === role?.[0]));
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  expect(statements).toMatchObject([
    {
      Action: ['lambda:InvokeFunction'],
      Resource: [expect.stringMatching(/:function:Reprise-fire$/)],
    },
  ]);
});

test('who is needed is told by the topic, and a notification that fails is kept', () => {
  expect(ofType(template, 'AWS::Events::Rule').map(([, made]) => made.Properties)).toContainEqual(
    expect.objectContaining({
      EventPattern: { 'detail-type': notifications.detailTypes },
      Targets: [
        expect.objectContaining({
          Arn: { Ref: expect.stringMatching(/^NotificationsTopic/) },
          DeadLetterConfig: expect.anything(),
        }),
      ],
    }),
  );
});
