// The AWS SDK and, where it is installed, the AWS CLI work against the twin over HTTP: the wire format is AWS's.
import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { afterEach, expect, it } from 'vitest';
import { openRig, type Rig, until } from './rig.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const serve = async (rig: Rig): Promise<string> => {
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']);
    const body = JSON.parse(await text(request));
    const answer = await rig.twin.handle(target.replace('AWSStepFunctions.', ''), body);
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(answer.body));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const definition = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'Ask',
  States: {
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Arguments: { FunctionName: 'f', Payload: '{% $states.context.Task.Token %}' },
      HeartbeatSeconds: 60,
      End: true,
    },
  },
});

const tokenIn = async (rig: Rig, count: number): Promise<string> => {
  await until(() => rig.invoked.length === count && rig.twin.residents() === 0);
  return String(rig.invoked.at(-1)?.payload);
};

it('the AWS SDK creates, starts, answers, lists, redrives and reads a history', async () => {
  const rig = openRig();
  const client = new SFNClient({
    endpoint: await serve(rig),
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const machine = { name: 'sdk', definition, roleArn: 'arn:aws:iam::0:role/r' };
  const { stateMachineArn, creationDate } = await client.send(
    new CreateStateMachineCommand(machine),
  );
  expect(creationDate).toEqual(new Date(rig.clock.now()));
  const { executionArn } = await client.send(
    new StartExecutionCommand({ stateMachineArn, input: '{}' }),
  );
  const first = await tokenIn(rig, 1);
  await client.send(new SendTaskHeartbeatCommand({ taskToken: first }));
  await client.send(new SendTaskFailureCommand({ taskToken: first, error: 'E', cause: 'C' }));
  const failed = await client.send(new DescribeExecutionCommand({ executionArn }));
  expect(failed).toMatchObject({ status: 'FAILED', error: 'E', redriveStatus: 'REDRIVABLE' });
  await expect(
    client.send(new SendTaskSuccessCommand({ taskToken: first, output: '1' })),
  ).rejects.toThrow(TaskTimedOut);
  await client.send(new RedriveExecutionCommand({ executionArn }));
  const second = await tokenIn(rig, 2);
  await client.send(new SendTaskSuccessCommand({ taskToken: second, output: '{"ok":1}' }));
  const { executions } = await client.send(new ListExecutionsCommand({ stateMachineArn }));
  expect(executions).toMatchObject([{ executionArn, status: 'SUCCEEDED' }]);
  const { events } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.[0]).toMatchObject({
    id: 1,
    type: 'ExecutionStarted',
    timestamp: new Date(rig.clock.now()),
    executionStartedEventDetails: { input: '{}', inputDetails: { truncated: false } },
  });
  await client.send(new StopExecutionCommand({ executionArn }));
  client.destroy();
});

const drivesTheCli = async (): Promise<void> => {
  const rig = openRig();
  const endpoint = await serve(rig);
  const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_PAGER: '' };
  const env = { ...process.env, ...keys, AWS_DEFAULT_REGION: 'us-east-1' };
  const aws = async (...words: string[]): Promise<Record<string, unknown>> => {
    const line = ['--endpoint-url', endpoint, '--output', 'json', 'stepfunctions', ...words];
    const { stdout } = await promisify(execFile)('aws', line, { env });
    return stdout.trim() === '' ? {} : JSON.parse(stdout);
  };
  const role = ['--role-arn', 'arn:aws:iam::000000000000:role/r'];
  const created = await aws(
    'create-state-machine',
    '--name',
    'cli',
    ...role,
    '--definition',
    definition,
  );
  const machine = ['--state-machine-arn', String(created.stateMachineArn)];
  const started = await aws('start-execution', ...machine, '--name', 'one', '--input', '{"a": 1}');
  const execution = ['--execution-arn', String(started.executionArn)];
  const token = ['--task-token', await tokenIn(rig, 1)];
  await aws('send-task-heartbeat', ...token);
  await aws('send-task-success', ...token, '--task-output', '"yes"');
  const described = await aws('describe-execution', ...execution);
  expect(described).toMatchObject({ status: 'SUCCEEDED', output: '"yes"' });
  const listed = await aws('list-executions', ...machine);
  expect(listed).toMatchObject({ executions: [{ name: 'one' }] });
  const history = await aws('get-execution-history', ...execution, '--max-items', '3');
  expect(history.events).toMatchObject([{ id: 1 }, { id: 2, type: 'TaskStateEntered' }, { id: 3 }]);
};

// Where the AWS CLI is installed it is one more client; the SDK's test above holds the wire format everywhere.
if (spawnSync('aws', ['--version']).status === 0)
  it('the AWS CLI creates, starts, answers, describes, lists and reads a history', drivesTheCli);
