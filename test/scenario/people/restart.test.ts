// Everything is killed while people are asked: once started again, every door takes the answer, and the runs go on.
// Judged by the destination's own list. Laws: L12, L13.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Destination, demoToken, openDestination } from '../../rig/destination.ts';
import { startTwinProcess, type TwinProcess } from '../../rig/process.ts';
import { egressTo, openRig, type Scripts, talk } from '../../rig/rig.ts';
import { callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';
import { blocked, callAsk, callSkill, makeSkilledAgent } from './parts.ts';

const scripts: Scripts = Object.fromEntries(
  Object.entries({
    question: callAsk('Which one?'),
    // Two payments: two refunds of one payment would look alike and be asked about again.
    approval: callRefund('{{message}}', 300),
    skill: callSkill('filing'),
  }).map(([name, call]) => [
    name,
    { scenes: [{ when: {}, turns: [{ call: [call] }, { say: 'Went on.' }] }] },
  ]),
);

let destination: Destination;
let dataDir: string;
let child: TwinProcess | undefined;
beforeEach(async () => {
  destination = await openDestination();
  dataDir = await mkdtemp(join(tmpdir(), 'reprise-people-'));
});
afterEach(async () => {
  await child?.kill();
  await destination.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<TwinProcess> => {
  const environment = egressTo(destination.port);
  child = await startTwinProcess({ dataDir, scripts, environment, demoToken }, {});
  return child;
};

const kinds = ['question', 'approval', 'skill'] as const;
/** A request's own address, as a page, a script or the link in a notice has it; and the conversation it is asked in. */
const doors = { requests: 'pay_1001', conversations: 'pay_1002' } as const;

test('L12 S29 every open request is answered after a kill -9 and a restart, through each door', async () => {
  const first = await openRig({ destination, newDir: dataDir, scripts });
  const asked: { kind: (typeof kinds)[number]; door: string; runId: string; path: string }[] = [];
  await first.client.send('POST', '/v1/skills', {
    name: 'filing',
    description: 'Files opportunities.',
    instructions: 'File it under its title.',
  });
  const agents = new Map<string, string>();
  for (const kind of kinds)
    agents.set(kind, await makeSkilledAgent(first.client, kind, 'on_request'));
  await first.close();
  const killed = await start();
  for (const kind of kinds)
    for (const [door, payment] of Object.entries(doors)) {
      const { client } = killed;
      const { runId, conversationId } = await talk(client, agents.get(kind) ?? '', payment);
      const [request] = await blocked(client, runId, 1);
      const id = door === 'requests' ? request?.requestId : conversationId;
      asked.push({ kind, door, runId, path: `/v1/${door}/${id}/answer` });
    }
  await killed.kill();
  const { client } = await start();
  const inbox = await client.openRequests();
  expect(inbox.map(({ on }) => on).toSorted()).toEqual(
    [...kinds, ...kinds].toSorted((a, b) => a.localeCompare(b)),
  );
  for (const { kind, runId, path } of asked) {
    const open = inbox.find((request) => request.runId === runId);
    const answer = {
      question: { kind: 'answer', answer: { text: 'This one.' } },
      approval: { kind: 'approve', digest: open?.on === 'approval' ? open.digest : '' },
      skill: { kind: 'grant', scope: 'run' },
    }[kind];
    expect(await client.send('POST', path, answer), `${kind} by ${path}`).toMatchObject({
      status: 200,
    });
  }
  for (const { kind, runId } of asked) {
    const run = await until(`run ${runId} goes on to its end`, async () => {
      const now = await client.run(runId);
      return now.state.status === 'finished' ? now : undefined;
    });
    expect(run.state).toMatchObject({ reason: 'done' });
    const [action] = await client.actions(runId);
    expect(action?.told?.status).toBe('success');
    const effects = await destination.effectsOf(action?.actionId ?? '');
    expect(effects).toHaveLength(kind === 'approval' ? 1 : 0);
  }
  expect(await client.openRequests()).toEqual([]);
}, 120_000);

test('L14 S35 a second tab and a phone that joins late see one list, and after a stop from one of them none shows it', async () => {
  const rig = await openRig({ destination, newDir: dataDir, scripts });
  try {
    const { runId, conversationId } = await talk(rig.client, await rig.agent('question'), 'Go.');
    await blocked(rig.client, runId, 1);
    const lists = async () =>
      Promise.all(
        [rig.client, rig.client, rig.client].map(async (client) => ({
          open: (await client.openRequests()).map(({ requestId }) => requestId),
          marks: (await client.conversation(conversationId)).marks,
        })),
      );
    const before = await lists();
    expect(new Set(before.map((list) => JSON.stringify(list))).size).toBe(1);
    expect(before[0]).toMatchObject({ marks: { needsYou: 1 } });
    expect(before[0]?.open).toHaveLength(1);
    await rig.client.stop(runId);
    for (const list of await lists())
      expect(list).toMatchObject({ open: [], marks: { needsYou: 0 } });
  } finally {
    await rig.close();
  }
});
