// A secret that a tool uses is searched for everywhere a run leaves something. Laws: L18.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { demoSecretName } from '../../../local/demo/registration-parts.ts';
import { demoToken } from '../../rig/destination.ts';
import { openReader } from '../../rig/reader.ts';
import { approve, awsCall, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund, toolsAt } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

/** As it is, and as it would look inside a URL, a header of its own, or an encoded body. */
const forms = [
  demoToken,
  encodeURIComponent(demoToken),
  Buffer.from(demoToken).toString('base64').replace(/=+$/, ''),
  Buffer.from(demoToken).toString('hex'),
  [...demoToken].reverse().join(''),
];
const title = 'Canary opportunity';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    twin: { secrets: {} },
    scripts: {
      canary: {
        scenes: [
          {
            when: {},
            turns: [
              {
                call: [
                  { name: 'find', arguments: { query: 'Acme' } },
                  callCreate(title),
                  callCreate(`${title}, dropped`),
                  callCreate(`${title}, refused`),
                  { name: 'nobody_listens', arguments: { query: 'Acme' } },
                ],
              },
              { call: [callRefund('pay_1001', 100)] },
              { say: '{{result.last}}' },
            ],
          },
        ],
      },
    },
    tools: () =>
      // A destination that is not there: its error must not name what would have been sent.
      toolsAt('http://127.0.0.1:9').flatMap((tool) =>
        tool.name === 'find' ? [{ ...tool, name: 'nobody_listens' }] : [],
      ),
  });
  await rig.twin.secrets.write(demoSecretName, demoToken);
});
afterAll(() => rig.close());

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
};

const holding = async (wanted: readonly string[]): Promise<string[]> => {
  const files = await filesIn(rig.dataDir);
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      return wanted.some((form) => bytes.includes(form)) ? [file] : [];
    }),
  );
  return found.flat().map((file) => file.slice(rig.dataDir.length + 1));
};

const listed = z.object({ executions: z.array(z.object({ executionArn: z.string() })) });

/** Everything that can be asked of the twin about the run, as text. */
const everything = async (conversationId: string, runId: string): Promise<string> => {
  const { client, twin } = rig;
  const sfn = awsCall(twin, 'states');
  const stateMachineArn = twin.machineArns.run.replace(/:live$/, '');
  const { executions } = listed.parse(await sfn('ListExecutions', { stateMachineArn }));
  const actions = await client.actions(runId);
  const reader = await openReader(client, conversationId);
  await until('the reader sees the end', () =>
    reader.events.find(({ body }) => body.type === 'run.finished'),
  );
  reader.leave();
  return JSON.stringify([
    await Promise.all(executions.map((one) => sfn('DescribeExecution', one))),
    await Promise.all(executions.map((one) => sfn('GetExecutionHistory', one))),
    reader.events,
    await client.events(conversationId),
    await client.steps(runId),
    await Promise.all(actions.map(({ actionId }) => client.action(actionId))),
    await Promise.all(actions.map(({ actionId }) => client.result(actionId))),
    (await client.send('GET', '/v1/tools')).body,
    (await client.send('GET', '/v1/agents')).body,
    (await client.send('GET', '/v1/actions')).body,
    (await client.send('GET', '/v1/requests')).body,
    twin.undelivered(),
  ]);
};

test('L18 a secret that tools use is in secrets.json and nowhere else: no store, log, event, history or answer has it', async () => {
  const { client, destination } = rig;
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: `${title}, dropped` },
    mode: 'drop_reply_after_write',
  });
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: `${title}, refused` },
    mode: 'refuse',
    status: 422,
    // A destination that repeats what it was sent: the secret with it.
    body: { error: { code: 'echo', message: `Your token was Bearer ${demoToken}.` } },
  });
  const agentId = await rig.agent('canary', {
    tools: ['find', 'create', 'refund', 'nobody_listens'],
  });
  const { conversationId, runId } = await talk(client, agentId, 'Go.');
  const open = await waitingOn(client, runId, 'recovery', 2);
  for (const { actionId } of open) {
    await client.decide(actionId, {
      kind: 'abandon',
      reason: 'It was only a try.',
    });
  }
  const [request] = await waitingOn(client, runId, 'approval');
  await approve(client, request?.requestId ?? '');
  await finished(client, runId);
  await rig.twin.settled();

  // The destination lets nobody in without the secret: it was used.
  expect((await destination.effects()).map(({ operation }) => operation).toSorted()).toEqual([
    'create_opportunity',
    'create_opportunity',
    'refund',
  ]);
  const told = await everything(conversationId, runId);
  expect(told).toContain(title);
  for (const form of forms) expect(told).not.toContain(form);
  // The search finds what is there: the title is in the database, the secret in its file.
  expect(await holding([title])).toContain('dynamodb.sqlite-wal');
  expect(await holding(forms)).toEqual(['secrets.json']);
});
