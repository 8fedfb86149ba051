// MCP tools against real MCP servers, by both protocols: what is sent, once, and what each outcome is reported as.
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { egressFrom } from '../../../functions/adapters/tools/egress.ts';
import { mcpFetch } from '../../../functions/adapters/tools/mcp-fetch.ts';
import type { McpTransport } from '../../../functions/core/registry/tool.ts';
import {
  canary,
  closeDestinations,
  deadPort,
  registered,
  sendOf,
  testCarrier,
} from './destination.ts';
import { closeMcpServers, type Fault, mcpServer } from './mcp-server.ts';

afterEach(async () => {
  await closeDestinations();
  await closeMcpServers();
});

const tool = (url: string, more: Partial<McpTransport> = {}) =>
  registered({
    kind: 'mcp',
    url,
    tool: 'add',
    headers: { authorization: 'Bearer {{secret:crm/key}}' },
    ...more,
  });

const protocols = ['auto', '2026-07-28', 'legacy'] as const;

describe.each(protocols)('an MCP tool by protocol %s', (protocol) => {
  it('is called once and its result is a reply', async () => {
    const server = await mcpServer();
    const order: string[][] = [];
    const beforeFirstByte = () => void order.push([...server.methods]);
    const report = await testCarrier().send(
      sendOf(tool(server.url, { protocol }), { name: 'Ada' }, { beforeFirstByte }),
    );
    expect(report).toMatchObject({
      kind: 'reply',
      reply: {
        status: 200,
        body: {
          content: [{ type: 'text', text: 'added Ada' }],
          structuredContent: { id: 'c_1' },
          isError: false,
        },
      },
    });
    expect(server.done).toEqual(['Ada']);
    expect(order).toHaveLength(1);
    expect(order[0]?.at(-1)).toBe(
      protocol === 'legacy' ? 'notifications/initialized' : 'server/discover',
    );
    expect(server.headers.every((one) => one.authorization === `Bearer ${canary}`)).toBe(true);
  });

  it('shows isError and JSON-RPC errors in the body, with secrets blotted out', async () => {
    const server = await mcpServer();
    const failed = await testCarrier().send(sendOf(tool(server.url, { protocol, tool: 'fail' })));
    expect(failed).toMatchObject({
      reply: { status: 200, body: { isError: true, content: [{ text: 'no: [secret:crm/key]' }] } },
    });
    const fault: Fault = (method, response, id) => {
      if (method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'broken' } }),
      );
      return true;
    };
    const broken = await mcpServer({ fault });
    const report = await testCarrier().send(sendOf(tool(broken.url, { protocol }), { name: 'x' }));
    expect(report).toMatchObject({
      kind: 'reply',
      reply: {
        status: 200,
        body: { jsonrpcError: { code: -32603, message: expect.stringContaining('broken') } },
      },
    });
  });

  it.each([
    ['the connection is cut', (response: ServerResponse) => response.socket?.destroy()],
    [
      'the stream ends without a result',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('id: e1\ndata: \n\n');
      },
    ],
    [
      'the stream breaks',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('id: e1\ndata: {"jsonrpc":"2.0",\n');
        setImmediate(() => response.socket?.destroy());
      },
    ],
    [
      'the reply is no JSON',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"jsonrpc":');
      },
    ],
  ])('is unknown when %s after it ran, and is never issued again', async (_title, cut) => {
    const after: Fault = (method, response) => {
      if (method !== 'tools/call') return false;
      cut(response);
      return true;
    };
    const server = await mcpServer({ after });
    const report = await testCarrier().send(
      sendOf(tool(server.url, { protocol }), { name: 'Ada' }),
    );
    expect(report).toMatchObject({ kind: 'unknown', milestone: 'transmitted' });
    expect(server.done).toEqual(['Ada']);
    expect(server.calls()).toBe(1);
  });

  it('is unknown when the deadline passes while it runs', async () => {
    const aborting = new AbortController();
    const after: Fault = (method) => {
      if (method !== 'tools/call') return false;
      aborting.abort();
      return true;
    };
    const server = await mcpServer({ after });
    const carrier = testCarrier({ abortAfter: () => aborting.signal });
    const report = await carrier.send(sendOf(tool(server.url, { protocol }), { name: 'Ada' }));
    expect(report).toMatchObject({ kind: 'unknown', because: expect.stringContaining('deadline') });
    expect(server.calls()).toBe(1);
  });

  it('is not transmitted when the last check fails', async () => {
    const server = await mcpServer();
    const beforeFirstByte = () => {
      throw new Error('fenced');
    };
    const report = await testCarrier().send(
      sendOf(tool(server.url, { protocol }), { name: 'Ada' }, { beforeFirstByte }),
    );
    expect(report).toMatchObject({ kind: 'not_transmitted' });
    expect(server.calls()).toBe(0);
    expect(server.done).toEqual([]);
  });

  it('is not transmitted when the handshake fails or nobody answers', async () => {
    const refusing = await mcpServer({
      fault: (_method, response) => {
        response.writeHead(401);
        response.end(canary);
        return true;
      },
    });
    for (const url of [refusing.url, `http://127.0.0.1:${await deadPort()}/mcp`]) {
      const report = await testCarrier().send(sendOf(tool(url, { protocol }), { name: 'Ada' }));
      expect(report).toMatchObject({ kind: 'not_transmitted' });
      expect(JSON.stringify(report)).not.toContain('canary-5f0c2a');
    }
    expect(refusing.calls()).toBe(0);
  });

  it('is answered, not followed, when the call is redirected or refused by HTTP', async () => {
    for (const status of [307, 503]) {
      const server = await mcpServer({
        fault: (method, response) => {
          if (method !== 'tools/call') return false;
          response.writeHead(status, { location: '/other', 'content-type': 'application/json' });
          response.end('{"why":"busy"}');
          return true;
        },
      });
      const report = await testCarrier().send(
        sendOf(tool(server.url, { protocol }), { name: 'x' }),
      );
      expect(report).toMatchObject({ kind: 'reply', reply: { status } });
      expect(server.calls()).toBe(1);
    }
  });

  it.each(['application/json', 'text/event-stream'])(
    'is read with its numbers as they were written, as %s',
    async (type) => {
      const said = String.raw`"structuredContent":{"id":12345678901234567890,"of":[1e400,1.0],"name":"12345678901234567890 \ud83d"}`;
      const server = await mcpServer({
        after: (method, response, id) => {
          if (method !== 'tools/call') return false;
          const result = `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[],${said}}}`;
          response.writeHead(200, { 'content-type': type });
          response.end(
            type === 'application/json' ? result : `event: message\ndata: ${result}\n\n`,
          );
          return true;
        },
      });
      const report = await testCarrier().send(
        sendOf(tool(server.url, { protocol }), { name: 'x' }),
      );
      expect(report).toMatchObject({
        kind: 'reply',
        reply: {
          body: {
            structuredContent: {
              id: '12345678901234567890',
              of: ['1e400', 1],
              name: String.raw`12345678901234567890 \ud83d`,
            },
          },
        },
      });
    },
  );

  it('is not sent to an address that is not allowed', async () => {
    const server = await mcpServer();
    const carrier = testCarrier({ allowPrivate: [] });
    const report = await carrier.send(sendOf(tool(server.url, { protocol }), { name: 'x' }));
    expect(report).toMatchObject({
      kind: 'not_transmitted',
      because: expect.stringContaining('loopback'),
    });
    expect(server.methods).toEqual([]);
  });
});

