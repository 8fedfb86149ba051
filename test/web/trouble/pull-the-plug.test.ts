// Pulling the plug while somebody watches: the process behind `npm start` dies by SIGKILL right after the CRM has written. The
// open page says so and keeps what it had; on the restarted process it goes on by itself, from undetermined to confirmed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { en as words } from '../../../web/words/en/first.ts';
import { laterWords } from '../../../web/words/later.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, quicker } from '../rig/person.ts';
import { until } from '../rig/until.ts';
import { builtPage } from '../rig/world.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'local', 'main.ts');
/** Long enough for the new process to be there, and the look-up held, before the dead attempt's time is over. */
const timeoutMs = 8_000;

const later = laterWords.en;

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([openBrowser(), builtPage()]);
});
afterAll(() => browser?.close());

interface Command {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly url: string;
  readonly token: string;
  readonly demo: string;
}

/** Runs the command and waits for its announcement. */
const start = async (dataDir: string, port: string, crashAt = ''): Promise<Command> => {
  const child = spawn(process.execPath, [program, '--data', dataDir, '--port', port], {
    env: { ...process.env, LC_ALL: 'C', REPRISE_MODEL: '', REPRISE_CRASH_AT: crashAt },
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
    });
  await until('the command served', async () => said.includes('AWS CLI'));
  const found = (form: RegExp): string => form.exec(said)?.[1] ?? said;
  return {
    child,
    exit,
    url: found(/(http:\/\/127\.0\.0\.1:\d+)\/#token/),
    token: found(/#token=(\S+)/),
    demo: found(/at (http:\/\/127\.0\.0\.1:\d+)/),
  };
};

const ask = async ({ url, token }: Command, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** The demo's agent, with a tool whose attempts are over sooner. */
const quickAgent = async (command: Command): Promise<void> => {
  const api = (_person: unknown, method: 'GET' | 'POST', path: string, body = {}) =>
    ask(command, path, method === 'GET' ? undefined : body);
  const quick = await quicker({ api }, 'crm_create_opportunity', timeoutMs);
  await ask(command, '/v1/agents', {
    name: 'Quick assistant',
    prompt: 'Sell.',
    model: { provider: 'scripted', script: 'demo' },
    tools: [{ name: 'crm_find_customer' }, quick],
  });
};

const admin = (demo: string, path: string, body?: object): Promise<Response> =>
  fetch(`${demo}/_admin/${path}`, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
  });
const effectList = z.object({ effects: z.array(z.object({ operation: z.string() })) });

test('killed in the middle of a write: the open page says so, keeps what it has, reconnects, and shows the one effect', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reprise-plug-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await start(dataDir, '0', 'perform.reply-received');
  await quickAgent(first);
  const { page, context, trouble } = await arrive(browser, {
    url: first.url,
    address: async () => `${first.url}/#token=${first.token}`,
  });
  await page.keyboard.press('n');
  const form = page.getByRole('region', { name: 'New conversation' });
  await form.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Quick assistant' });
  await page.getByLabel('What is to be done?').fill('Create an opportunity for Acme: 12 seats');
  await page.getByRole('button', { name: 'Begin' }).click();

  // The process is gone. What was read stays, and what is being written too.
  expect((await first.exit)[1]).toBe('SIGKILL');
  await page.getByText(words.thread.connection.lost).waitFor();
  const log = page.getByRole('log', { name: 'Thread' });
  await log.getByText('I look up the customer first.').waitFor();
  const call = log.getByRole('article').filter({ hasText: 'crm_create_opportunity' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Are you there?');
  const notice = page.getByRole('status').filter({ hasText: words.problem.lost });
  await notice.getByText(/dates from \d\d:\d\d:\d\d\./).waitFor();

  // Started again on the same folder. The look-up is held, so that nobody can miss that the outcome is not known.
  const second = await start(dataDir, new URL(first.url).port);
  const held = await admin(second.demo, 'faults', {
    service: 'crm',
    operation: 'find_opportunities',
    mode: 'hold',
  });
  expect(held.status).toBeLessThan(300);
  await page.getByText(words.thread.connection.live).waitFor({ timeout: 30_000 });
  await notice.waitFor({ state: 'detached' });
  await call.getByText(words.effects.undetermined, { exact: true }).first().waitFor();
  await admin(second.demo, 'release', {});
  await call.getByText(words.effects.confirmed, { exact: true }).first().waitFor();
  await log.getByText(/^Done\. The CRM answered/).waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Are you there?');
  await call.locator('summary').click();
  await call.getByText(`Attempt 1: ${later.ends.lost}`).waitFor();
  await call.getByText(`${later.sources.look_up}: ${later.says.confirms}`).waitFor();

  const { effects } = effectList.parse(await (await admin(second.demo, 'effects')).json());
  expect(effects.map(({ operation }) => operation)).toEqual(['create_opportunity']);
  expect(trouble).toEqual([]);
  await context.close();
});
