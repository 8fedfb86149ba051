// The disk of the data folder is full: every write of the process fails, as by a size limit that the system sets on it
// while it runs. Judged by what the API says meanwhile, and by what is there afterwards.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ProblemBody } from '../../../functions/api/problems/problems.ts';
import { demoToken, openDestination } from '../../rig/destination.ts';
import { startTwinProcess } from '../../rig/process.ts';
import { egressTo, finished, makeAgent, openRig, talk } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

const run = promisify(execFile);

const scripts = {
  write: {
    scenes: [
      { when: {}, turns: [{ call: [callCreate('{{message}}')] }, { say: 'It is written.' }] },
    ],
  },
};

/** No file of the process may grow beyond this many bytes; what is there stays readable. */
const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);

test('L17 with a full disk writes are refused with a 5xx problem, reads go on, and nothing acknowledged is lost', async () => {
  const destination = await openDestination();
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-full-'));
  const toolMs = 5_000;
  const rig = await openRig({ destination, scripts, newDir: dataDir, toolMs });
  const agentId = await makeAgent(rig.client, 'write');
  await rig.close();
  const child = await startTwinProcess(
    { dataDir, scripts, environment: egressTo(destination.port), demoToken },
    {},
  );
  try {
    const { client, pid } = child;
    const before = await talk(client, agentId, 'Before');
    await finished(client, before.runId);
    const faultId = await destination.fault({
      service: 'crm',
      operation: 'create_opportunity',
      match: { title: 'During' },
      mode: 'hold',
    });
    const during = await talk(client, agentId, 'During');
    await destination.untilHeld('create_opportunity');

    await limitFiles(pid, 1);
    const path = `/v1/conversations/${before.conversationId}/messages`;
    const keys = ['one', 'two', 'three'].map((name) => `${name}-${crypto.randomUUID()}`);
    for (const key of keys) {
      const { status, body } = await client.send('POST', path, { text: key }, { key });
      expect(status).toBeGreaterThanOrEqual(500);
      expect(ProblemBody.parse(body)).toMatchObject({ status });
    }
    expect((await client.send('GET', '/v1/health')).status).toBe(200);
    expect((await client.run(before.runId)).state.status).toBe('finished');
    expect(await client.messages(before.conversationId)).toHaveLength(1);
    // The write that was under way reaches the destination, and its outcome cannot be written down yet.
    await destination.release(faultId);
    await until('the write is done', async () =>
      (await destination.effects()).find(({ arguments: args }) => args.title === 'During'),
    );
    expect(child.endedBy()).toBeUndefined();

    await limitFiles(pid, 'unlimited');
    const said = [];
    for (const key of keys) said.push(await client.say(before.conversationId, key, { key }));
    const texts = (await client.messages(before.conversationId)).map(({ text }) => text);
    expect(texts).toEqual(['Before', ...keys]);
    for (const { runId } of said) await finished(client, runId);
    // The run of that write ends, or waits with its reason; the effect is there once.
    const state = await until(
      'the run ends or waits',
      async () => {
        const { state: now } = await client.run(during.runId);
        return now.status === 'running' ? undefined : now;
      },
      40_000,
    );
    const [action] = await client.actions(during.runId);
    expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
    if (state.status === 'waiting') {
      expect(state.blocking.map(({ on }) => on)).toEqual(['recovery']);
      expect(action?.effect).toBe('undetermined');
    } else {
      expect(state).toMatchObject({ status: 'finished', reason: 'done' });
      expect(action?.effect).toBe('confirmed');
    }
    expect(action?.attempts).toBe(1);
    expect(child.endedBy()).toBeUndefined();
  } finally {
    await child.kill();
    await destination.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
