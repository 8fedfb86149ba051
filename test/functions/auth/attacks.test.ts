// Signing in at an issuer that need not be honest, by browsers that need not be either: what is refused, and that nothing of a
// token shows anywhere (L18).
import { expect, test } from 'vitest';
import { issuerFrom } from '../../../functions/adapters/oidc/issuer.ts';
import { sealsFrom } from '../../../functions/adapters/oidc/seals.ts';
import { verifierFrom } from '../../../functions/adapters/oidc/verifier.ts';
import { authAppFor } from '../../../functions/auth/app.ts';
import { sessionMs, transactionMs } from '../../../functions/auth/cookies.ts';
import { clientId, type Manner, manyCharacters, openIssuer } from './issuer.ts';
import { type Jar, jarOver, pathOf } from './jar.ts';

const origin = 'https://agents.example.com';
const sealingKey = 'k'.repeat(64);

const open = async (manner: Manner = {}) => {
  const issuer = await openIssuer();
  issuer.manner = { ...issuer.manner, ...manner };
  const clock = { late: 0, now: () => Date.now() + clock.late, pause: async () => {} };
  const logged: unknown[] = [];
  const keep = (message: string, details: object): void => void logged.push(message, details);
  const client = { issuer: issuer.url, clientId, scope: 'openid email profile' };
  const app = authAppFor({
    issuer: issuerFrom({ ...client, clock, clientSecret: async () => undefined }),
    seals: sealsFrom({ clock, secret: async () => sealingKey }),
    tokens: verifierFrom({ issuer: issuer.url, audience: clientId, clock }),
    origin,
    client,
    clock,
    log: { info: keep, warn: keep, error: keep },
  });
  const browser = (): Jar => jarOver((path, init) => app.request(`${origin}${path}`, init), origin);
  return { issuer, clock, logged, browser };
};
type World = Awaited<ReturnType<typeof open>>;

/** As far as the issuer's redirect back. */
const begin = async ({ issuer }: World, jar: Jar, place = '/desk'): Promise<string> => {
  const { location } = await jar.get(`/auth/login?return=${encodeURIComponent(place)}`);
  return pathOf(issuer.authorise(location));
};
const signIn = async (world: World, jar: Jar): Promise<void> => {
  const { location } = await jar.get(await begin(world, jar));
  expect(location).toBe(`${origin}/#/desk`);
};
const failed = (why: string, place = '%2Fdesk'): string =>
  `${origin}/#/sign-in/${why}?return=${place}`;

test('a person comes back to the place they wanted, and the page gets the token that the API takes', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  const { status, text, headers } = await jar.post('/auth/token');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  const { token, expiresInMs } = JSON.parse(text);
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ 'custom:workspace': 'main', 'cognito:groups': ['admin'] });
  expect(expiresInMs).toBeGreaterThan(3_500_000);
  expect(expiresInMs).toBeLessThanOrEqual(3_600_000);
});

test('the cookies are for /auth only, unseen by scripts, and the session’s never comes from another site', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  const [begun = ''] = jar.set;
  const session = jar.set.find((line) => line.startsWith('__Secure-reprise-session=')) ?? '';
  for (const line of [begun, session]) {
    expect(line).toContain('Path=/auth');
    expect(line).toContain('HttpOnly');
    expect(line).toContain('Secure');
    expect(line.length).toBeLessThan(4_096);
  }
  expect(begun).toContain('SameSite=Lax');
  expect(session).toContain('SameSite=Strict');
  expect([...jar.cookies.keys()]).toEqual(['__Secure-reprise-session']);
});

test('no token, verifier or nonce is in an address, a log or a readable cookie (L18)', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  const { token } = JSON.parse((await jar.post('/auth/token')).text);
  await jar.post('/auth/logout');
  const verifier = world.issuer.asked[0]?.get('code_verifier') ?? 'none';
  const shown = JSON.stringify([jar.addresses, jar.set, world.logged]);
  for (const secret of [token, manyCharacters, verifier]) expect(shown).not.toContain(secret);
});

