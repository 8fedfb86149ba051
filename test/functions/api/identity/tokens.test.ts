// Tokens that are not ours, through the gateway, its authoriser and the API: each is refused alike at every door, whatever it asks
// for. Laws: L13, L18.
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTwin, type Twin } from '../../../../local/twin.ts';

let twin: Twin;
let folder: string;
let good: string;
let conversationId: string;
let tokens: Readonly<Record<string, string>>;

const call = async (
  method: string,
  address: string,
  token: string,
  body?: object,
  key?: string,
) => {
  const response = await fetch(`${twin.url}${address}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'POST' ? { 'idempotency-key': key ?? crypto.randomUUID() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'reprise-tokens-'));
  twin = await startTwin({
    dataDir: folder,
    port: 0,
    synchronous: 'NORMAL',
    processEnvironment: {},
  });
  good = await twin.token('ana');
  const key = JSON.parse(readFileSync(path.join(folder, 'identity.json'), 'utf8'));
  const [headerText = '', claimsText = ''] = good.split('.');
  const header = JSON.parse(Buffer.from(headerText, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(claimsText, 'base64url').toString());
  const ours = await importJWK(key, 'ES256');
  const theirs = await generateKeyPair('ES256');
  const signed = (changed: object, signer: Parameters<SignJWT['sign']>[0] = ours) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader(header).sign(signer);
  const { d: _secret, ...published } = key;
  const shared = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
  const hmac = createHmac('sha256', JSON.stringify(published)).update(shared).digest('base64url');
  const nowSeconds = Math.floor(Date.now() / 1_000);
  tokens = {
    'no token': '',
    'what is no token': 'x.y.z',
    'alg none': `${part({ ...header, alg: 'none' })}.${part(claims)}.`,
    'a shared secret made of the public key': `${shared}.${hmac}`,
    'an expired token': await signed({ exp: nowSeconds - 60 }),
    'a token that is not valid yet': await signed({ nbf: nowSeconds + 3_600 }),
    'a token without an end': await signed({ exp: undefined }),
    'a token of another issuer': await signed({ iss: 'https://issuer.example' }),
    'a token for another audience': await signed({ aud: 'another', client_id: 'another' }),
    'a token signed by another key under our key’s name': await signed({}, theirs.privateKey),
    'a good token with other claims': [
      headerText,
      part({ ...claims, sub: 'root' }),
      good.split('.')[2],
    ].join('.'),
    'a token without a workspace': await signed({ workspace: undefined }),
  };
  const agent = { name: 'A', prompt: 'P', model: { provider: 'scripted', script: 'demo' } };
  const { agentId } = (await call('POST', '/v1/agents', good, agent)).body;
  conversationId = (await call('POST', '/v1/conversations', good, { agentId })).body.conversationId;
});
afterAll(async () => {
  await twin.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  'no token',
  'what is no token',
  'alg none',
  'a shared secret made of the public key',
  'an expired token',
  'a token that is not valid yet',
  'a token without an end',
  'a token of another issuer',
  'a token for another audience',
  'a token signed by another key under our key’s name',
  'a good token with other claims',
  'a token without a workspace',
])('%s is refused alike at every door, for what exists and for what does not', async (name) => {
  const token = tokens[name] ?? 'missing';
  const nobodys = 'cnv_0000000000000000000000000Z';
  for (const id of [conversationId, nobodys])
    for (const [method, address] of [
      ['GET', `/v1/conversations/${id}`],
      ['GET', `/v1/conversations/${id}/events`],
      ['POST', `/v1/conversations/${id}/messages`],
      ['GET', '/v1/requests'],
      ['GET', '/v1/audit'],
    ] as const) {
      const body = method === 'POST' ? { text: 'Let me in.' } : undefined;
      const reply = await call(method, address, token, body);
      expect(reply.status, address).toBe(401);
      expect(reply.body).toMatchObject({
        type: 'https://reprise.dev/problems/unauthenticated',
        detail: 'No valid token came with the request. Sign in and send it again.',
      });
    }
  const { body } = await call('GET', `/v1/conversations/${conversationId}`, good);
  expect(body.eventNumber).toBe(0);
});

test('a request that is replayed does nothing twice, and another person’s replay of it is their own request', async () => {
  const address = `/v1/conversations/${conversationId}/read`;
  const key = crypto.randomUUID();
  const first = await call('POST', address, good, { number: 0 }, key);
  const again = await call('POST', address, good, { number: 0 }, key);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const ben = await call('POST', address, await twin.token('ben'), { number: 0 }, key);
  expect(ben.headers.get('idempotency-replayed')).toBeNull();
});

test('answers carry the headers that keep a browser from misusing them', async () => {
  const { headers } = await call('GET', '/v1/agents', good);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
