// What callers meet first: the page's headers, what is cached, the gateway's own errors; and what wakes the person on duty.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { settingsFrom } from '../../../cdk/settings.ts';
import { roles } from '../../../functions/api/identity/access.ts';
import { ProblemBody } from '../../../functions/api/problems/problems.ts';
import { loginPorts, routeLimits, routes } from '../../../functions/manifest.ts';
import { metrics } from '../../../functions/metrics.ts';
import { pageHeaders } from '../../../functions/page-headers.ts';
import { ofType, templateFor } from '../synthesis.ts';

const template = templateFor();

/** What the function before the bucket makes of an address. */
const atEdge = (uri: string): unknown => {
  const [found] = ofType(template, 'AWS::CloudFront::Function');
  const { FunctionCode } = z.object({ FunctionCode: z.string() }).parse(found?.[1].Properties);
  return runInNewContext(`${FunctionCode}; handler({ request: { uri } })`, { uri });
};

describe('the page', () => {
  test('is given to every address that names no file, but to none that asks for some API', () => {
    for (const uri of ['/', '/conversations/cnv_1', '/apiary'])
      expect(atEdge(uri)).toEqual({ uri: '/index.html' });
    expect(atEdge('/assets/x.js')).toEqual({ uri: '/assets/x.js' });
    for (const uri of ['/v2/foo', '/v1', '/api/x']) {
      const answer = z
        .object({ statusCode: z.literal(404), body: z.object({ data: z.string() }) })
        .parse(atEdge(uri));
      expect(ProblemBody.parse(JSON.parse(answer.body.data))).toMatchObject({ instance: uri });
    }
  });

  test('has the same security headers as from the twin', () => {
    const [policy] = ofType(template, 'AWS::CloudFront::ResponseHeadersPolicy');
    expect(policy?.[1].Properties).toMatchObject({
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: {
            ContentSecurityPolicy: pageHeaders['content-security-policy'],
            Override: true,
          },
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: pageHeaders['x-frame-options'] },
          ReferrerPolicy: { ReferrerPolicy: pageHeaders['referrer-policy'] },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
        },
        CustomHeadersConfig: {
          Items: [
            'cross-origin-opener-policy',
            'cross-origin-resource-policy',
            'permissions-policy',
          ].map((header) => expect.objectContaining({ Header: header })),
        },
      },
    });
  });

  test('allows no script, style or connection but its own', () => {
    expect(pageHeaders['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
    expect(pageHeaders['content-security-policy']).toContain("default-src 'none'");
  });

  test('passes /v1/* and /auth/* to the API with token and cookies, uncached and uncompressed', () => {
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    const allViewerExceptHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
    const [distribution] = ofType(template, 'AWS::CloudFront::Distribution');
    expect(distribution?.[1].Properties).toMatchObject({
      DistributionConfig: {
        CacheBehaviors: ['/v1/*', '/auth/*'].map((PathPattern) => ({
          PathPattern,
          CachePolicyId: cachingDisabled,
          OriginRequestPolicyId: allViewerExceptHost,
          Compress: false,
          ViewerProtocolPolicy: 'https-only',
        })),
      },
    });
  });
});

test('each of the gateway’s own errors is a problem with its own status', () => {
  const Answer = z.object({
    StatusCode: z.string(),
    ResponseParameters: z.looseObject({
      'gatewayresponse.header.content-type': z.literal("'application/problem+json'"),
    }),
    ResponseTemplates: z.object({ 'application/json': z.string() }),
  });
  const answers = ofType(template, 'AWS::ApiGateway::GatewayResponse');
  expect(answers.length).toBeGreaterThan(0);
  for (const [id, made] of answers) {
    const { StatusCode, ResponseTemplates } = Answer.parse(made.Properties);
    const body = JSON.parse(ResponseTemplates['application/json']);
    const problem = ProblemBody.extend({ type: z.string() }).parse(body);
    expect(String(problem.status), id).toBe(StatusCode);
  }
});

