// The process dies at each crash point of Fire. Started again, the routine's occurrence has one run, and one only. Laws: L19.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OccurrenceView, RoutineView } from '../../functions/api/schemas/routines.ts';
import { pageOf } from '../../functions/api/schemas/schemas.ts';
import { startTwin } from '../../local/twin.ts';
import { clientOf } from '../rig/client.ts';
import { demoToken } from '../rig/destination.ts';
import { startTwinProcess } from '../rig/process.ts';
import type { Scripts } from '../rig/rig.ts';
import { until } from '../rig/until.ts';
import { fireCases } from './fire-cases.ts';

const scripts: Scripts = { report: { scenes: [{ when: {}, turns: [{ say: 'Here it is.' }] }] } };

/** A routine that is due in two seconds, in a process that will die of it. */
const runUntilKilled = async (
  dataDir: string,
  point: string,
  onTestFinished: (end: () => Promise<void>) => void,
): Promise<void> => {
  const orders = { dataDir, scripts, environment: {}, demoToken };
  const child = await startTwinProcess(orders, { REPRISE_CRASH_AT: `${point}:1` });
  onTestFinished(() => child.kill());
  const agentId = await child.client.makeAgent({
    name: 'Reporter',
    prompt: 'You report.',
    model: { provider: 'scripted', script: 'report' },
    tools: [],
  });
  const post = () => {
    const soon = new Date(Date.now() + 3_000).toISOString().slice(0, 19);
    const routine = { name: 'Report', agentId, message: 'Report.', schedule: `at(${soon})` };
    // Where the process dies before it answers, the routine is stored all the same: it fired.
    return child.client
      .send('POST', '/v1/routines', { ...routine, zone: 'UTC' })
      .catch(() => undefined);
  };
  // On a busy machine its time may be past before it is made; then it is refused.
  await until('the routine is made', async () => (await post())?.status !== 422 || undefined);
  const signal = await until(`the process dies at ${point}`, () => child.endedBy());
  expect(signal).toBe('SIGKILL');
};

describe.concurrent('killed with -9 in fire', () => {
  for (const [point, whens] of Object.entries(fireCases))
    for (const when of whens)
      test(`${when}: the occurrence has one run`, async ({ onTestFinished }) => {
        const dataDir = await mkdtemp(join(tmpdir(), 'reprise-fired-'));
        onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
        await runUntilKilled(dataDir, point, onTestFinished);
        const twin = await startTwin({ dataDir, port: 0, processEnvironment: {}, scripts });
        onTestFinished(() => twin.close());
        const client = clientOf(twin.url, await twin.token('ana'));
        const routines = pageOf(RoutineView).parse((await client.send('GET', '/v1/routines')).body);
        const [routineId = ''] = routines.items.map((routine) => routine.routineId);
        const [occurrence] = await until('its run is over', async () => {
          const { body } = await client.send('GET', `/v1/routines/${routineId}/occurrences`);
          const { items } = pageOf(OccurrenceView).parse(body);
          return items[0]?.run?.state.status === 'finished' ? items : undefined;
        });
        if (occurrence?.outcome.kind !== 'fired') throw new Error('It did not fire.');
        const { conversationId, runId } = occurrence.outcome;
        expect((await client.runs(conversationId)).map((run) => run.runId)).toEqual([runId]);
        expect(await client.messages(conversationId)).toHaveLength(1);
        const conversations = await client.send('GET', '/v1/conversations');
        expect(conversations.body).toMatchObject({ items: [{ conversationId }] });
        const { state } = await client.run(runId);
        expect(state).toMatchObject({ reason: 'done' });
      });
});
