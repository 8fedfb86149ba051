// A client of another protocol at the function that serves it, over the real store: what it sends, and all that comes back.
import { Writable } from 'node:stream';
import { servingOver } from '../../../../functions/api/clients.ts';
import type { ClientsWorld } from '../../../../functions/wiring/clients.ts';
import { asSent, type PersonName, type Request, type Rig } from '../rig.ts';
import { streamWorld } from '../stream/viewer.ts';

export type Serving = ReturnType<typeof servingOver>;

export const servingOf = (rig: Rig, more: Partial<ClientsWorld> = {}): Serving =>
  servingOver({ ...streamWorld(rig), api: rig.world, ...more });

const resources = [
  ['/v1/ai-sdk/{agentId}/{threadId}/stream', /^\/v1\/ai-sdk\/([^/]+)\/([^/]+)\/stream$/],
  ['/v1/ai-sdk/{agentId}', /^\/v1\/ai-sdk\/([^/]+)$/],
  ['/v1/ag-ui/{agentId}', /^\/v1\/ag-ui\/([^/]+)$/],
] as const;

/** The request as the gateway hands it over. */
export const routed = (request: Request) => {
  const [resource, pattern] = resources.find(([, path]) => path.test(request.path)) ?? [];
  const [, agentId, threadId] = pattern?.exec(request.path) ?? [];
  return { ...asSent(request), resource, pathParameters: { agentId, threadId } };
};

export interface Heard {
  readonly head: { status: number; headers: { readonly [name: string]: string } };
  text(): string;
  /** The JSON of each `data:` line so far. */
  said(): Record<string, unknown>[];
  leave(): void;
  readonly ended: Promise<void>;
}

export const listen = (serving: Serving, request: Request, remainingMs = 600_000): Heard => {
  let text = '';
  const head = { status: 0, headers: {} };
  const out = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  const ended = serving({
    event: routed(request),
    out,
    begin: (given) => {
      Object.assign(head, given);
      return out;
    },
    remainingMs,
  });
  return {
    head,
    text: () => text,
    said: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice('data: '.length))),
    leave: () => void out.destroy(),
    ended,
  };
};

/** Status and problem of a request that is refused before anything streams. */
export const refusalOf = async (serving: Serving, request: Request) => {
  const heard = listen(serving, request);
  await heard.ended;
  const { type } = JSON.parse(heard.text() || '{}');
  return [heard.head.status, String(type).split('/').at(-1)];
};

/** What a client of AG-UI posts. */
export const agUiTo = (agentId: string, body: object, as: PersonName = 'ana'): Request => ({
  method: 'POST',
  path: `/v1/ag-ui/${agentId}`,
  body: { runId: 'r1', messages: [], ...body },
  as,
});
export const user = (content: string, id = 'm1') => ({ id, role: 'user', content });

/** What a client of the AI SDK posts. */
export const aiSdkTo = (agentId: string, body: object, as: PersonName = 'ana'): Request => ({
  method: 'POST',
  path: `/v1/ai-sdk/${agentId}`,
  body,
  as,
});
export const chatUser = (text: string, id = 'm1') => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
});