test.each([
  ['another site', 'https://evil.example/x'],
  ['a site by two slashes', '//evil.example'],
  ['a site by a backslash', '/\\evil.example'],
  ['a script', 'javascript:alert(1)'],
  ['a token', 'token=a.b.c'],
  ['a line break', '/desk\r\nSet-Cookie: a=b'],
  ['too much', `/${'a'.repeat(600)}`],
])('a return to %s stays in our page', async (_, place) => {
  const world = await open();
  const jar = world.browser();
  const { location } = await jar.get(await begin(world, jar, place));
  expect(new URL(location).origin).toBe(origin);
  expect(new URL(location).pathname).toBe('/');
  expect(new URL(location).hash).toMatch(/^#\//);
});

test('a state that this browser did not begin is not even looked at', async () => {
  const world = await open();
  const theirs = await begin(world, world.browser());
  const victim = world.browser();
  expect((await victim.get(theirs)).location).toBe(failed('expired', '%2F'));
  const own = world.browser();
  const mine = await begin(world, own);
  const changed = mine.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`);
  expect((await own.get(changed)).location).toBe(failed('expired', '%2F'));
  // Same beginning, so the same cookie, and still another state.
  const near = (await begin(world, own)).replace(/(state=.{40}).+$/, '$1zzz');
  expect((await own.get(near)).location).toBe(failed('expired', '%2F'));
  expect(world.issuer.asked).toEqual([]);
});

test('a code that was used is not used again, with or without its cookie', async () => {
  const world = await open();
  const jar = world.browser();
  const back = await begin(world, jar);
  const before = new Map(jar.cookies);
  expect((await jar.get(back)).location).toBe(`${origin}/#/desk`);
  expect((await jar.get(back)).location).toBe(failed('expired', '%2F'));
  expect(world.issuer.asked).toHaveLength(1);
  for (const [name, value] of before) jar.cookies.set(name, value);
  expect((await jar.get(back)).location).toBe(failed('failed'));
});

test('a cookie that was changed, or is another kind’s, opens nothing', async () => {
  const world = await open();
  const jar = world.browser();
  const back = await begin(world, jar);
  const [[name = '', value = ''] = []] = [...jar.cookies];
  const middle = Math.floor(value.length / 2);
  const other = value[middle] === 'A' ? 'B' : 'A';
  jar.cookies.set(name, `${value.slice(0, middle)}${other}${value.slice(middle + 1)}`);
  expect((await jar.get(back)).location).toBe(failed('expired', '%2F'));
  // A sign-in under way, shown as a session.
  jar.cookies.set('__Secure-reprise-session', value);
  expect((await jar.post('/auth/token')).status).toBe(401);
  expect(jar.cookies.has('__Secure-reprise-session')).toBe(false);
});

test('a sign-in that took too long is begun again', async () => {
  const world = await open();
  const jar = world.browser();
  const back = await begin(world, jar);
  world.clock.late = transactionMs + 1_000;
  expect((await jar.get(back)).location).toBe(failed('expired', '%2F'));
});

test.each<[string, Manner]>([
  ['another nonce', { idClaims: { nonce: 'other' } }],
  ['another audience', { idClaims: { aud: 'somebody-else' } }],
  ['another issuer', { idClaims: { iss: 'https://evil.example' } }],
  ['an end in the past', { idClaims: { exp: 1_000_000_000 } }],
  ['a signature that is not the issuer’s', { foreignKey: true }],
])('an ID token with %s signs nobody in', async (_, manner) => {
  const world = await open(manner);
  const jar = world.browser();
  expect((await jar.get(await begin(world, jar))).location).toBe(failed('failed'));
  expect(jar.cookies.size).toBe(0);
});

test('a person whose tokens name no workspace is told so', async () => {
  const world = await open({ idClaims: { 'custom:workspace': undefined } });
  const jar = world.browser();
  expect((await jar.get(await begin(world, jar))).location).toBe(failed('no-workspace'));
  expect(jar.cookies.size).toBe(0);
});

test('a person who says no at the issuer is told so', async () => {
  const world = await open();
  const jar = world.browser();
  const back = (await begin(world, jar)).replace(/code=[^&]+/, 'error=access_denied');
  expect((await jar.get(back)).location).toBe(failed('refused'));
});

test('only our own page is given a token or can sign out', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    expect((await jar.post('/auth/token', headers)).status).toBe(403);
    expect((await jar.post('/auth/logout', headers)).status).toBe(403);
  }
  expect((await jar.post('/auth/token')).status).toBe(200);
});

