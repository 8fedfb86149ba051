// What is kept of a sign-in at the command line, and when it is over: by the rules of the page's session. Laws: L18.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Kept, keep, keptFor, sessionsFile, tokenFor } from '../../../cli/session/sessions.ts';
import { clientId, openIssuer } from '../../functions/auth/issuer.ts';

const url = 'https://agents.example.com';

const signedIn = async (kept: Partial<Kept>) => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-sessions-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { XDG_CONFIG_HOME: home, HOME: home };
  const issuer = await openIssuer();
  const client = { issuer: issuer.url, clientId, scope: 'openid' };
  await keep(env, url, { ...client, token: 'old', expiresAtMs: 0, subject: 'u-1', ...kept });
  return { env, issuer };
};

test.each([
  ['for somebody else', { sub: 'u-2' }],
  ['without a workspace', { 'custom:workspace': undefined }],
])('a renewal %s ends the sign-in', async (_, idClaims) => {
  const { env, issuer } = await signedIn({ refreshToken: 'first' });
  issuer.manner = { ...issuer.manner, idClaims };
  expect(await tokenFor(env, url)).toBeUndefined();
  expect(await keptFor(env, url)).toBeUndefined();
  expect(issuer.asked).toHaveLength(1);
});

test('a token with nothing to renew it is good until its end', async () => {
  const almost = await signedIn({ expiresAtMs: Date.now() + 30_000 });
  expect(await tokenFor(almost.env, url)).toBe('old');
  const over = await signedIn({});
  expect(await tokenFor(over.env, url)).toBeUndefined();
  expect(over.issuer.asked).toEqual([]);
});

test('a file that is not as it was written is named, and nothing of it is quoted (L18)', async () => {
  const { env } = await signedIn({});
  for (const text of ['secret-token', JSON.stringify({ [url]: { token: ['secret-token'] } })]) {
    await writeFile(sessionsFile(env), text);
    const error = await tokenFor(env, url).catch((cause: unknown) => cause);
    expect(String(error)).toContain(sessionsFile(env));
    expect(String(error)).not.toContain('secret-token');
  }
});
