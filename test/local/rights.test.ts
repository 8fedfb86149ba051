// A function of the twin has the rights of its role on AWS, and no more. Laws: L3, L4, L18.
import {
  DeleteItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ListStateMachinesCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, it } from 'vitest';
import { functionNames } from '../../functions/manifest.ts';
import { dynamoClientFrom } from '../../functions/wiring/store.ts';
import { signInSecret } from '../../local/lambda/environment.ts';
import { twinForTest } from './twin-for-tests.ts';

const item = (pk: string) => ({ TableName: 'Ledger', Item: { pk: { S: pk }, sk: { S: 'x' } } });
const denied = { name: 'AccessDeniedException' };

it('opens no attempt and deletes nothing unless its role may, alone or in a transaction', async () => {
  const twin = await twinForTest();
  for (const name of functionNames) {
    const client = dynamoClientFrom(twin.substrate(name));
    const Key = { pk: { S: 'ACT#1' }, sk: { S: 'ACT' } };
    const gone = client.send(new DeleteItemCommand({ TableName: 'Ledger', Key }));
    await expect(gone, name).rejects.toMatchObject(denied);
    const scan = client.send(new ScanCommand({ TableName: 'Conversations' }));
    await expect(scan, name).rejects.toMatchObject(denied);
    const puts = [
      client.send(new PutItemCommand(item(`ATT#${name}`))),
      client.send(
        new TransactWriteItemsCommand({ TransactItems: [{ Put: item(`ATT#${name} 2`) }] }),
      ),
    ];
    for (const put of puts)
      if (name === 'perform') await put;
      else await expect(put, name).rejects.toMatchObject(denied);
  }
});

it('reaches no service that its role does not name, and of the secrets only its own', async () => {
  const twin = await twinForTest({ secrets: { crm: 'a value' } });
  const { substrate } = twin;
  const secretFor = async (name: string, SecretId: string) =>
    new SecretsManagerClient({ ...substrate(name).aws('secretsmanager') }).send(
      new GetSecretValueCommand({ SecretId }),
    );
  expect((await secretFor('perform', 'crm')).SecretString).toBe('a value');
  expect((await secretFor('auth', signInSecret)).SecretString).toContain('sealingKey');
  await expect(secretFor('perform', signInSecret)).rejects.toMatchObject(denied);
  await expect(secretFor('auth', 'crm')).rejects.toMatchObject(denied);
  await expect(secretFor('clients', 'crm')).rejects.toMatchObject(denied);
  const bus = new EventBridgeClient({ ...substrate('clients').aws('eventbridge') });
  await expect(bus.send(new PutEventsCommand({ Entries: [] }))).rejects.toMatchObject(denied);
  const machines = new SFNClient({ ...substrate('clients').aws('sfn') });
  const start = new StartExecutionCommand({ stateMachineArn: 'x' });
  await expect(machines.send(start)).rejects.toMatchObject(denied);
  const bodies = new S3Client({ ...substrate('clients').aws('s3') });
  const get = new GetObjectCommand({ Bucket: 'reprise-blobs', Key: 'x' });
  await expect(bodies.send(get)).rejects.toMatchObject({ name: 'AccessDenied' });
});

it('does with a service what its right stands for and nothing else', async () => {
  const { substrate } = await twinForTest({ secrets: { crm: 'a value' } });
  const bodies = new S3Client({ ...substrate('api').aws('s3') });
  const body = { Bucket: 'reprise-blobs', Key: 'x' };
  await bodies.send(new PutObjectCommand({ ...body, Body: 'kept' }));
  await bodies.send(new GetObjectCommand(body));
  const s3 = { name: 'AccessDenied' };
  await expect(bodies.send(new DeleteObjectCommand(body))).rejects.toMatchObject(s3);
  const list = new ListObjectsV2Command({ Bucket: body.Bucket });
  await expect(bodies.send(list)).rejects.toMatchObject(s3);
  const machines = new SFNClient({ ...substrate('sweep').aws('sfn') });
  await expect(machines.send(new ListStateMachinesCommand({}))).rejects.toMatchObject(denied);
  const schedules = new SchedulerClient({ ...substrate('api').aws('scheduler') });
  await expect(schedules.send(new ListSchedulesCommand({}))).rejects.toMatchObject(denied);
  const secrets = new SecretsManagerClient({ ...substrate('perform').aws('secretsmanager') });
  const put = new PutSecretValueCommand({ SecretId: 'crm', SecretString: 'another' });
  await expect(secrets.send(put)).rejects.toMatchObject(denied);
});
