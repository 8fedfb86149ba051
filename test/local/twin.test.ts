// The twin as a whole: one per folder, goes on after a restart, and uses services from elsewhere when told to.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../local/base/clock.ts';
import type { Place } from '../../local/base/names.ts';
import { openServices, type Services } from '../../local/deployment/services.ts';
import { openAuthoriser } from '../../local/gateway/authoriser.ts';
import { openGateway } from '../../local/gateway/server.ts';
import type { Twin } from '../../local/twin.ts';
import {
  eventually,
  handling,
  temporaryFolder,
  testFunction,
  twinForTest,
} from './twin-for-tests.ts';

const Item = { pk: { S: 'a' }, sk: { S: 'b' } };
const dynamoOf = (twin: Twin): DynamoDBClient =>
  new DynamoDBClient({ ...twin.substrate('anybody').aws('dynamodb') });

describe('a data folder', () => {
  it('is used by one twin at a time, and the second is told who has it', async () => {
    const dataDir = await temporaryFolder();
    const first = await twinForTest({ dataDir });
    await expect(twinForTest({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`);
    await first.close();
    await twinForTest({ dataDir });
  });

  it('keeps tables, machines and secrets over a restart, and makes no new version of an unchanged machine', async () => {
    const dataDir = await temporaryFolder();
    const first = await twinForTest({ dataDir });
    await dynamoOf(first).send(new PutItemCommand({ TableName: 'Ledger', Item }));
    await first.secrets.write('key', 'value');
    await first.close();
    const second = await twinForTest({ dataDir });
    const got = await dynamoOf(second).send(new GetItemCommand({ TableName: 'Ledger', Key: Item }));
    expect(got.Item).toEqual(Item);
    expect(second.secrets.read('key')).toBe('value');
    const stateMachineArn = second.machineArns.run.replace(/:live$/, '');
    const versions = await second.stepFunctions.handle('ListStateMachineVersions', {
      stateMachineArn,
    });
    expect(versions.body).toMatchObject({
      stateMachineVersions: [{ stateMachineVersionArn: `${stateMachineArn}:1` }],
    });
  });

  it('has its manifest’s schedule, which fires at once and is not made twice', async () => {
    const dataDir = await temporaryFolder();
    const sweeps: number[] = [];
    const options = {
      dataDir,
      schedules: true,
      handlers: { sweep: handling(() => void sweeps.push(1)) },
    };
    const first = await twinForTest(options);
    await eventually(() => sweeps.length === 1);
    await first.close();
    const second = await twinForTest(options);
    await eventually(() => sweeps.length === 2);
    await second.close();
  });
});

describe('a taken port', () => {
  it('is said as EADDRINUSE and leaves the folder free', async () => {
    const taken = await twinForTest();
    const dataDir = await temporaryFolder();
    await expect(twinForTest({ dataDir, port: taken.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await twinForTest({ dataDir });
  });
});

describe('a token', () => {
  it('names a person with roles and is signed by the key the issuer publishes', async () => {
    const twin = await twinForTest();
    const keys = createRemoteJWKSet(new URL(`${twin.url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(await twin.token('ben'), keys, {
      issuer: twin.url,
      audience: 'reprise',
    });
    expect(payload).toMatchObject({ sub: 'ben', name: 'Ben', roles: ['member'] });
  });
});

const elsewhere: Place = { region: 'us-east-1', account: '111111111111' };

/** DynamoDB, Step Functions and the rest, served over HTTP and nothing more, as another implementation would be. */
const otherServices = async (lambdaUrl: string): Promise<{ url: string; services: Services }> => {
  const clock = realClock();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const services = openServices({
    dataDir: await temporaryFolder(),
    clock,
    place: elsewhere,
    log,
    measures: { put: () => undefined },
    notify: () => undefined,
    synchronous: 'FULL',
    endpoints: { lambda: lambdaUrl },
    functions: {},
    handlers: {},
    lentSecrets: {},
    crash: { at: () => undefined },
    environment: () => ({}),
  });
  onTestFinished(() => services.close());
  services.stepFunctions?.start();
  const world = { clock, place: elsewhere };
  const gateway = await openGateway(0, () => ({
    ...world,
    runtime: services.runtime,
    services: services.wire,
    authoriser: openAuthoriser(services.runtime, world),
    routes: [],
    streams: () => false,
    pageRoot: '/nowhere',
    documents: {},
    provider: async () => {},
    address: () => '',
  }));
  onTestFinished(() => gateway.close());
  return { url: gateway.url, services };
};

const freePort = async (): Promise<number> => {
  const gateway = await openGateway(0, () => undefined);
  await gateway.close();
  return gateway.port;
};

describe('services from elsewhere', () => {
  it('hold the tables, the machine and the stream, and the other interpreter calls back the twin’s functions', async () => {
    const port = await freePort();
    const other = await otherServices(`http://127.0.0.1:${port}`);
    const published: string[] = [];
    const sweeps: number[] = [];
    const twin = await twinForTest({
      port,
      processEnvironment: {
        AWS_ENDPOINT_URL_DYNAMODB: other.url,
        AWS_ENDPOINT_URL_SFN: other.url,
        AWS_ENDPOINT_URL_EVENTS: other.url,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: other.url,
        AWS_ENDPOINT_URL_S3: `${other.url}/`,
        AWS_ENDPOINT_URL_SCHEDULER: other.url,
      },
      schedules: true,
      functions: { echo: testFunction() },
      handlers: {
        echo: handling((event) => event),
        sweep: handling(() => void sweeps.push(1)),
        publish: handling((event) => void published.push(JSON.stringify(event))),
      },
    });
    expect(() => twin.dynamo).toThrow('no DynamoDB of its own');
    expect(() => twin.stepFunctions).toThrow('no Step Functions of its own');
    expect(existsSync(join(twin.dataDir, 'dynamodb.sqlite'))).toBe(false);
    expect(twin.machineArns.run).toBe(
      'arn:aws:states:us-east-1:111111111111:stateMachine:reprise-run:live',
    );

    const outbox = { pk: { S: 'OUT#1' }, sk: { S: 'x' } };
    const put = new PutItemCommand({ TableName: 'Conversations', Item: outbox });
    await dynamoOf(twin).send(put);
    expect(other.services.dynamo?.readStream('Conversations', '0', 10)).toHaveLength(1);
    await eventually(() => published.length > 0);
    expect(published[0]).toContain('OUT#1');
    other.services.scheduler?.start();
    await eventually(() => sweeps.length > 0);

    const call = other.services.call.sfn;
    const machine = await call('CreateStateMachine', {
      name: 'echoing',
      roleArn: 'arn:aws:iam::111111111111:role/any',
      definition: JSON.stringify({
        QueryLanguage: 'JSONata',
        StartAt: 'Call',
        States: {
          Call: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Arguments: {
              FunctionName: 'arn:aws:lambda:us-east-1:000000000000:function:echo',
              Payload: { called: true },
            },
            Output: '{% $states.result.Payload %}',
            End: true,
          },
        },
      }),
    });
    const { executionArn } = await call('StartExecution', {
      stateMachineArn: machine.stateMachineArn,
    });
    const describe = () => call('DescribeExecution', { executionArn });
    await eventually(async () => (await describe()).status !== 'RUNNING');
    expect(await describe()).toMatchObject({ status: 'SUCCEEDED', output: '{"called":true}' });

    const headers = {
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      authorization: 'AWS4-HMAC-SHA256 Credential=a/1/b/dynamodb/aws4_request',
    };
    const refused = await fetch(twin.url, { method: 'POST', headers, body: '{}' });
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain(other.url);
  });

  it('are refused when the variable holds no URL', async () => {
    const processEnvironment = { AWS_ENDPOINT_URL_SFN: 'localhost:8083' };
    await expect(twinForTest({ processEnvironment })).rejects.toThrow('AWS_ENDPOINT_URL_SFN');
  });
});
