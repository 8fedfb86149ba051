// What a deployment meets in a real account: quotas, names that are taken, policies that replace a default, logs that AWS would
// make by itself. None of it shows in a synthesis, so each is held here.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readable } from '../../../cdk/explain.ts';
import { functions, tableNames, tables } from '../../../functions/manifest.ts';
import { ofType, type Resource, templateFor } from '../synthesis.ts';

const template = templateFor();

const Dependent = z.looseObject({
  DependsOn: z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]),
});
const dependsOn = (resource: Resource | undefined): string[] => Dependent.parse(resource).DependsOn;

const one = (type: string): Resource => {
  const [found, ...others] = ofType(template, type);
  if (found === undefined || others.length > 0) throw new Error(`Not exactly one ${type}.`);
  return found[1];
};

describe('a first deployment', () => {
  test('creates tables with indexes one after another', () => {
    const made = new Map(
      ofType(template, 'AWS::DynamoDB::Table').map((entry) => [
        entry[1].Properties.TableName,
        entry,
      ]),
    );
    const indexed = tableNames.filter((name) => tables[name].indexes.length > 0);
    expect(indexed.length).toBeGreaterThan(1);
    for (const [place, name] of indexed.entries()) {
      const before = indexed[place - 1];
      if (before === undefined) continue;
      const [id] = made.get(`Reprise-${before}`) ?? [];
      expect(dependsOn(made.get(`Reprise-${name}`)?.[1])).toContain(id);
    }
  });

  test('in a second Region takes no name that the account has once only', () => {
    const names = [
      one('AWS::CloudFront::ResponseHeadersPolicy').Properties.ResponseHeadersPolicyConfig,
      one('AWS::CloudFront::OriginAccessControl').Properties.OriginAccessControlConfig,
      one('AWS::CloudFront::Function').Properties,
    ].map((properties) => readable(z.looseObject({ Name: z.unknown() }).parse(properties).Name));
    const board = readable(one('AWS::CloudWatch::Dashboard').Properties.DashboardName);
    for (const name of [...names, board]) expect(name).toContain('<AWS::Region>');
  });

  test('after the stack was deleted finds no schedule group in its way', () => {
    const groups = ofType(template, 'AWS::Scheduler::ScheduleGroup');
    expect(groups).toHaveLength(2);
    for (const [, group] of groups) expect(group.DeletionPolicy).toBe('Delete');
  });
});

test('alarms may publish: the topic’s own policy replaces the one that would have let them', () => {
  const [alarm] = ofType(template, 'AWS::CloudWatch::Alarm');
  const [topic] = z.array(z.object({ Ref: z.string() })).parse(alarm?.[1].Properties.AlarmActions);
  const policies = ofType(template, 'AWS::SNS::TopicPolicy')
    .map(([, made]) => made.Properties)
    .filter(({ Topics }) => JSON.stringify(Topics).includes(`"${topic?.Ref}"`));
  expect(policies).toMatchObject([
    {
      PolicyDocument: {
        Statement: expect.arrayContaining([
          expect.objectContaining({
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    },
  ]);
});

test('a sweep that fails once a minute, which is all it can, is an alarm', () => {
  const thresholds = ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => [
    Properties.AlarmName,
    Properties.Threshold,
  ]);
  expect(thresholds).toContainEqual(['Reprise-SweepErrors', 1]);
  expect(thresholds).toContainEqual(['Reprise-SweepFailing', 1]);
});

describe('the gateway', () => {
  test('finds its own log made, with retention, before its stage is', () => {
    const logs = ofType(template, 'AWS::Logs::LogGroup').find(([, made]) =>
      readable(made.Properties.LogGroupName).startsWith('API-Gateway-Execution-Logs_'),
    );
    expect(readable(logs?.[1].Properties.LogGroupName)).toMatch(/<RestApi[0-9A-F]+>\/live$/);
    expect(logs?.[1].Properties.RetentionInDays).toBe(90);
    expect(dependsOn(one('AWS::ApiGateway::Stage'))).toContain(logs?.[0]);
  });

  test('watches methods with limits of their own like the others', () => {
    const { MethodSettings } = z
      .object({ MethodSettings: z.array(z.looseObject({ ResourcePath: z.string() })) })
      .parse(one('AWS::ApiGateway::Stage').Properties);
    expect(MethodSettings.length).toBeGreaterThan(1);
    for (const settings of MethodSettings)
      expect(settings).toMatchObject({
        LoggingLevel: 'ERROR',
        MetricsEnabled: false,
        DataTraceEnabled: false,
      });
  });

  test('lets a stream that nobody reads any more hold its place for minutes, not for a quarter of an hour', () => {
    expect(functions.stream.timeoutMs).toBeLessThanOrEqual(200_000);
  });

  test('with a firewall counts people by the address that CloudFront passed on', () => {
    const [acl] = ofType(templateFor({ firewall: true }), 'AWS::WAFv2::WebACL');
    expect(acl?.[1].Properties.Rules).toMatchObject([
      {
        Statement: {
          RateBasedStatement: {
            AggregateKeyType: 'FORWARDED_IP',
            ForwardedIPConfig: { HeaderName: 'X-Forwarded-For' },
          },
        },
      },
      { Statement: { RateBasedStatement: { AggregateKeyType: 'IP' } } },
      {
        Statement: { ManagedRuleGroupStatement: { Name: 'AWSManagedRulesKnownBadInputsRuleSet' } },
      },
    ]);
  });
});

test('whoever is invited is told where to sign in', () => {
  const { AdminCreateUserConfig } = one('AWS::Cognito::UserPool').Properties;
  const { InviteMessageTemplate } = z
    .object({ InviteMessageTemplate: z.object({ EmailMessage: z.unknown() }) })
    .parse(AdminCreateUserConfig);
  const message = readable(InviteMessageTemplate.EmailMessage);
  for (const part of ['https://', '{username}', '{####}']) expect(message).toContain(part);
});
