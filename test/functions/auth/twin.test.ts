// The whole way over HTTP against the twin: its identity provider, the auth function behind the gateway, and the API that takes
// the token.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signInSecret } from '../../../local/lambda/environment.ts';
import type { Twin } from '../../../local/twin.ts';
import { twinForTest } from '../../local/twin-for-tests.ts';
import { type Jar, jarOver, pathOf } from './jar.ts';

const jarOf = (twin: Twin): Jar =>
  jarOver((path, init) => fetch(new URL(path, twin.url), init), twin.url);

/** Chooses a person on the provider's page, by their link. */
const choose = async (jar: Jar, address: string, name: string): Promise<string> => {
  const page = await jar.get(pathOf(address));
  expect(page.headers.get('content-type')).toContain('text/html');
  const link = new RegExp(`href="([^"]+)">${name}<`).exec(page.text)?.[1] ?? '';
  const chosen = await jar.get(link.replaceAll('&#38;', '&'));
  return pathOf(chosen.location);
};

const signIn = async (twin: Twin, jar: Jar, name: string): Promise<string> => {
  const { location } = await jar.get('/auth/login?return=%2Fdesk');
  const back = await choose(jar, location, name);
  expect((await jar.get(back)).location).toBe(`${twin.url}/#/desk`);
  return back;
};

const who = async (twin: Twin, jar: Jar): Promise<{ status: number; roles: string }> => {
  const answer = await jar.post('/auth/token');
  const { token } = JSON.parse(answer.text);
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const { status } = await fetch(`${twin.url}/v1/agents`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status, roles: `${claims.sub}: ${claims.roles.join(' ')}` };
};

test('a person who is chosen gets in with their roles; another one can follow in the same browser', async () => {
  const twin = await twinForTest();
  const jar = jarOf(twin);
  await signIn(twin, jar, 'Ben');
  expect(await who(twin, jar)).toEqual({ status: 200, roles: 'ben: member' });
  await signIn(twin, jar, 'Cleo');
  expect(await who(twin, jar)).toEqual({
    status: 200,
    roles: 'cleo: approver recoverer member',
  });
});

test('a session outlives a restart; once signed out it renews nothing, and the log holds no token', async () => {
  const first = await twinForTest();
  const jar = jarOf(first);
  const back = await signIn(first, jar, 'Ana');
  await first.close();
  const twin = await twinForTest({ dataDir: first.dataDir, port: first.port });
  expect((await who(twin, jar)).roles).toMatch(/^ana:/);
  const kept = new Map(jar.cookies);
  const { address } = JSON.parse((await jar.post('/auth/logout')).text);
  expect((await jar.get(pathOf(address))).location).toBe(`${twin.url}/`);
  expect(jar.cookies.size).toBe(0);
  // Somebody who copied the cookie before has nothing of it now.
  for (const [name, value] of kept) jar.cookies.set(name, value);
  expect((await jar.post('/auth/token')).status).toBe(401);
  const log = await readFile(join(twin.dataDir, 'twin.log'), 'utf8');
  expect(log).not.toMatch(/eyJ[\w-]{10}/);
  expect(log).not.toContain(new URL(back, twin.url).searchParams.get('code'));
});

test('a sealing secret that is not as it must be is said to be so, and quoted nowhere (L18)', async () => {
  const twin = await twinForTest({ secrets: { [signInSecret]: 'a-word-by-chance' } });
  const { location } = await jarOf(twin).get('/auth/login');
  expect(location).toBe(`${twin.url}/#/sign-in/failed?return=%2F`);
  const read = () => readFile(join(twin.dataDir, 'twin.log'), 'utf8');
  await expect.poll(read).toContain('Nobody can sign in');
  const log = await read();
  expect(log).toContain('is not JSON with a sealingKey');
  expect(log).not.toContain('a-word-by-chance');
});

test('the provider sends nobody to an address that it does not know', async () => {
  const twin = await twinForTest();
  const jar = jarOf(twin);
  const { location } = await jar.get('/auth/login');
  for (const [name, value] of [
    ['redirect_uri', 'https://evil.example/callback'],
    ['redirect_uri', `${twin.url}/elsewhere`],
    ['redirect_uri', 'http://127.0.0.1:99999/callback'],
    ['client_id', 'somebody'],
    ['code_challenge_method', 'plain'],
    ['response_type', 'token'],
  ] as const) {
    const changed = new URL(location);
    changed.searchParams.set(name, value);
    changed.searchParams.set('person', 'ana');
    expect(await jar.get(pathOf(changed.href))).toMatchObject({ status: 400, location: '' });
  }
});

test('a code used twice ends the sign-in that it began', async () => {
  const twin = await twinForTest();
  const jar = jarOf(twin);
  const { location } = await jar.get('/auth/login');
  const back = await choose(jar, location, 'Ben');
  const pending = new Map(jar.cookies);
  await jar.get(back);
  expect((await who(twin, jar)).status).toBe(200);
  const session = new Map(jar.cookies);
  for (const [name, value] of pending) jar.cookies.set(name, value);
  expect((await jar.get(back)).location).toContain('/#/sign-in/failed');
  for (const [name, value] of session) jar.cookies.set(name, value);
  expect((await jar.post('/auth/token')).status).toBe(401);
});

test('a sign-in that begins at localhost goes on where it will end', async () => {
  const twin = await twinForTest();
  const there = await fetch(`http://localhost:${twin.port}/auth/login?return=%2Fdesk`, {
    redirect: 'manual',
  });
  expect(there.headers.get('location')).toBe(`${twin.url}/auth/login?return=%2Fdesk`);
});

test('what is not there is not found, and what a browser would send as a form is not taken', async () => {
  const twin = await twinForTest();
  const jar = jarOf(twin);
  expect((await jar.get('/auth/nothing')).status).toBe(404);
  expect((await jar.get('/auth/token')).status).toBe(404);
  expect((await jar.post('/auth/token', { origin: 'http://evil.example' })).status).toBe(403);
  const { text } = await jar.get('/auth/client');
  expect(JSON.parse(text)).toEqual({
    issuer: twin.url,
    clientId: 'reprise-local',
    scope: 'openid email profile',
  });
});
