// Lambda tools and Secrets Manager, by AWS's protocols over real sockets.

import type { ServerResponse } from 'node:http';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import { secretsFrom } from '../../../functions/adapters/secrets/secrets-manager.ts';
import {
  canary,
  closeDestinations,
  deadPort,
  httpDestination,
  registered,
  sendOf,
  tcpDestination,
  testCarrier,
} from './destination.ts';

afterEach(closeDestinations);

const aws = (endpoint: string) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'test' },
});

describe('a Lambda tool', () => {
  const functionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:crm';
  const tool = registered(
    { kind: 'lambda', functionArn },
    { key: { kind: 'reference', place: { in: 'body', path: 'meta.key' } } },
  );
  const answering = (status: number, headers: { [name: string]: string }, body: string) =>
    httpDestination((_seen, response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    });

  it('is invoked once with the arguments and the reference in its payload', async () => {
    const lambda = await answering(200, {}, '{"id":"c_1"}');
    const order: number[] = [];
    const beforeFirstByte = () => void order.push(lambda.seen.length);
    const call = sendOf(tool, { name: 'Ada' }, { beforeFirstByte });
    const report = await testCarrier({ lambda: aws(lambda.url) }).send(call);
    expect(report).toMatchObject({ kind: 'reply', reply: { status: 200, body: { id: 'c_1' } } });
    expect(order).toEqual([0]);
    expect(JSON.parse(lambda.seen[0]?.body ?? '')).toEqual({
      name: 'Ada',
      meta: { key: 'act_01J0000000000000000000000A' },
    });
    expect(decodeURIComponent(lambda.seen[0]?.url ?? '')).toContain(functionArn);
  });

  it('that threw is a reply of status 500: it ran', async () => {
    const lambda = await answering(
      200,
      { 'x-amz-function-error': 'Unhandled' },
      '{"errorMessage":"x"}',
    );
    expect(await testCarrier({ lambda: aws(lambda.url) }).send(sendOf(tool))).toMatchObject({
      reply: { status: 500, body: { functionError: 'Unhandled', payload: { errorMessage: 'x' } } },
    });
  });

  it.each([
    [404, 'ResourceNotFoundException'],
    [429, 'TooManyRequestsException'],
    [500, 'ServiceException'],
  ])('that the service refuses with %i is that reply, tried once', async (status, name) => {
    const lambda = await answering(status, { 'x-amzn-errortype': name }, '{"message":"no"}');
    expect(await testCarrier({ lambda: aws(lambda.url) }).send(sendOf(tool))).toMatchObject({
      kind: 'reply',
      reply: { status, body: { lambdaError: { name } } },
    });
    expect(lambda.seen).toHaveLength(1);
  });

  it('whose connection is cut is unknown, tried once', async () => {
    let connections = 0;
    const { url } = await tcpDestination((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    expect(await testCarrier({ lambda: aws(url) }).send(sendOf(tool))).toMatchObject({
      kind: 'unknown',
      milestone: 'transmitted',
    });
    expect(connections).toBe(1);
  });

  it('that is still running at the deadline is unknown', async () => {
    const aborting = new AbortController();
    const lambda = await httpDestination(() => aborting.abort());
    const carrier = testCarrier({ lambda: aws(lambda.url), abortAfter: () => aborting.signal });
    expect(await carrier.send(sendOf(tool))).toMatchObject({ kind: 'unknown' });
  });

  it('that nobody serves, or whose last check fails, is not transmitted', async () => {
    const dead = testCarrier({ lambda: aws(`http://127.0.0.1:${await deadPort()}`) });
    expect(await dead.send(sendOf(tool))).toMatchObject({ kind: 'not_transmitted' });
    const lambda = await answering(200, {}, '{}');
    const beforeFirstByte = () => {
      throw new Error('fenced');
    };
    const fenced = testCarrier({ lambda: aws(lambda.url) }).send(
      sendOf(tool, {}, { beforeFirstByte }),
    );
    expect(await fenced).toMatchObject({ kind: 'not_transmitted' });
    expect(lambda.seen).toEqual([]);
  });
});

describe('Secrets Manager', () => {
  const store = async (answer: (response: ServerResponse) => void) => {
    const server = await httpDestination((_seen, response) => {
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      answer(response);
    });
    let now = 0;
    const client = new SecretsManagerClient({ ...aws(server.url), maxAttempts: 1 });
    const secrets = secretsFrom({ client, clock: { now: () => now }, keptMs: 1_000 });
    const pass = (ms: number): void => {
      now += ms;
    };
    return { secrets, seen: server.seen, pass };
  };

  it('keeps a value for a short while, and reads it once for callers at the same time', async () => {
    const { secrets, seen, pass } = await store((response) =>
      response.end(JSON.stringify({ Name: 'crm/key', SecretString: canary })),
    );
    expect(await Promise.all([secrets.read('crm/key'), secrets.read('crm/key')])).toEqual([
      canary,
      canary,
    ]);
    pass(999);
    await secrets.read('crm/key');
    expect(seen).toHaveLength(1);
    pass(1);
    await secrets.read('crm/key');
    expect(seen).toHaveLength(2);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ SecretId: 'crm/key' });
  });

  it('tells an unknown secret from a store that does not answer, and keeps no failure', async () => {
    let status = 400;
    const { secrets } = await store((response) => {
      response.statusCode = status;
      const type = status === 400 ? 'ResourceNotFoundException' : 'InternalServiceError';
      response.end(JSON.stringify({ __type: type, message: canary, SecretString: canary }));
    });
    await expect(secrets.read('a')).rejects.toMatchObject({
      name: 'SecretUnknown',
      message:
        'There is no secret "a". Add it with "reprise secrets set" on one machine, in AWS Secrets Manager on AWS.',
    });
    status = 500;
    await expect(secrets.read('a')).rejects.toThrow(
      'The secret "a" could not be read (InternalServiceError).',
    );
    status = 200;
    expect(await secrets.read('a')).toBe(canary);
  });
});
