// Streamed answers of the gateway: write by write, broken off visibly, and freed when the reader leaves.
import { describe, expect, it } from 'vitest';
import { allowEverybody, eventually, twinForTest } from './twin-for-tests.ts';

const bearer = { authorization: 'Bearer token' };
const eventsPath = '/v1/conversations/cnv_1/events';

describe('a streamed answer', () => {
  it('comes write by write, with the status and headers of its metadata', async () => {
    const gate = Promise.withResolvers<void>();
    const twin = await twinForTest({
      handlers: {
        authorise: allowEverybody,
        stream: () =>
          awslambda.streamifyResponse(async (_event, stream) => {
            const metadata = { statusCode: 206, headers: { 'content-type': 'text/event-stream' } };
            const body = awslambda.HttpResponseStream.from(stream, metadata);
            body.write('one\n');
            await gate.promise;
            body.end('two\n');
          }),
      },
    });
    const response = await fetch(`${twin.url}${eventsPath}`, { headers: bearer });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('one\n');
    gate.resolve();
    const second = await reader?.read();
    expect(Buffer.from(second?.value ?? []).toString()).toBe('two\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('is told when its reader leaves', async () => {
    const closed = Promise.withResolvers<boolean>();
    const twin = await twinForTest({
      handlers: {
        authorise: allowEverybody,
        stream: () =>
          awslambda.streamifyResponse(async (_event, stream) => {
            stream.on('close', () => closed.resolve(stream.destroyed));
            stream.write('one\n');
            await closed.promise;
          }),
      },
    });
    const leaving = new AbortController();
    const { signal } = leaving;
    const response = await fetch(`${twin.url}${eventsPath}`, { headers: bearer, signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect(await closed.promise).toBe(true);
  });

  it('breaks off visibly when the function fails after its first byte, and is 502 before', async () => {
    let writes = false;
    const twin = await twinForTest({
      handlers: {
        authorise: allowEverybody,
        stream: () =>
          awslambda.streamifyResponse(async (_event, stream) => {
            if (writes) await new Promise((done) => stream.write('one\n', done));
            throw new Error('broken');
          }),
      },
    });
    expect((await fetch(`${twin.url}${eventsPath}`, { headers: bearer })).status).toBe(502);
    writes = true;
    const response = await fetch(`${twin.url}${eventsPath}`, { headers: bearer });
    await expect(response.text()).rejects.toThrow();
  });

  it('over the reserved concurrency is 429, and a reader that left makes room', async () => {
    const closed: boolean[] = [];
    const twin = await twinForTest({
      functions: {
        stream: {
          module: 'functions/none.ts',
          calledBy: 'api',
          timeoutMs: 60_000,
          memoryMb: 128,
          streaming: true,
          reservedConcurrency: 1,
          tables: {},
        },
      },
      handlers: {
        authorise: allowEverybody,
        stream: () =>
          awslambda.streamifyResponse(async (_event, stream) => {
            stream.write('one\n');
            await new Promise<void>((done) => stream.on('close', () => done()));
            closed.push(true);
          }),
      },
    });
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = await fetch(`${twin.url}${eventsPath}`, { headers: bearer, signal });
    expect(first.status).toBe(200);
    expect((await fetch(`${twin.url}${eventsPath}`, { headers: bearer })).status).toBe(429);
    leaving.abort();
    await eventually(() => closed.length === 1);
    await eventually(async () => {
      const trying = new AbortController();
      const answer = await fetch(`${twin.url}${eventsPath}`, {
        headers: bearer,
        signal: trying.signal,
      });
      trying.abort();
      return answer.status === 200;
    });
  });
});
