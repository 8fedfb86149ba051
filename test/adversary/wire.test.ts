// Requests that no client of ours makes, on the twin's port: encodings that are none, names that are traps, headers without measure.
// Each is refused in order, and the twin goes on.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { twinForTest } from '../local/twin-for-tests.ts';

const agent = 'agt_00000000000000000000000000';
const paths = [
  '/v1/conversations/%E0%A4%A',
  '/v1/conversations/%ff',
  '/v1/conversations/%00/events',
  '/v1/conversations/..%2f..',
  '/v1/%2e%2e/agents',
  `/v1/ai-sdk/${agent}/%ff/stream`,
  `/v1/ai-sdk/${agent}/%E0%A4%A/stream`,
  `/v1/ai-sdk/${agent}/a%2Fb/stream`,
  '/v1/search?q=%ff',
  '/v1/search?q=a&q=b',
  '/v1/overview?zone=%00',
  '/v1/runs?__proto__=1',
  '/v1/runs?constructor=1&__proto__=2&__proto__=3',
  '/v1/tools/__proto__',
  '/v1/tools/constructor/bar',
  '//evil.example/v1/runs',
  '/auth/login?return=%ff',
  '/auth/callback?code=%&state=%',
  '/auth/callback?state=%00',
  '/auth/nothing',
  '/identity/authorize?client_id=x',
  '/%',
  '/assets/%2e%2e/%2e%2e/etc/passwd',
] as const;
const odd: readonly Readonly<Record<string, string>>[] = [
  { ['__proto__']: 'x' },
  { 'last-event-id': '9'.repeat(400) },
  { 'accept-language': 'fr;q=9999,en;q=-1,,,;'.repeat(200) },
  { cookie: `reprise-session=${'x'.repeat(7_000)}` },
  { cookie: 'reprise-session=a.b.c.d.e; ='.repeat(100) },
  { authorization: `Bearer ${'x'.repeat(7_000)}` },
  { authorization: 'AWS4-HMAC-SHA256 x' },
  { 'x-amz-target': 'X.Y' },
  { host: 'evil.example' },
  { origin: 'null' },
];

test('no path, method or header is answered by a failure of the twin', async () => {
  const twin = await twinForTest();
  const { port } = new URL(twin.url);
  const token = await twin.token('ana');
  const statusOf = (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end();
    return promise;
  };
  const bad: string[] = [];
  const ask = async (method: string, path: string, headers = {}): Promise<void> => {
    const status = await statusOf(method, path, headers);
    if (status >= 500 || status === 0) bad.push(`${method} ${path} ${status}`);
  };
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) await ask(method, path);
  for (const headers of odd)
    for (const path of ['/v1/runs', '/auth/client', `/v1/ai-sdk/${agent}/x/stream`])
      await ask('GET', path, headers);
  expect(bad).toEqual([]);
  expect(await statusOf('GET', '/v1/runs', {})).toBe(200);
});
