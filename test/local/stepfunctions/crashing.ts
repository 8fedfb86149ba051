// A process for the crash test: runs one machine on a file and writes what its function did to another, until it is killed.
import { appendFileSync } from 'node:fs';
import { realClock } from '../../../local/base/clock.ts';
import { openStepFunctionsTwin } from '../../../local/stepfunctions/twin.ts';

const [, , file = '', journal = '', definition = ''] = process.argv;

const twin = openStepFunctionsTwin({
  file,
  clock: realClock(),
  invokeLambda: async ({ payload }) => {
    appendFileSync(journal, `${JSON.stringify(payload)}\n`);
    await new Promise((done) => setImmediate(done));
    return { statusCode: 200, executedVersion: '$LATEST', requestId: 'r', payload };
  },
  callDynamoDb: async () => ({}),
});
twin.onStatusChange(({ status }) => {
  if (status !== 'RUNNING') process.stdout.write(`ended ${status}\n`);
});
twin.start();
const { body } = await twin.handle('CreateStateMachine', { name: 'm', definition, roleArn: 'r' });
const { stateMachineArn } = body as { stateMachineArn: string };
const start = { stateMachineArn, name: 'run', input: '{"n":0}' };
const answer = await twin.handle('StartExecution', start);
process.stdout.write(`started ${answer.status}\n`);
