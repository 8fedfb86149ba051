// Real MCP servers on loopback whose tools count what they did.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { canary } from './destination.ts';

const opened: (() => Promise<void>)[] = [];
export const closeMcpServers = async (): Promise<void> => {
  for (const close of opened.splice(0)) await close();
};

export type Fault = (method: string, response: ServerResponse, id: unknown) => boolean;

/** An MCP server whose tools count what they did; `fault` may take over an exchange, `after` once the tool has run; `wait` holds one back. */
export const mcpServer = async (
  given: {
    fault?: Fault;
    after?: Fault;
    sse?: boolean;
    wait?: (method: string) => Promise<void> | undefined;
    onAnswer?: () => Promise<void>;
  } = {},
) => {
  const done: string[] = [];
  /** What came back to what the tool `draft` had asked. */
  const answers: string[] = [];
  const methods: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'crm', version: '1' });
      server.registerTool(
        'add',
        { inputSchema: z.object({ name: z.string() }) },
        async ({ name }) => {
          done.push(name);
          return {
            content: [{ type: 'text', text: `added ${name}` }],
            structuredContent: { id: 'c_1' },
          };
        },
      );
      server.registerTool('fail', {}, async () => {
        done.push('fail');
        return { content: [{ type: 'text', text: `no: ${canary}` }], isError: true };
      });
      server.registerTool(
        'ask',
        { inputSchema: z.object({ city: z.string() }) },
        async (_args, ctx) => {
          const schema = z.object({ sure: z.boolean() });
          const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', schema);
          if (answer === undefined) {
            const requestedSchema = schema;
            return inputRequired({
              requestState: 'state-1',
              inputRequests: {
                confirm: inputRequired.elicit({ message: 'Sure?', requestedSchema }),
              },
            });
          }
          done.push(`ask ${answer.sure} ${ctx.mcpReq.requestState()}`);
          return { content: [{ type: 'text', text: 'booked' }] };
        },
      );
      // It writes first, and asks then.
      server.registerTool(
        'draft',
        { inputSchema: z.object({ title: z.string() }) },
        async ({ title }, ctx) => {
          const { inputResponses } = ctx.mcpReq;
          const publish = inputResponses?.publish;
          if (publish === undefined) {
            done.push(`draft ${title}`);
            const requestedSchema = z.object({ sure: z.boolean() });
            return inputRequired({
              requestState: `draft-${done.length}`,
              inputRequests: {
                publish: inputRequired.elicit({ message: 'Written. Publish?', requestedSchema }),
              },
            });
          }
          answers.push(JSON.stringify(publish));
          await given.onAnswer?.();
          const said = acceptedContent(inputResponses, 'publish', z.object({ sure: z.boolean() }));
          if (said?.sure === true) done.push(`published ${title}`);
          const text = said?.sure === true ? 'published' : 'the draft stays';
          return { content: [{ type: 'text', text }] };
        },
      );
      return server;
    },
    given.sse === true ? { responseMode: 'sse' } : {},
  );
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = request.method ?? '', id } = body === '' ? {} : JSON.parse(body);
    methods.push(method);
    headers.push(request.headers);
    await given.wait?.(method);
    if (given.fault?.(method, response, id) === true) return;
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'POST',
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        ),
        ...(body === '' ? {} : { body }),
      }),
    );
    const text = await answer.text();
    if (given.after?.(method, response, id) === true) return;
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(text);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  const calls = (): number => methods.filter((method) => method === 'tools/call').length;
  return { url: `http://127.0.0.1:${port}/mcp`, done, answers, methods, headers, calls };
};