describe('the user pool', () => {
  test('has a group for each role, which no client can hand out', () => {
    expect(
      ofType(template, 'AWS::Cognito::UserPoolGroup').map(([, made]) => made.Properties.GroupName),
    ).toEqual(roles);
    expect(ofType(template, 'AWS::Cognito::UserPoolClient')).toMatchObject([
      [
        expect.anything(),
        {
          Properties: {
            AllowedOAuthFlows: ['code'],
            AllowedOAuthScopes: ['openid', 'email', 'profile'],
            GenerateSecret: false,
            WriteAttributes: expect.not.arrayContaining(['custom:workspace']),
          },
        },
      ],
    ]);
    expect(ofType(template, 'AWS::Cognito::UserPool')).toMatchObject([
      [
        expect.anything(),
        { Properties: { AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } } },
      ],
    ]);
  });
});

describe('signing in', () => {
  test('comes back to the page, or to the command line on the person’s own machine', () => {
    const [client] = ofType(template, 'AWS::Cognito::UserPoolClient');
    const returns = JSON.stringify(client?.[1].Properties.CallbackURLs);
    expect(returns).toContain('/auth/callback');
    for (const port of loginPorts) expect(returns).toContain(`http://localhost:${port}/callback`);
  });

  test('has limits of its own, below those of the whole', () => {
    const [stage] = ofType(template, 'AWS::ApiGateway::Stage');
    const signing = routes.filter(({ function: name }) => name === 'auth');
    expect(stage?.[1].Properties.MethodSettings).toEqual(
      expect.arrayContaining(
        signing.map(({ path, method }) =>
          expect.objectContaining({
            ResourcePath: path.replaceAll('/', '~1').replace(/^~1/, '/~1'),
            HttpMethod: method,
            ThrottlingRateLimit: routeLimits.auth.perSecond,
            ThrottlingBurstLimit: routeLimits.auth.burst,
          }),
        ),
      ),
    );
  });

  test('at your own issuer is by the client you name, or by the audience', () => {
    const own = { issuer: 'https://id.example.com', audience: 'api' };
    expect(templateFor(own).Outputs.ClientId).toMatchObject({ Value: 'api' });
    expect(templateFor({ ...own, clientId: 'page' }).Outputs.ClientId).toMatchObject({
      Value: 'page',
    });
    expect(() => settingsFrom({ clientId: 'page' })).toThrow('clientId');
    expect(() => settingsFrom({ scope: 'email' })).toThrow('openid');
  });
});

describe('alarms', () => {
  const Alarm = z.looseObject({
    AlarmDescription: z.string(),
    AlarmActions: z.array(z.unknown()).min(1),
    Namespace: z.string(),
    MetricName: z.string(),
  });
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([, made]) =>
    Alarm.parse(made.Properties),
  );

  test('each says what is wrong and tells somebody', () => {
    for (const alarm of alarms) expect(alarm.AlarmDescription.length).toBeGreaterThan(30);
  });

  test('every metric of our own is watched', () => {
    const { namespace, names } = metrics;
    const watched = alarms
      .filter((alarm) => alarm.Namespace === namespace)
      .map((alarm) => alarm.MetricName);
    const { undetermined, ...alarming } = names;
    expect(watched.sort()).toEqual(Object.values(alarming).sort());
    const [dashboard] = ofType(template, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboard)).toContain(undetermined);
  });

  test('are as many as docs/deploy.md counts in what the stack costs', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
    const counted = /\((\d+) alarms, (\d+) metrics:/.exec(text)?.slice(1).map(Number);
    expect(counted).toEqual([alarms.length, Object.keys(metrics.names).length]);
  });

  test('a sweep that falls silent is itself an alarm', () => {
    expect(alarms).toContainEqual(
      expect.objectContaining({
        AlarmName: 'Reprise-SweepSilent',
        MetricName: 'Invocations',
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      }),
    );
  });

  test('executions that fail, time out or are throttled, and dead letters, are watched', () => {
    expect(alarms.map((alarm) => alarm.MetricName)).toEqual(
      expect.arrayContaining([
        'ExecutionsFailed',
        'ExecutionsTimedOut',
        'ExecutionThrottled',
        'ApproximateNumberOfMessagesVisible',
        'IteratorAge',
      ]),
    );
  });
});
