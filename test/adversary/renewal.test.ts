// Several at once who renew one sign-in at an issuer that takes each renewal once. Laws: L18.
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  drop,
  type Kept,
  keep,
  keptFor,
  sessionsFile,
  tokenFor,
} from '../../cli/session/sessions.ts';
import { clientId, openIssuer } from '../functions/auth/issuer.ts';

const url = 'https://agents.example.com';

const signedIn = async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-renewal-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { XDG_CONFIG_HOME: home, HOME: home };
  const issuer = await openIssuer();
  const kept: Kept = {
    issuer: issuer.url,
    clientId,
    scope: 'openid',
    token: 'old',
    expiresAtMs: 0,
    subject: 'u-1',
    refreshToken: 'first',
  };
  await keep(env, url, kept);
  issuer.manner = { rotates: true };
  issuer.know('first');
  const old = async (): Promise<void> => {
    const fresh = await keptFor(env, url);
    if (fresh !== undefined) await keep(env, url, { ...fresh, expiresAtMs: 0 });
  };
  return { env, issuer, old };
};

test('eight commands at once renew once, and all go on', async () => {
  const { env, issuer, old } = await signedIn();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenFor(env, url)));
  expect(tokens.every((token) => token !== undefined)).toBe(true);
  expect(new Set(tokens).size).toBe(1);
  expect(issuer.asked).toHaveLength(1);
  await old();
  expect(await tokenFor(env, url)).toBeDefined();
  expect(await readdir(dirname(sessionsFile(env)))).toEqual(['sessions.json']);
});

test('signing out while a command renews ends what was renewed', async () => {
  const { env, issuer } = await signedIn();
  const [, dropped] = await Promise.all([tokenFor(env, url), drop(env, url)]);
  expect(await keptFor(env, url)).toBeUndefined();
  // What is revoked then is the newest, whoever was first.
  const last = issuer.asked.length === 0 ? 'first' : dropped?.refreshToken;
  expect(dropped?.refreshToken).toBe(last);
  expect(JSON.parse(await readFile(sessionsFile(env), 'utf8'))).toEqual({});
});

test('the lock of a command that died is taken over', async () => {
  const { env } = await signedIn();
  const lock = `${sessionsFile(env)}.lock`;
  await writeFile(lock, '');
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(lock, longAgo, longAgo);
  expect(await tokenFor(env, url)).toBeDefined();
});
