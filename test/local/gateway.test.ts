// The gateway: API Gateway's events and answers, the authoriser, streaming, the page, and who is not let in.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Twin } from '../../local/twin.ts';
import { allowEverybody, handling, twinForTest } from './twin-for-tests.ts';

const isProxyEvent = (event: unknown): event is APIGatewayProxyEvent =>
  typeof event === 'object' && event !== null && 'httpMethod' in event;

const answering = (answer: (event: APIGatewayProxyEvent, context: Context) => unknown) =>
  handling((event, context) => {
    if (!isProxyEvent(event)) throw new Error('This is no proxy event.');
    return answer(event, context);
  });

const echo = answering((event) => ({ statusCode: 200, body: JSON.stringify(event) }));
const bearer = { authorization: 'Bearer token' };

const send = (
  twin: Twin,
  options: {
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly method?: string;
  },
): Promise<{ status: number; body: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const request = httpRequest(
    { host: '127.0.0.1', port: twin.port, ...options },
    async (response) => {
      const body = (await response.toArray()).join('');
      resolve({ status: response.statusCode ?? 0, body });
    },
  );
  request.on('error', reject);
  request.end();
  return promise;
};

describe('a request of the API', () => {
  it('becomes a proxy event with path parameters, repeated query and header values, and the authoriser’s context', async () => {
    const twin = await twinForTest({ handlers: { api: echo, authorise: allowEverybody } });
    const response = await fetch(`${twin.url}/v1/conversations/cnv_1/messages?tag=a&tag=b&empty=`, {
      method: 'POST',
      headers: { ...bearer, 'X-Two': 'é' },
      body: '{"text":"été"}',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const event: APIGatewayProxyEvent = JSON.parse(await response.text());
    expect(event).toMatchObject({
      resource: '/v1/conversations/{conversationId}/{proxy+}',
      path: '/v1/conversations/cnv_1/messages',
      httpMethod: 'POST',
      pathParameters: { conversationId: 'cnv_1', proxy: 'messages' },
      queryStringParameters: { tag: 'b', empty: '' },
      multiValueQueryStringParameters: { tag: ['a', 'b'], empty: [''] },
      body: '{"text":"été"}',
      isBase64Encoded: false,
      stageVariables: null,
      requestContext: {
        resourcePath: '/v1/conversations/{conversationId}/{proxy+}',
        authorizer: { workspace: 'local', roles: 'admin', principalId: 'ana' },
      },
    });
    expect(event.multiValueHeaders.authorization).toEqual(['Bearer token']);
  });

  it('reaches open routes without a token and without the authoriser', async () => {
    const twin = await twinForTest({ handlers: { api: echo } });
    const response = await fetch(`${twin.url}/v1/health`);
    const event: APIGatewayProxyEvent = JSON.parse(await response.text());
    expect(event.requestContext.authorizer).toBeNull();
    expect(event.body).toBeNull();
  });

  it('gets the function’s status, headers, repeated headers and binary body', async () => {
    const twin = await twinForTest({
      handlers: {
        authorise: allowEverybody,
        api: answering(() => ({
          statusCode: 201,
          headers: { 'Content-Type': 'image/png', 'X-One': 1 },
          multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
          body: Buffer.from([0, 255]).toString('base64'),
          isBase64Encoded: true,
        })),
      },
    });
    const response = await fetch(`${twin.url}/v1/x`, { headers: bearer });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
  });
});

describe('the authoriser', () => {
  const policy = (effect: string) => ({
    principalId: 'x',
    policyDocument: {
      Statement: [
        { Effect: effect, Action: ['execute-api:*'], Resource: ['arn:aws:execute-api:*'] },
      ],
    },
  });
  const cases: [string, Record<string, string>, () => unknown, number][] = [
    ['is not asked without a token', {}, () => policy('Allow'), 401],
    [
      'says 401 by throwing Unauthorized',
      bearer,
      () => Promise.reject(new Error('Unauthorized')),
      401,
    ],
    ['says 403 by a policy that denies', bearer, () => policy('Deny'), 403],
    ['fails', bearer, () => Promise.reject(new Error('down')), 500],
    ['answers no policy', bearer, () => ({ principalId: 'x' }), 500],
    ['allows', bearer, () => policy('Allow'), 200],
  ];
  it.each(cases)('%s', async (_title, headers, decide, status) => {
    const twin = await twinForTest({ handlers: { api: echo, authorise: handling(decide) } });
    const response = await fetch(`${twin.url}/v1/agents`, { headers });
    expect(response.status).toBe(status);
    if (status === 200) return;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, instance: '/v1/agents' });
  });

  it('is given what API Gateway gives it, for each request anew', async () => {
    const events: unknown[] = [];
    const twin = await twinForTest({
      handlers: {
        api: echo,
        authorise: handling((event) => {
          events.push(event);
          return policy('Allow');
        }),
      },
    });
    for (const path of ['/v1/agents', '/v1/agents?b=1'])
      await fetch(`${twin.url}${path}`, { headers: bearer });
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: 'REQUEST',
      methodArn: expect.stringMatching(/^arn:aws:execute-api:.+\/GET\/v1\/agents$/),
      headers: expect.objectContaining({ authorization: 'Bearer token' }),
      queryStringParameters: { b: '1' },
    });
  });
});

