// `reprise login` and `logout` against the twin's identity provider, each command a process of its own: the browser's part is
// played by requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { twinForTest } from '../../local/twin-for-tests.ts';
import { type Ran, reprise } from '../command-line.ts';

const entry = join(import.meta.dirname, '..', '..', '..', 'cli', 'reprise.mjs');

const open = async (signInTokenMs?: number) => {
  const twin = await twinForTest(signInTokenMs === undefined ? {} : { signInTokenMs });
  const home = await mkdtemp(join(tmpdir(), 'reprise-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { XDG_CONFIG_HOME: home, HOME: home };
  const run = (...args: readonly string[]): Promise<Ran> =>
    reprise([...args, '--url', twin.url], { env, cwd: home });
  return { twin, home, env, run, file: join(home, 'reprise', 'sessions.json') };
};
type World = Awaited<ReturnType<typeof open>>;

/** What a browser asks for, from the printed address on, until it is back at the command line. */
const asBrowser = async (address: string, person: string, meddle = ''): Promise<number> => {
  const chosen = new URL(address);
  chosen.searchParams.set('person', person);
  const { headers } = await fetch(chosen, { redirect: 'manual' });
  const back = `${headers.get('location') ?? ''}`.replace('localhost', '127.0.0.1');
  if (meddle !== '') {
    const other = await fetch(back.replace(/state=[^&]+/, `state=${meddle}`));
    expect(other.status).toBe(404);
  }
  return (await fetch(back)).status;
};

const login = async ({ twin, env, home }: World, person: string, meddle = ''): Promise<Ran> => {
  const child = spawn(
    process.execPath,
    [entry, 'login', '--no-browser', '--json', '--url', twin.url],
    { cwd: home, env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env } },
  );
  let err = '';
  const printed = Promise.withResolvers<string>();
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
    const address = /http:\S+\/identity\/authorize\S+(?=\n)/.exec(err)?.[0];
    if (address !== undefined) printed.resolve(address);
  });
  const ended = Promise.all([text(child.stdout), once(child, 'close')]);
  void ended.then(() => printed.reject(new Error(err)));
  expect(await asBrowser(await printed.promise, person, meddle)).toBe(200);
  const [out, [code]] = await ended;
  return { code: z.number().parse(code), out, err };
};

test('a person signs in with the browser, works, and signs out; only they can read what is kept', async () => {
  const world = await open();
  const before = await world.run('requests', 'list');
  expect(before.code).toBe(2);
  expect(before.err).toContain('reprise login');
  const signedIn = await login(world, 'cleo', 'x'.repeat(43));
  expect(signedIn.code).toBe(0);
  expect(JSON.parse(signedIn.out)).toEqual({
    url: world.twin.url,
    name: 'Cleo',
    workspace: 'local',
    roles: 'member approver recoverer',
    file: world.file,
  });
  expect(`${signedIn.out}${signedIn.err}`).not.toContain('eyJ');
  expect((await stat(world.file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(world.home, 'reprise'))).mode & 0o777).toBe(0o700);
  expect((await world.run('requests', 'list')).code).toBe(0);
  const kept = await readFile(world.file, 'utf8');
  expect((await world.run('logout')).code).toBe(0);
  expect(JSON.parse(await readFile(world.file, 'utf8'))).toEqual({});
  // A copy of the file from before renews nothing.
  const [[url = '', session] = []] = Object.entries(
    z.record(z.string(), z.looseObject({})).parse(JSON.parse(kept)),
  );
  await writeFile(world.file, JSON.stringify({ [url]: { ...session, expiresAtMs: 0 } }));
  await chmod(world.file, 0o600);
  expect((await world.run('requests', 'list')).code).toBe(2);
});

test('a token that ends is renewed by the next command', async () => {
  const world = await open(30_000);
  expect((await login(world, 'ana')).code).toBe(0);
  const before = await readFile(world.file, 'utf8');
  expect((await world.run('requests', 'list')).code).toBe(0);
  expect(await readFile(world.file, 'utf8')).not.toBe(before);
});

test('an address that tokens must not go to, or that is no Reprise, is refused', async () => {
  const { twin, env } = await open();
  expect((await reprise(['login', '--url', 'http://agents.example.com'], { env })).code).toBe(2);
  expect((await reprise(['login'], { env })).code).toBe(2);
  const other = await reprise(['login', '--url', `${twin.url}/nowhere`], { env });
  expect(other.code).toBe(4);
});