describe('an MCP tool of 2026-07-28', () => {
  it('that asks is reported as asking, and goes on with the answer and its state', async () => {
    const server = await mcpServer();
    const asking = tool(server.url, { tool: 'ask' });
    const report = await testCarrier().send(sendOf(asking, { city: 'Brest' }));
    expect(report).toMatchObject({
      kind: 'input_required',
      requestState: 'state-1',
      inputRequests: { confirm: { method: 'elicitation/create', params: { message: 'Sure?' } } },
    });
    expect(server.done).toEqual([]);
    const continuation = {
      inputResponses: { confirm: { action: 'accept', content: { sure: true } } },
      requestState: 'state-1',
    };
    const answered = await testCarrier().send(sendOf(asking, { city: 'Brest' }, { continuation }));
    expect(answered).toMatchObject({ kind: 'reply', reply: { body: { isError: false } } });
    expect(server.done).toEqual(['ask true state-1']);
  });

  it('puts the reference where the registration says', async () => {
    const server = await mcpServer();
    const keyed = tool(server.url, { referenceArgument: 'name' });
    await testCarrier().send(sendOf(keyed, { name: 'ignored' }));
    expect(server.done).toEqual(['act_01J0000000000000000000000A']);
  });

  it('streams its result', async () => {
    const server = await mcpServer({ sse: true });
    const report = await testCarrier().send(sendOf(tool(server.url), { name: 'Ada' }));
    expect(report).toMatchObject({
      kind: 'reply',
      reply: { body: { structuredContent: { id: 'c_1' } } },
    });
  });
});

describe('the fetch of an MCP client', () => {
  it('lets a tool call out once, whatever the client does', async () => {
    const server = await mcpServer();
    const fetching = mcpFetch({
      egress: egressFrom({ hosts: [], allowPrivate: ['127.0.0.1'] }),
      deadline: new AbortController().signal,
      bytesMax: 1_000,
      lastCheck: () => undefined,
      otherCheck: () => undefined,
    });
    const init = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}' };
    await (await fetching.fetch(server.url, init)).text();
    await expect(fetching.fetch(server.url, init)).rejects.toThrow('A tool call is sent once.');
    expect(fetching.sent()).toBe(true);
    expect(server.calls()).toBe(1);
  });
});
