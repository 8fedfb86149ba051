// A process killed with -9 between the effect and its record, with a destination that can be asked afterwards; and the
// command behind `npm start`, killed in the middle of a run and started again on its folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, clientOf } from '../../rig/client.ts';
import { demoToken, openDestination } from '../../rig/destination.ts';
import { startTwinProcess } from '../../rig/process.ts';
import { approve, egressTo, finished, makeAgent, openRig, talk, waitingOn } from '../../rig/rig.ts';
import { demoRefund } from '../../rig/tools.ts';
import { holds, until } from '../../rig/until.ts';

const scripts = {
  refund: {
    scenes: [
      {
        when: {},
        turns: [
          {
            call: [
              {
                name: 'crm_refund',
                arguments: { payment_id: 'pay_1001', amount_cents: 500, reason: 'Asked for' },
              },
            ],
          },
          { say: 'So: {{result.last}}' },
        ],
      },
    ],
  },
};

test('L4 S07 killed after the approved refund and before it was recorded: found by look-up and attached, with no second call', async () => {
  const destination = await openDestination();
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-killed-'));
  const tools = demoRefund;
  const first = await openRig({ destination, scripts, newDir: dataDir, tools });
  const agentId = await makeAgent(first.client, 'refund', { tools: ['crm_refund'] });
  await first.close();
  const child = await startTwinProcess(
    { dataDir, scripts, environment: egressTo(destination.port), demoToken },
    { REPRISE_CRASH_AT: 'perform.reply-received' },
  );
  try {
    const { runId } = await talk(child.client, agentId, 'Refund it.');
    const [request] = await waitingOn(child.client, runId, 'approval');
    await approve(child.client, request?.requestId ?? '').catch(() => undefined);
    await until('the process dies', () => child.endedBy());
    const rig = await openRig({ destination, dataDir, scripts });
    try {
      const run = await finished(rig.client, runId);
      expect(run.state.reason).toBe('done');
      const { action, journal } = await rig.client.action(request?.actionId ?? '');
      expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
      expect(journal.ends.map(({ how }) => how)).toEqual(['lost']);
      expect(journal.observations.map(({ source }) => source)).toContain('look_up');
      expect(await destination.effectsOf(action.actionId)).toHaveLength(1);
      expect(await destination.arrivals('refund')).toHaveLength(1);
    } finally {
      await rig.close();
    }
  } finally {
    await child.kill();
    await destination.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

interface Served {
  readonly client: Client;
  readonly agentId: string;
  readonly demoUrl: string;
}

/** Starts the command as `npm start` does, and reads from its announcement where it serves. */
const startCommand = async (dataDir: string): Promise<{ child: ChildProcess; served: Served }> => {
  const program = join(import.meta.dirname, '..', '..', '..', 'local', 'main.ts');
  const child = spawn(process.execPath, [program, '--data', dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
  });
  let said = '';
  child.stdout?.on('data', (part: Buffer) => {
    said += part.toString();
  });
  const served = await until('the command says where it serves', () => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    const token = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(said)?.[0];
    const agentId = /agt_[0-9A-Z]{26}/.exec(said)?.[0];
    if (url === undefined || token === undefined || agentId === undefined) return undefined;
    return { url, token, agentId };
  });
  const client = clientOf(served.url, served.token);
  const { body } = await client.send('GET', '/v1/tools');
  const text = JSON.stringify(body);
  const demoUrl = /(http:\/\/127\.0\.0\.1:\d+)\/crm\/opportunities/.exec(text)?.[1] ?? '';
  return { child, served: { client, agentId: served.agentId, demoUrl } };
};

const effects = z.object({ effects: z.array(z.object({ operation: z.string() })) });
const effectsAt = async (demoUrl: string): Promise<string[]> => {
  const response = await fetch(`${demoUrl}/_admin/effects`);
  return effects.parse(await response.json()).effects.map(({ operation }) => operation);
};

test('L4 the command behind npm start, killed with -9 in the middle of a run and started again, brings the run to its answer', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise command '));
  const before = await startCommand(dataDir);
  let after: ChildProcess | undefined;
  try {
    const { client, agentId } = before.served;
    const { runId, conversationId } = await talk(
      client,
      agentId,
      'Create an opportunity for Acme: 12 seats',
    );
    await holds('the run is in its first step', async () =>
      (await client.events(conversationId)).some(({ body }) => body.type === 'step.stored'),
    );
    before.child.kill('SIGKILL');
    await once(before.child, 'exit');
    const again = await startCommand(dataDir);
    after = again.child;
    expect(again.served.agentId).toBe(agentId);
    const run = await finished(again.served.client, runId, 50_000);
    expect(run.state.reason).toBe('done');
    const actions = await again.served.client.actions(runId);
    expect(actions.map(({ effect }) => effect)).toEqual(['confirmed', 'confirmed']);
    expect(await effectsAt(again.served.demoUrl)).toEqual(['create_opportunity']);
  } finally {
    before.child.kill('SIGKILL');
    if (after !== undefined && after.exitCode === null) {
      after.kill('SIGTERM');
      await once(after, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}, 90_000);