describe('what the gateway answers itself', () => {
  const failing = () => Promise.reject(new Error('secret detail'));
  const cases: [string, Parameters<typeof handling>[0], number][] = [
    ['a function that throws is 502', failing, 502],
    ['a function that answers nonsense is 502', () => ({ hello: 1 }), 502],
  ];
  it.each(cases)('%s, and tells nothing of the error', async (_title, handle, status) => {
    const twin = await twinForTest({
      handlers: { authorise: allowEverybody, api: handling(handle) },
    });
    const response = await fetch(`${twin.url}/v1/agents`, { headers: bearer });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret detail');
  });

  it('a body over 10 MB is 413 and the next request is served', async () => {
    const twin = await twinForTest({ handlers: { api: echo, authorise: allowEverybody } });
    const response = await fetch(`${twin.url}/v1/agents`, {
      method: 'POST',
      headers: bearer,
      body: 'x'.repeat(10 * 1024 * 1024 + 1),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      type: 'https://reprise.dev/problems/body-too-large',
    });
    expect((await fetch(`${twin.url}/v1/health`)).status).toBe(200);
  });

  it('a foreign Host, as after DNS rebinding, is refused whatever it asks for', async () => {
    const twin = await twinForTest({ handlers: { api: echo } });
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example'])
      for (const path of ['/v1/health', '/', '/.well-known/jwks.json'])
        expect((await send(twin, { path, headers: { host } })).status).toBe(403);
    for (const host of ['localhost:1234', '127.0.0.1'])
      expect((await send(twin, { path: '/v1/health', headers: { host } })).status).toBe(200);
  });

  it('headers of more than 16 KB are refused, and so is a request that is no HTTP', async () => {
    const twin = await twinForTest({ handlers: { api: echo } });
    const long = { 'x-long': 'x'.repeat(20_000) };
    expect((await send(twin, { path: '/v1/health', headers: long })).status).toBe(431);
    const socket = connect(twin.port, '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    expect(String(await socket.toArray())).toContain('400 Bad Request');
  });
});

describe('the page', () => {
  it('is served with headers that let it load nothing foreign, and nothing outside its folder', async () => {
    const twin = await twinForTest();
    const page = await fetch(`${twin.url}/conversations/cnv_1`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const paths = ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/a%00.js'];
    for (const path of [...paths, '/none.js', '/assets/..%5c..%5cpackage.json'])
      expect((await send(twin, { path })).status, path).toBe(404);
    expect((await send(twin, { path: '/%', method: 'GET' })).status).toBe(400);
  });

  it('is nothing that an API is asked by: another version than ours is a problem, not a page', async () => {
    const twin = await twinForTest();
    for (const path of ['/v2/foo', '/v2', '/v10/', '/api/x', '/v1', '/v1/nothing']) {
      const answer = await fetch(`${twin.url}${path}`);
      expect([path, answer.status]).toEqual([path, answer.status === 401 ? 401 : 404]);
      expect(answer.headers.get('content-type'), path).toBe('application/problem+json');
    }
    for (const path of ['/', '/apiary', '/v', '/views/v2'])
      expect((await fetch(`${twin.url}${path}`)).headers.get('content-type')).toContain('html');
  });

  it('publishes the key that its tokens are signed with, and no more of it', async () => {
    const twin = await twinForTest();
    const configuration = await (
      await fetch(`${twin.url}/.well-known/openid-configuration`)
    ).json();
    expect(configuration).toMatchObject({ issuer: twin.url });
    const { keys } = await (await fetch(`${twin.url}/.well-known/jwks.json`)).json();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256' });
    expect(keys[0]).not.toHaveProperty('d');
  });
});
