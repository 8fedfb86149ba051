// A small document store that was not made for Reprise, as a destination of the trials: it creates by POST, finds by
// reference, and can lie about each. Owns: its objects; what it did is told by `objects`, never by a reply.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StoreHabits {
  /** Keys are remembered (default) or ignored. */
  readonly keys?: 'honoured' | 'ignored';
  /** The search finds everything (default), nothing at all, or a new object only after that long. */
  readonly search?: 'finds' | 'never' | { readonly lagMs: number };
}

interface Thing {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly size: number;
  readonly atMs: number;
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** Starts it on a free port. */
export const openStore = async ({ keys = 'honoured', search = 'finds' }: StoreHabits = {}) => {
  const objects: Thing[] = [];
  const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { name, size } = JSON.parse(await text(request)) as { name: string; size: number };
    const reference = String(request.headers['idempotency-key'] ?? '');
    const known = objects.find((one) => one.reference === reference);
    if (keys === 'honoured' && known !== undefined) {
      if (known.name !== name || known.size !== size)
        return answer(response, 422, { error: 'other content under this key' });
      return answer(response, 201, { thing: known });
    }
    const thing = { id: `t${objects.length + 1}`, reference, name, size, atMs: Date.now() };
    objects.push(thing);
    answer(response, 201, { thing });
  };
  const find = (url: URL, response: ServerResponse): void => {
    const lagMs = typeof search === 'object' ? search.lagMs : 0;
    const things = objects.filter(
      (one) =>
        search !== 'never' &&
        one.reference === url.searchParams.get('reference') &&
        Date.now() >= one.atMs + lagMs,
    );
    answer(response, 200, { things });
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://store.test');
    if (request.headers.authorization !== 'Bearer s3cret-of-the-store')
      return answer(response, 401, { error: 'no token' });
    if (request.method === 'POST') return void create(request, response);
    find(url, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects: (): readonly Thing[] => objects,
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const destination = {
  provider: 'store',
  account: 'acc-1',
  environment: 'sandbox',
  apiVersion: '1',
};
const headers = { authorization: 'Bearer {{secret:store-token}}' };

const findThings = (url: string) => ({
  name: 'find_things',
  description: 'Finds things by reference.',
  arguments: {
    type: 'object',
    properties: { reference: { type: 'string' } },
    required: ['reference'],
    additionalProperties: false,
  },
  transport: {
    kind: 'http',
    method: 'GET',
    url: `${url}/things`,
    query: { reference: '{{args.reference}}' },
    headers,
  },
  contract: { effect: 'read', destination, preset: 'http' },
});

const key = {
  kind: 'key',
  place: { in: 'header', name: 'idempotency-key' },
  scope: 'account',
  retentionMs: 86_400_000,
  onRepeat: 'returns_first_result',
  comparesParameters: true,
};

const lookUp = {
  tool: 'find_things',
  arguments: { reference: '$reference' },
  by: 'reference',
  hits: 'things',
  found: { status: [200], fields: [{ path: 'things.0.id', exists: true }] },
  absent: { status: [200], fields: [{ path: 'things', equals: [] }] },
  compare: { name: 'name', size: 'size' },
  reference: 'id',
  coverage: {
    account: 'acc-1',
    environment: 'sandbox',
    archived: true,
    readRights: 'all',
    period: 'always',
    complete: true,
  },
  settleMs: 300,
};

/** The file that `--tool` takes; `contract` changes what the contract claims. */
export const toolFile = (url: string, contract: Readonly<Record<string, unknown>> = {}) => ({
  tool: {
    name: 'create_thing',
    description: 'Creates a thing.',
    arguments: {
      type: 'object',
      properties: { name: { type: 'string' }, size: { type: 'integer' } },
      required: ['name', 'size'],
      additionalProperties: false,
    },
    transport: {
      kind: 'http',
      method: 'POST',
      url: `${url}/things`,
      headers,
      body: { as: 'arguments' },
    },
    contract: {
      effect: 'write',
      destination,
      success: [
        {
          reply: { status: [201], fields: [{ path: 'thing.id', exists: true }] },
          reference: 'thing.id',
        },
      ],
      key,
      lookUp,
      timeoutMs: 2_000,
      ...contract,
    },
  },
  reads: [findThings(url)],
  arguments: { name: 'Trial {{unique}}', size: 3 },
});

export { key as storeKey, lookUp as storeLookUp };
