// The run machine on a Step Functions interpreter that is not the twin's: another process, reached over AWS's protocol.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { remoteJsonCall } from '../../../local/base/endpoints.ts';
import { firstLine } from '../../rig/process.ts';
import { approve, finished, openRig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const listed = z.object({
  executions: z.array(z.object({ executionArn: z.string(), name: z.string(), status: z.string() })),
});
const history = z.object({
  events: z.array(z.object({ id: z.number(), type: z.string(), previousEventId: z.number() })),
});

test('L12 a run with a write, an approval and an answer goes to its end on an interpreter in another process', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-interpreter-'));
  const port = await freePort();
  const program = join(import.meta.dirname, '..', '..', 'rig', 'interpreter.ts');
  const child = spawn(process.execPath, [program, dataDir, `http://127.0.0.1:${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const interpreter = await firstLine(child);
    const rig = await openRig({
      twin: { port, processEnvironment: { AWS_ENDPOINT_URL_SFN: interpreter } },
      scripts: {
        both: {
          scenes: [
            {
              when: {},
              turns: [
                { call: [callCreate('Elsewhere')] },
                { call: [callRefund('pay_1001', 100)] },
                { say: 'Both.' },
              ],
            },
          ],
        },
      },
    });
    try {
      const { client, destination } = rig;
      const { runId } = await talk(client, await rig.agent('both'), 'Both, please.');
      const [request] = await waitingOn(client, runId, 'approval');
      await approve(client, request?.requestId ?? '');
      const run = await finished(client, runId);
      expect(run.state.reason).toBe('done');
      for (const { actionId, effect } of await client.actions(runId)) {
        expect(effect).toBe('confirmed');
        expect(await destination.effectsOf(actionId)).toHaveLength(1);
      }
      const sfn = remoteJsonCall(interpreter, 'us-east-1', 'states', 'AWSStepFunctions');
      const stateMachineArn = rig.twin.machineArns.run.replace(/:live$/, '');
      const { executions } = listed.parse(await sfn('ListExecutions', { stateMachineArn }));
      expect(executions.map(({ name, status }) => [name, status])).toEqual([[runId, 'SUCCEEDED']]);
      const { executionArn } = executions[0] ?? { executionArn: '' };
      const { events } = history.parse(await sfn('GetExecutionHistory', { executionArn }));
      expect(events.at(-1)?.type).toBe('ExecutionSucceeded');
      // Nothing ran in the twin itself.
      expect(() => rig.twin.stepFunctions).toThrow('has no Step Functions of its own');
    } finally {
      await rig.close();
    }
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});
