// The command line on a running twin, as a person uses it all day: sending, following, approving, the recovery desk. Every
// command is the real one in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clientOf } from '../../../cli/kit/client.ts';
import { until } from '../../rig/until.ts';
import { type Ran, reprise } from '../command-line.ts';

const limitMs = 120_000;
let dataDir: string;
let dev: ChildProcess;

const run = (...args: readonly string[]): Promise<Ran> => reprise(['--data', dataDir, ...args]);
const json = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await run(...args, '--json')).out);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reprise-cli-'));
  const entry = join(import.meta.dirname, '..', '..', '..', 'cli', 'reprise.mjs');
  dev = spawn(process.execPath, [entry, 'dev', '--data', dataDir, '--port', '0'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
  });
  await until(
    'the twin serves',
    () => existsSync(join(dataDir, 'served.json')) || undefined,
    limitMs,
  );
}, limitMs);

afterAll(async () => {
  const gone = once(dev, 'exit');
  dev.kill('SIGTERM');
  await gone;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, limitMs);

const sent = z.looseObject({ runId: z.string() });
const requests = z.looseObject({
  items: z.array(z.looseObject({ requestId: z.string(), runId: z.string(), on: z.string() })),
});
const view = z.looseObject({
  request: z.looseObject({ digest: z.string() }),
});
const desk = z.looseObject({
  items: z.array(z.looseObject({ actionId: z.string(), runId: z.string(), head: z.number() })),
});

/** The open request of a run, once there is one. */
const requestOf = (runId: string) =>
  until(
    'the run asks',
    async () => {
      const { items } = requests.parse(await json('requests', 'list'));
      return items.find((one) => one.runId === runId);
    },
    limitMs,
  );

/** The demo mail service carries the next mail out and loses the reply. */
const loseNextMail = async (): Promise<void> => {
  const { port } = z
    .object({ port: z.number() })
    .parse(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));
  await fetch(`http://127.0.0.1:${port}/_admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'mail', mode: 'drop_reply_after_write' }),
  });
};

const approveRun = async (runId: string): Promise<string> => {
  const { requestId } = await requestOf(runId);
  const { digest } = view.parse(await json('requests', 'show', requestId)).request;
  const approved = await run('approve', requestId, '--digest', digest);
  expect(approved, approved.err).toMatchObject({ code: 0 });
  return requestId;
};

describe('A message', () => {
  test(
    'is followed to its end, and the run shows what was done',
    async () => {
      const { code, out, err } = await run('send', 'Create an opportunity for Acme', '--wait');
      expect(code, err).toBe(0);
      expect(err).toContain('run.finished');
      // The answer alone is data, and nothing that was said is cut.
      expect(out).not.toMatch(/run\.|step\.|…/);
      expect(out.trim()).not.toBe('');
      const runs = z
        .looseObject({ items: z.array(z.looseObject({ runId: z.string() })) })
        .parse(await json('runs', 'list'));
      const ended = await json('runs', 'list', '--state', 'done', '--limit', '1');
      expect(ended).toMatchObject({ items: [{ runId: runs.items[0]?.runId }] });
      expect(await json('runs', 'list', '--state', 'stopped')).toEqual({ items: [] });
      expect(await run('runs', 'list', '--state', 'asleep')).toMatchObject({ code: 1, out: '' });
      const shown = await run('runs', 'show', runs.items[0]?.runId ?? '');
      expect(shown.code).toBe(0);
      expect(shown.out).toMatch(
        /^execution +run_\w+ +http:\/\/127\.0\.0\.1:\d+\/#\/trace\/arn:aws:states:\S+:run_\w+$/m,
      );
      expect(shown.out).toMatch(/crm_create_opportunity +confirmed +- +1 +opp_/);
    },
    limitMs,
  );
});

describe('An approval', () => {
  test(
    'is given to the digest that was read and to no other, and once',
    async () => {
      const asked = await run('send', 'refund pay_1002 by 500', '--wait');
      expect(asked.code, asked.err).toBe(3);
      expect(asked.err).toContain('reprise requests show req_');
      const { requestId } = await requestOf(/run_[0-9A-Z]+/.exec(asked.err)?.[0] ?? '');
      expect(asked.err).toContain(`reprise approve ${requestId} --digest`);
      expect(asked.out).toBe('');
      const open = await run('requests', 'list', '--lang', 'fr');
      expect(open.code).toBe(3);
      expect(open.out).toMatch(/ approbation +\S+ +crm_refund \{"payment_id":"pay_1002"/);
      const without = await run('approve', requestId);
      expect(without.code).toBe(2);
      const moved = await run('approve', requestId, '--digest', `sha256:${'0'.repeat(64)}`);
      expect(moved.code).toBe(1);
      expect(moved.err).toContain('digest-changed');
      const unread = await run('refuse', requestId, '--digest', 'sha256:1', '--reason', 'No.');
      expect(unread.code).toBe(1);
      const { digest } = view.parse(await json('requests', 'show', requestId)).request;
      expect((await run('approve', requestId, '--digest', digest)).code).toBe(0);
      const late = await run('approve', requestId, '--digest', digest, '--lang', 'fr');
      expect(late.code).toBe(1);
      expect(late.err).toContain('already-answered');
      expect(late.err).toContain('Ana');
    },
    limitMs,
  );
});

describe('The recovery desk', () => {
  test(
    'refuses what the page refuses, in the same words, and holds a decision to what was read',
    async () => {
      await loseNextMail();
      const { runId } = sent.parse(await json('send', 'mail marta@acme.example: Lost on the way'));
      await approveRun(runId);
      const waiting = await run('runs', 'tail', runId);
      expect(waiting.code, waiting.err).toBe(3);
      const recovery = await run('requests', 'show', (await requestOf(runId)).requestId);
      expect(recovery.code).toBe(3);
      expect(recovery.err).toMatch(/^Next: reprise desk show act_[0-9A-Z]{26}$/m);
      const listed = await run('desk', 'list');
      expect(listed.code).toBe(3);
      expect(listed.err).toMatch(/^\d+ actions?, \d+ undetermined\.$/m);
      expect((await run('desk', 'list', '--lang', 'fr')).out).toMatch(/ (indéterminé|accepté) /);
      const entry = desk.parse(await json('desk', 'list')).items.find((one) => one.runId === runId);
      const actionId = entry?.actionId ?? '';
      const head = String(entry?.head);
      const evidence = [
        '--what',
        'The mail is in the mailbox.',
        '--where',
        'The mailbox of marta@acme.example',
        '--coverage',
        'All mails of today.',
      ];
      const unclaimed = await run(
        'desk',
        'decide',
        actionId,
        'attach',
        '--head',
        head,
        ...evidence,
      );
      expect(unclaimed.code).toBe(1);
      expect(unclaimed.err).toContain('Nobody holds the claim.');
      const bare = await run(
        'desk',
        'decide',
        actionId,
        'attach',
        '--head',
        head,
        '--what',
        'Seen',
      );
      expect(bare).toMatchObject({ code: 2, out: '' });
      expect(bare.err).toMatch(/^Nobody holds the claim\. .*\nMissing: --where .*, --coverage /);
      expect((await run('desk', 'claim', actionId)).out).toContain('fence 1');
      expect((await run('desk', 'renew', actionId, '--minutes', '5')).code).toBe(0);
      const repeat = await run(
        'desk',
        'decide',
        actionId,
        'repeat',
        '--head',
        head,
        '--lang',
        'fr',
      );
      expect(repeat.code).toBe(1);
      expect(repeat.err).toContain('un second appel pourrait agir deux fois');
      const old = await run('desk', 'decide', actionId, 'attach', '--head', '1', ...evidence);
      expect(old.err).toContain('journal-moved');
      expect((await run('desk', 'decide', actionId, 'attach', ...evidence)).code).toBe(2);
      const shown = await run('desk', 'show', actionId);
      expect(shown.out.startsWith(`Head ${head}`)).toBe(true);
      expect(shown.out).toContain(`holds it until`);
      expect(shown.out).toContain('~ supposed, not observed');
      expect(shown.out).not.toMatch(/^---|\\[_*]/m);
      const observed = await run('desk', 'observe', actionId, ...evidence, '--says', 'nothing');
      expect(observed.out).toMatch(
        /^Added, .* It settles nothing by itself; the action stays: undetermined\.$/m,
      );
      expect(observed.out).toContain(`--head ${Number(head) + 1}`);
      const taken = await run(
        'desk',
        'decide',
        actionId,
        'attach',
        '--head',
        String(Number(head) + 1),
        ...evidence,
      );
      expect(taken, taken.err).toMatchObject({ code: 0, out: 'confirmed\n' });
      expect(taken.err).toContain('Your evidence confirms the effect.');
      expect((await run('runs', 'tail', runId)).code).toBe(0);
      const file = join(dataDir, 'sheet.html');
      expect((await run('sheet', 'export', actionId, '--format', 'html', '--out', file)).code).toBe(
        0,
      );
      expect(await readFile(file, 'utf8')).toContain(actionId);
      expect((await run('sheet', 'export', actionId, '--lang', 'fr')).out).toContain(actionId);
    },
    limitMs,
  );
});

describe('The rest', () => {
  test(
    'doctor finds nothing broken and says what is not verified',
    async () => {
      const { code, out } = await run('doctor');
      expect(code, out).toBe(0);
      expect(out).toContain('contract of mail_send');
      expect(out).not.toContain('✘');
    },
    limitMs,
  );

  test(
    'openapi prints the document; what is not there is told as the API tells it',
    async () => {
      const document = z
        .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
        .parse(JSON.parse((await run('openapi')).out));
      expect(Object.keys(document.paths)).toContain('/v1/desk');
      const missing = await run('runs', 'show', `run_${'0'.repeat(26)}`);
      expect(missing.code).toBe(1);
      expect(missing.err).toContain('not-found');
    },
    limitMs,
  );

  test(
    'a run is stopped',
    async () => {
      const { runId } = sent.parse(await json('send', 'refund pay_1003 by 100'));
      await requestOf(runId);
      expect((await run('runs', 'stop', runId)).code).toBe(0);
      const ended = await run('runs', 'tail', runId);
      expect(ended.out).toContain('stopped');
    },
    limitMs,
  );

  test(
    'a routine is previewed, shown, paused, resumed and fired',
    async () => {
      const previewed = await run(
        'routines',
        'preview',
        '--schedule',
        'cron(0 9 ? * MON-FRI *)',
        '--zone',
        'Europe/Paris',
      );
      expect(previewed, previewed.err).toMatchObject({ code: 0 });
      expect(previewed.out).toMatch(/^UTC +Europe\/Paris\n\S+T0[78]:00:00/m);
      const { url, token } = z
        .object({ url: z.string(), token: z.string() })
        .parse(JSON.parse(await readFile(join(dataDir, 'served.json'), 'utf8')));
      const api = clientOf({ url, token, language: 'en' });
      const agents = await api.all(z.looseObject({ agentId: z.string() }), '/v1/agents');
      const { routineId } = await api.post(
        z.looseObject({ routineId: z.string() }),
        '/v1/routines',
        {
          name: 'Every morning',
          agentId: agents[0]?.agentId,
          message: 'find Acme',
          schedule: 'cron(0 9 ? * MON-FRI *)',
          zone: 'Europe/Paris',
        },
      );
      expect((await run('routines', 'list')).out).toContain('Every morning');
      expect((await run('routines', 'pause', 'Every morning')).out).toContain('paused');
      expect((await run('routines', 'resume', routineId)).out).toContain('active');
      const unknown = await run('routines', 'show', 'Every mornin', '--lang', 'fr');
      expect(unknown).toMatchObject({ code: 2, out: '' });
      expect(unknown.err).toContain('«\u00a0Every morning\u00a0»\u00a0?');
      const fired = await run('routines', 'run', 'Every morning');
      expect(fired).toMatchObject({ code: 0, err: expect.stringContaining('runs tail run_') });
      expect(fired.out).toMatch(/^outcome +fired$/m);
      expect((await run('routines', 'show', routineId)).out).toContain('now');
    },
    limitMs,
  );

  test(
    'a secret is set from stdin, listed by its name only, and never repeated from a command line',
    async () => {
      const value = 'hunter2-hunter2';
      const set = (...args: readonly string[]) =>
        reprise(['--data', dataDir, 'secrets', 'set', ...args], { input: `${value}\n` });
      const first = await set('reprise/tickets');
      expect(first, first.err).toMatchObject({ code: 0, out: 'reprise/tickets\n' });
      const outside = await set('tickets');
      expect(outside.err).toContain('reprise/');
      const stored = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      expect(stored['reprise/tickets'].value).toBe(value);
      const listed = await run('secrets', 'list');
      const wrong = await Promise.all([
        set('reprise/tickets', value),
        set(`reprise/tickets=${value}`),
        set('Reprise-sign-in'),
        set('reprise/tickets', '--url', 'https://agents.example.com', '--lang', 'fr'),
        reprise(['--data', dataDir, 'secrets', 'set', 'reprise/empty']),
      ]);
      expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
      expect(wrong[3]?.err).toContain('AWS Secrets Manager');
      expect(listed.out).toMatch(/^reprise\/tickets +\S+$/m);
      expect(listed.out).not.toContain('Reprise-');
      for (const { out, err } of [first, outside, listed, ...wrong])
        expect(`${out}${err}`).not.toContain(value);
    },
    limitMs,
  );

  test('a twin that is gone without a word is told as nobody there', async () => {
    const left = await mkdtemp(join(tmpdir(), 'reprise-cli-left-'));
    try {
      await writeFile(
        join(left, 'served.json'),
        JSON.stringify({ url: 'http://127.0.0.1:9', token: 'x' }),
      );
      const { code, err } = await reprise(['runs', 'list', '--data', left]);
      expect(code).toBe(4);
      expect(err).toContain('No answer from http://127.0.0.1:9');
      const french = await reprise(['runs', 'list', '--data', left, '--lang', 'fr']);
      expect(french.err).toContain('Pas de réponse de http://127.0.0.1:9\u00a0: ');
      const { checks } = JSON.parse((await reprise(['doctor', '--data', left, '--json'])).out);
      expect(checks).toContainEqual(expect.objectContaining({ name: 'port', detail: '9 is free' }));
    } finally {
      await rm(left, { recursive: true, force: true });
    }
  });
});
