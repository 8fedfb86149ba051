// The stack as a whole: clean under cdk-nag in every variant, the same as last time, and settings that explain themselves.
// After a wanted change: `vitest run test/cdk -u`, and read the difference.
import { expect, test } from 'vitest';
import { settingsFrom } from '../../../cdk/settings.ts';
import { findingsFor, ofType, templateFor } from '../synthesis.ts';

const ownIssuer = { issuer: 'https://id.example.com', audience: 'reprise' };
const variants: [string, { readonly [setting: string]: string }, boolean][] = [
  ['as it comes', {}, false],
  [
    'with everything chosen',
    {
      ...ownIssuer,
      firewall: 'true',
      domainName: 'agents.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/x',
      alarmEmail: 'duty@example.com',
      notificationEmail: 'team@example.com',
      answerScope: 'any',
      models: 'anthropic.*',
      mfa: 'required',
    },
    true,
  ],
];

test.each(variants)('%s, cdk-nag finds nothing that has no reason', (_, chosen, page) => {
  expect(findingsFor(chosen, page)).toEqual([]);
});

test('the template is what it was', async () => {
  const { Resources, Outputs } = templateFor();
  const text = JSON.stringify({ Resources, Outputs }, undefined, 1)
    .replace(/"[0-9a-f]{64}\.zip"/g, '"ASSET.zip"')
    .replace(/"(RestApiDeployment[0-9A-F]{8})[0-9a-f]{32}"/g, '"$1HASH"')
    .replace(/"(DefinitionString|DashboardBody)": .*/g, '"$1": "elsewhere",');
  await expect(`${text}\n`).toMatchFileSnapshot('./template.snapshot');
});

test('your own issuer replaces the user pool', () => {
  const template = templateFor(ownIssuer);
  expect(ofType(template, 'AWS::Cognito::UserPool')).toEqual([]);
  expect(template.Outputs.Issuer).toMatchObject({ Value: ownIssuer.issuer });
  expect(template.Outputs).not.toHaveProperty('UserPoolId');
});

test('the page is uploaded when it has been built', () => {
  expect(ofType(templateFor({}, true), 'Custom::CDKBucketDeployment')).toHaveLength(1);
  expect(ofType(templateFor({}, false), 'Custom::CDKBucketDeployment')).toHaveLength(0);
});

test('a setting that cannot be used is named with what it may be', () => {
  expect(() => settingsFrom({ issuer: 'https://id.example.com' })).toThrow(
    'issuer and audience go together',
  );
  expect(() => settingsFrom({ issuer: 'http://id.example.com', audience: 'a' })).toThrow('issuer');
  expect(() => settingsFrom({ logRetentionDays: '31' })).toThrow('logRetentionDays');
  expect(() => settingsFrom({ mfa: 'never' })).toThrow('mfa');
  expect(() => settingsFrom({ certificateArn: 'arn:aws:acm:…' })).toThrow('domainName');
});
