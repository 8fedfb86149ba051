// The demo destinations as the process they are: started by the command, killed by a fault, started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opportunity, type Send, secret, send } from './rig.ts';

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'reprise-demo-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const main = path.join(import.meta.dirname, '../../../local/demo/main.ts');
const run = (...args: string[]): ChildProcess => {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'pipe' });
  children.push(child);
  return child;
};
const start = async () => {
  const child = run('--data', dataDir, '--port', '0', '--secret', secret);
  for await (const line of child.stdout ?? []) {
    const url = /http:\S+/.exec(String(line))?.[0];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The process ended without saying its address.');
};
const post = (url: string, pathname: string, body: Send['body']) =>
  send(`${url}${pathname}`, { body, headers: { 'idempotency-key': 'k1' } });
const effectsAt = async (url: string) => (await send(`${url}/_admin/effects`)).body.effects;

test.each([
  ['before_write', 0],
  ['after_write', 1],
] as const)('killed %s, it leaves %i effects; the same key then gives one', async (when, left) => {
  const { child, url } = await start();
  await post(url, '/_admin/faults', { service: 'crm', mode: 'die', when });
  const gone = once(child, 'exit');
  await expect(post(url, '/crm/opportunities', opportunity)).rejects.toThrow();
  expect(await gone).toEqual([null, 'SIGKILL']);
  const next = await start();
  expect(await effectsAt(next.url)).toHaveLength(left);
  expect((await post(next.url, '/crm/opportunities', opportunity)).status).toBe(201);
  expect(await effectsAt(next.url)).toHaveLength(1);
});

test('it ends when told to', async () => {
  const { child } = await start();
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await gone).toEqual([0, null]);
});

test.each([
  [['--port', '0', '--secret', secret]],
  [['--data', 'x', '--port', 'many', '--secret', secret]],
])('without what it needs it says how to be called (%j)', async (args) => {
  const child = run(...args);
  const gone = once(child, 'close');
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  expect(await gone).toEqual([2, null]);
  expect(said).toContain('Usage');
});

test('on a port that is taken it says so', async () => {
  const { url } = await start();
  const child = run('--data', dataDir, '--port', new URL(url).port, '--secret', secret);
  expect(await once(child, 'exit')).toEqual([1, null]);
});