test('nobody signed in is no error; a session that is over is', async () => {
  const world = await open();
  expect((await world.browser().post('/auth/token')).status).toBe(204);
  const jar = world.browser();
  await signIn(world, jar);
  world.clock.late = sessionMs + 1_000;
  expect((await jar.post('/auth/token')).status).toBe(401);
});

test('an issuer that fails ends no session; one that says it is over does', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  const { manner } = world.issuer;
  // It may quote what it was sent: no log of ours does (L18).
  const body = { error: 'server_error', error_description: `Not now: ${manyCharacters}` };
  for (const status of [500, 429, 401]) {
    world.issuer.manner = { ...manner, refusal: { status, body } };
    expect((await jar.post('/auth/token')).status).toBe(503);
  }
  expect(JSON.stringify(world.logged)).toContain('server_error');
  expect(JSON.stringify(world.logged)).not.toContain(manyCharacters);
  world.issuer.manner = manner;
  expect((await jar.post('/auth/token')).status).toBe(200);
  world.issuer.manner = { ...manner, refusal: { status: 400, body: { error: 'invalid_grant' } } };
  expect((await jar.post('/auth/token')).status).toBe(401);
  expect(jar.cookies.size).toBe(0);
});

test('a renewal for somebody else ends the session', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  world.issuer.manner = { ...world.issuer.manner, idClaims: { sub: 'u-2' } };
  expect((await jar.post('/auth/token')).status).toBe(401);
});

test('a refresh token that the issuer replaces is replaced; the end of the session stays', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  world.issuer.manner = { ...world.issuer.manner, refreshToken: 'the-next-one' };
  await jar.post('/auth/token');
  await jar.post('/auth/token');
  expect(world.issuer.asked.at(-1)?.get('refresh_token')).toBe('the-next-one');
  world.clock.late = sessionMs + 1_000;
  expect((await jar.post('/auth/token')).status).toBe(401);
});

test('an issuer that renews nothing gives a session as long as its token', async () => {
  const world = await open({ refreshToken: undefined });
  const jar = world.browser();
  await signIn(world, jar);
  expect((await jar.post('/auth/token')).status).toBe(200);
  expect(world.issuer.asked).toHaveLength(1);
  world.clock.late = 3_700_000;
  expect((await jar.post('/auth/token')).status).toBe(401);
});

test('signing out ends the session here and at the issuer, without a token in the address', async () => {
  const world = await open();
  const jar = world.browser();
  await signIn(world, jar);
  const { address } = JSON.parse((await jar.post('/auth/logout')).text);
  expect(jar.cookies.size).toBe(0);
  expect(world.issuer.revoked).toEqual([manyCharacters]);
  const query = new URL(address).searchParams;
  expect([...query.keys()].sort()).toEqual(['client_id', 'logout_uri', 'post_logout_redirect_uri']);
  expect(query.get('logout_uri')).toBe(`${origin}/`);
  expect((await jar.post('/auth/token')).status).toBe(204);
});

test('somebody who is signed in at the issuer is asked again when another person is wanted', async () => {
  const world = await open();
  const { location } = await world.browser().get('/auth/login?other');
  expect(new URL(location).searchParams.get('prompt')).toBe('login');
});

test('many sign-ins under way leave a few cookies', async () => {
  const world = await open();
  const jar = world.browser();
  for (let count = 0; count < 20; count += 1) await begin(world, jar);
  expect(jar.cookies.size).toBeLessThanOrEqual(6);
  await signIn(world, jar);
});

test('what fails on our own side ends on the page as well, with a word of it in the log', async () => {
  const large = await open({ refreshToken: 'x'.repeat(6_000) });
  const jar = large.browser();
  expect((await jar.get(await begin(large, jar))).location).toBe(failed('failed'));
  expect(JSON.stringify(large.logged)).toContain('characters in a cookie');
  expect(JSON.stringify(large.logged)).not.toContain('xxx');
  expect((await jar.post('/auth/token')).status).toBe(204);
});
