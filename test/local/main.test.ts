// The command: what it prints, one per folder, the demo that comes back, and that it goes on after kill -9.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { eventually, temporaryFolder } from './twin-for-tests.ts';

const command = join(import.meta.dirname, '..', '..', 'local', 'main.ts');

interface Running {
  readonly child: ChildProcess;
  output(): string;
  readonly exited: Promise<number | null>;
}

const run = (...args: string[]): Running => {
  const env = { ...process.env, LC_ALL: 'C', REPRISE_MODEL: '' };
  const child = spawn(process.execPath, [command, ...args], { env });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise<number | null>((done) => void child.on('exit', (code) => done(code)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, output: () => printed, exited };
};

const served = async (running: Running): Promise<{ url: string; token: string }> => {
  await eventually(() => running.output().includes('AWS CLI') || running.child.exitCode !== null);
  const address = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/.exec(running.output());
  return { url: address?.[1] ?? running.output(), token: address?.[2] ?? '' };
};

const agentsOf = async ({ url, token }: { url: string; token: string }): Promise<unknown[]> => {
  const response = await fetch(`${url}/v1/agents`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return z.object({ items: z.array(z.unknown()) }).parse(await response.json()).items;
};

const demoUrlOf = (running: Running): string =>
  /at (http:\/\/127\.0\.0\.1:\d+)/.exec(running.output())?.[1] ?? '';

const isUp = (url: string): Promise<boolean> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
};

it('serves the demo on one address, refuses a second one on the folder, and goes on after kill -9', async () => {
  const dataDir = await temporaryFolder();
  const first = run('--data', dataDir, '--port', '0');
  const address = await served(first);
  expect(first.output()).toContain('scripted model: script "demo"');
  expect(first.output()).toContain(dataDir);
  const agents = await agentsOf(address);
  expect(agents).toHaveLength(1);

  const second = run('--data', dataDir, '--port', '0');
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(`Reprise already runs at ${address.url} on this folder`);
  const samePort = run('--data', await temporaryFolder(), '--port', new URL(address.url).port);
  expect(await samePort.exited).toBe(1);
  expect(samePort.output()).toContain('is taken');

  const demo = demoUrlOf(first);
  const secrets: unknown = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  const token = z.object({ 'reprise/demo-token': z.object({ value: z.string() }) }).parse(secrets);
  expect(first.output()).not.toContain(token['reprise/demo-token'].value);

  first.child.kill('SIGKILL');
  await first.exited;
  await eventually(async () => !(await isUp(demo)));
  const third = run('--data', dataDir, '--port', '0');
  expect(await agentsOf(await served(third))).toEqual(agents);
  expect(demoUrlOf(third)).toBe(demo);
  third.child.kill('SIGTERM');
  expect(await third.exited).toBe(0);
  await eventually(async () => !(await isUp(demo)));

  const fresh = run('--data', dataDir, '--port', '0', '--fresh', '--no-demo');
  expect(await agentsOf(await served(fresh))).toEqual([]);
});

it('says how it is used when a flag is wrong', async () => {
  const wrong = run('--port', 'many');
  expect(await wrong.exited).toBe(2);
  expect(wrong.output()).toContain('Usage: npm start');
  const file = run('--data', command);
  expect(await file.exited).toBe(2);
  expect(file.output()).toContain('it is a file, not a folder');
});
