// Each AWS service of the twin through its SDK client, in-process and over HTTP, and through the AWS CLI where there is one.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, ListRulesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListScheduleGroupsCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import type { AwsService, AwsTransport } from '../../functions/wiring/substrate.ts';
import type { Twin } from '../../local/twin.ts';
import { eventually, handling, testFunction, twinForTest } from './twin-for-tests.ts';

const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };

type Way = (twin: Twin, service: AwsService) => AwsTransport;
const ways: [string, Way][] = [
  ['in-process', (twin, service) => twin.substrate('anybody').aws(service)],
  ['over HTTP', (twin) => ({ endpoint: twin.url, region: 'us-east-1', credentials })],
];

const twinWithEcho = (): Promise<Twin> =>
  twinForTest({
    functions: { echo: testFunction() },
    handlers: { echo: handling((event) => event) },
  });

describe.each(ways)('%s', (_name, transport) => {
  it('DynamoDB stores, queries and refuses by condition', async () => {
    const twin = await twinWithEcho();
    const client = new DynamoDBClient({ ...transport(twin, 'dynamodb') });
    const Item = { pk: { S: 'CNV#1' }, sk: { S: 'MSG#1' }, text: { S: 'é' } };
    const put = new PutItemCommand({
      TableName: 'Conversations',
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await client.send(put);
    await expect(client.send(put)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    const found = await client.send(
      new QueryCommand({
        TableName: 'Conversations',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'CNV#1' } },
      }),
    );
    expect(found.Items).toEqual([Item]);
  });

  it('Step Functions runs a machine that calls a function of the twin', async () => {
    const twin = await twinWithEcho();
    const client = new SFNClient({ ...transport(twin, 'sfn') });
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Call',
      States: {
        Call: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          Arguments: { FunctionName: 'echo', Payload: '{% $states.input %}' },
          Output: '{% $states.result.Payload %}',
          End: true,
        },
      },
    };
    const { stateMachineArn } = await client.send(
      new CreateStateMachineCommand({
        name: 'echoing',
        roleArn: 'arn:aws:iam::000000000000:role/any',
        definition: JSON.stringify(definition),
      }),
    );
    const { executionArn } = await client.send(
      new StartExecutionCommand({ stateMachineArn, input: '{"a":1}' }),
    );
    const describe = new DescribeExecutionCommand({ executionArn });
    await eventually(async () => (await client.send(describe)).status === 'SUCCEEDED');
    expect((await client.send(describe)).output).toBe('{"a":1}');
  });

  it('Lambda invokes', async () => {
    const twin = await twinWithEcho();
    const client = new LambdaClient({ ...transport(twin, 'lambda') });
    const answer = await client.send(
      new InvokeCommand({ FunctionName: 'echo', Payload: '{"text":"é"}' }),
    );
    expect(answer.StatusCode).toBe(200);
    expect(answer.Payload?.transformToString()).toBe('{"text":"é"}');
    const absent = new InvokeCommand({ FunctionName: 'absent' });
    await expect(client.send(absent)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('EventBridge takes good entries, refuses bad ones singly, and lists rules', async () => {
    const twin = await twinWithEcho();
    const client = new EventBridgeClient({ ...transport(twin, 'eventbridge') });
    const entry = { Source: 'reprise', DetailType: 'run.finished', EventBusName: 'reprise' };
    const result = await client.send(
      new PutEventsCommand({
        Entries: [
          { ...entry, Detail: '{"run":1}' },
          { ...entry, Detail: 'no json' },
        ],
      }),
    );
    expect(result.FailedEntryCount).toBe(1);
    expect(result.Entries?.map((each) => each.ErrorCode)).toEqual([undefined, 'MalformedDetail']);
    expect(twin.bus.recent('reprise').map(({ detail }) => detail)).toEqual([{ run: 1 }]);
    const { Rules } = await client.send(new ListRulesCommand({}));
    expect(Rules?.map(({ Name }) => Name)).toEqual(['execution-ended']);
  });

  it('Scheduler creates, shows, changes, lists and deletes schedules', async () => {
    const twin = await twinWithEcho();
    const client = new SchedulerClient({ ...transport(twin, 'scheduler') });
    const schedule = {
      Name: 'daily',
      ScheduleExpression: 'cron(0 9 ? * MON-FRI *)',
      ScheduleExpressionTimezone: 'Europe/Paris',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:echo', RoleArn: 'arn:any' },
    } as const;
    const { ScheduleArn } = await client.send(new CreateScheduleCommand(schedule));
    expect(ScheduleArn).toBe('arn:aws:scheduler:us-east-1:000000000000:schedule/default/daily');
    await expect(client.send(new CreateScheduleCommand(schedule))).rejects.toMatchObject({
      name: 'ConflictException',
    });
    await client.send(new UpdateScheduleCommand({ ...schedule, State: 'DISABLED' }));
    const shown = await client.send(new GetScheduleCommand({ Name: 'daily' }));
    expect(shown).toMatchObject({ State: 'DISABLED', ScheduleExpressionTimezone: 'Europe/Paris' });
    const listed = await client.send(new ListSchedulesCommand({ NamePrefix: 'da' }));
    expect(listed.Schedules?.map(({ Name }) => Name)).toEqual(['daily']);
    const groups = await client.send(new ListScheduleGroupsCommand({}));
    expect(groups.ScheduleGroups?.map(({ Name }) => Name)).toContain('default');
    await client.send(new DeleteScheduleCommand({ Name: 'daily' }));
    await expect(client.send(new GetScheduleCommand({ Name: 'daily' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    const wrong = { ...schedule, ScheduleExpression: 'cron(0 9 * * * *)' };
    await expect(client.send(new CreateScheduleCommand(wrong))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('Secrets Manager keeps values in a file of its owner alone', async () => {
    const twin = await twinWithEcho();
    const client = new SecretsManagerClient({ ...transport(twin, 'secretsmanager') });
    await client.send(new CreateSecretCommand({ Name: 'reprise/key', SecretString: 'one' }));
    await client.send(new PutSecretValueCommand({ SecretId: 'reprise/key', SecretString: 'two' }));
    const { SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: 'reprise/key' }),
    );
    expect(SecretString).toBe('two');
    const { SecretList } = await client.send(new ListSecretsCommand({}));
    expect(JSON.stringify(SecretList)).not.toContain('two');
    const { mode } = await stat(join(twin.dataDir, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
    await expect(
      client.send(new GetSecretValueCommand({ SecretId: 'none' })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('S3 stores bytes under any key, and never twice under a key that must be new', async () => {
    const twin = await twinWithEcho();
    const client = new S3Client({ ...transport(twin, 's3') });
    const Body = Buffer.from([0, 10, 13, 255]);
    for (const Key of ['local/blob', '../../../escape', 'a//b', '.', 'ü '.repeat(100)]) {
      const at = { Bucket: 'reprise-blobs', Key };
      await client.send(new PutObjectCommand({ ...at, Body, ContentType: 'application/x-any' }));
      const got = await client.send(new GetObjectCommand(at));
      expect(await got.Body?.transformToByteArray(), Key).toEqual(new Uint8Array(Body));
      const head = await client.send(new HeadObjectCommand(at));
      expect(head).toMatchObject({ ContentLength: 4, ContentType: 'application/x-any' });
      const again = new PutObjectCommand({ ...at, Body, IfNoneMatch: '*' });
      await expect(client.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    }
    expect(await readdir(join(twin.dataDir, 'blobs'))).toEqual(['reprise-blobs']);
    const absent = new GetObjectCommand({ Bucket: 'reprise-blobs', Key: 'none' });
    await expect(client.send(absent)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('the AWS protocols on the port', () => {
  const list = { 'x-amz-target': 'DynamoDB_20120810.ListTables' };
  const signed = {
    authorization:
      'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, Signature=x',
  };
  const cases: [string, Record<string, string>, number][] = [
    ['are answered with any signature', { ...list, ...signed }, 200],
    ['are refused without one', list, 403],
    [
      'are refused to a page of another origin',
      { ...list, ...signed, origin: 'http://evil.example' },
      403,
    ],
    [
      'are refused when a browser says cross-site',
      { ...list, ...signed, 'sec-fetch-site': 'cross-site' },
      403,
    ],
    ['know no other service', { ...signed, 'x-amz-target': 'Nothing_1.Do' }, 400],
    ['know no other operation', { ...signed, 'x-amz-target': 'DynamoDB_20120810.Fly' }, 400],
  ];
  it.each(cases)('%s', async (_title, headers, status) => {
    const twin = await twinForTest();
    const response = await fetch(twin.url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(status);
  });

  it('work with the AWS CLI, where there is one', async () => {
    if (spawnSync('aws', ['--version']).status !== 0) return;
    const twin = await twinWithEcho();
    const { spawn } = await import('node:child_process');
    const aws = async (...args: string[]): Promise<unknown> => {
      const child = spawn('aws', ['--endpoint-url', twin.url, '--output', 'json', ...args], {
        env: {
          ...process.env,
          AWS_ACCESS_KEY_ID: 'any',
          AWS_SECRET_ACCESS_KEY: 'any',
          AWS_DEFAULT_REGION: 'us-east-1',
        },
      });
      const [out, complaints] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
      if (out.length === 0) throw new Error(complaints.join(''));
      return JSON.parse(out.join(''));
    };
    expect(await aws('dynamodb', 'list-tables')).toMatchObject({
      TableNames: expect.arrayContaining(['Conversations', 'Ledger']),
    });
    const key = '{"pk":{"S":"a"},"sk":{"S":"b"}}';
    const get = ['dynamodb', 'get-item', '--table-name', 'Ledger', '--key', key];
    const item = await aws(...get, '--return-consumed-capacity', 'TOTAL');
    expect(item).toHaveProperty('ConsumedCapacity');
    expect(await aws('stepfunctions', 'list-state-machines')).toHaveProperty('stateMachines');
    expect(await aws('scheduler', 'list-schedule-groups')).toHaveProperty('ScheduleGroups');
    expect(await aws('events', 'list-event-buses')).toHaveProperty('EventBuses');
    expect(await aws('secretsmanager', 'list-secrets')).toEqual({
      SecretList: [expect.objectContaining({ Name: 'Reprise-sign-in' })],
    });
    const file = join(twin.dataDir, 'answer.json');
    const payload = ['--payload', '{"a":1}'];
    await aws('lambda', 'invoke', '--function-name', 'echo', ...payload, file);
    expect(await readFile(file, 'utf8')).toBe('{"a":1}');
  });
});
