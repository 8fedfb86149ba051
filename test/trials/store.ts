// A small document store that was not made for Reprise, as a destination of the trials: it creates by POST, finds by
// reference, and can lie about each. Owns: its objects; what it did is told by `objects`, never by a reply.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

export interface StoreHabits {
  /**
   * Keys are remembered (default); ignored; remembered, and a second thing is made all the same; remembered only once the first
   * call is over; compared with the size alone; or forgotten after that long.
   */
  readonly keys?:
    | 'honoured'
    | 'ignored'
    | 'answered_and_made_again'
    | 'only_one_after_the_other'
    | 'compared_in_part'
    | { readonly forgottenMs: number };
  /**
   * The search finds everything (default), nothing at all, a new object only after that long, whatever has the same name, only
   * the newest few, or every second time.
   */
  readonly search?:
    | 'finds'
    | 'never'
    | 'by_name'
    | 'newest_only'
    | 'now_and_then'
    | { readonly lagMs: number };
  /** What it refuses is not made (default), or made all the same. */
  readonly refusals?: 'do_nothing' | 'write';
  /** What it takes is made (default); never; or not when it is wrong, though it answers as if. */
  readonly success?: 'made' | 'never_made' | 'claimed_when_wrong';
  /** How a repeat is answered: with the thing (default), or as an error with status 200. */
  readonly repeats?: 'first_result' | 'error_with_200';
  /** Most calls at once; beyond it says 429, and does nothing or does it. */
  readonly busy?: 'does_nothing' | 'writes';
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

const Body = z.looseObject({ name: z.unknown().optional(), size: z.unknown().optional() });
const newestShown = 4;
const atOnceMax = 3;
const slowMs = 60;

const isWrong = ({ name, size }: z.infer<typeof Body>): boolean =>
  typeof name !== 'string' || name === '' || typeof size !== 'number' || size < 0;

/** Starts it on a free port. */
export const openStore = async (habits: StoreHabits = {}) => {
  const { keys = 'honoured', search = 'finds', repeats = 'first_result' } = habits;
  const objects: Thing[] = [];
  let running = 0;
  let searches = 0;

  const knownBy = (reference: string): Thing | undefined => {
    if (keys === 'ignored') return undefined;
    const since = typeof keys === 'object' ? Date.now() - keys.forgottenMs : 0;
    return objects.find((one) => one.reference === reference && one.atMs >= since);
  };
  const make = (reference: string, { name, size }: z.infer<typeof Body>): Thing => {
    const id = `t${objects.length + 1}`;
    const thing = { id, reference, name: String(name), size: Number(size), atMs: Date.now() };
    if (habits.success !== 'never_made') objects.push(thing);
    return thing;
  };
  const again = (known: Thing, body: z.infer<typeof Body>): readonly [number, object] => {
    if (keys === 'answered_and_made_again') make(known.reference, body);
    const other =
      known.size !== body.size || (keys !== 'compared_in_part' && known.name !== body.name);
    if (other) return [422, { error: 'other content under this key' }];
    return repeats === 'error_with_200'
      ? [200, { errors: [{ code: 'KEY_ALREADY_USED' }], thing: null }]
      : [201, { thing: known }];
  };
  const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Body.parse(JSON.parse(await text(request)));
    const reference = String(request.headers['idempotency-key'] ?? '');
    if (habits.busy !== undefined && running > atOnceMax) {
      if (habits.busy === 'writes') make(reference, body);
      return answer(response, 429, { error: 'busy' });
    }
    if (isWrong(body)) {
      if (habits.success === 'claimed_when_wrong')
        return answer(response, 201, { thing: { id: 'none' } });
      if (habits.refusals === 'write') make(reference, body);
      return answer(response, 400, { error: 'wrong' });
    }
    const known = knownBy(reference);
    if (keys === 'only_one_after_the_other' || habits.busy !== undefined) await pause(slowMs);
    if (known !== undefined) return answer(response, ...again(known, body));
    const meanwhile = keys === 'only_one_after_the_other' ? undefined : knownBy(reference);
    answer(response, 201, { thing: meanwhile ?? make(reference, body) });
  };
  const shown = (url: URL): readonly Thing[] => {
    searches += 1;
    const reference = url.searchParams.get('reference');
    const lagMs = typeof search === 'object' ? search.lagMs : 0;
    if (search === 'never' || (search === 'now_and_then' && searches % 2 === 0)) return [];
    const all = search === 'newest_only' ? objects.slice(-newestShown) : objects;
    const name = url.searchParams.get('name');
    return all.filter(
      (one) =>
        (search === 'by_name' ? one.name === name : one.reference === reference) &&
        Date.now() >= one.atMs + lagMs,
    );
  };
  const counted = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    running += 1;
    try {
      await create(request, response);
    } finally {
      running -= 1;
    }
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://store.test');
    if (request.headers.authorization !== 'Bearer s3cret-of-the-store')
      return answer(response, 401, { error: 'no token' });
    if (request.method === 'POST') return void counted(request, response);
    if (url.pathname === '/all') return answer(response, 200, { things: objects });
    answer(response, 200, { things: shown(url) });
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
    properties: { reference: { type: 'string' }, name: { type: 'string' } },
    required: ['reference', 'name'],
    additionalProperties: false,
  },
  transport: {
    kind: 'http',
    method: 'GET',
    url: `${url}/things`,
    query: { reference: '{{args.reference}}', name: '{{args.name}}' },
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
  arguments: { reference: '$reference', name: '$args.name' },
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

/** A list of everything, for a count beside the look-up. */
const allThings = (url: string) => ({
  name: 'all_things',
  description: 'Lists all things.',
  arguments: { type: 'object', properties: {}, additionalProperties: false },
  transport: { kind: 'http', method: 'GET', url: `${url}/all`, headers },
  contract: { effect: 'read', destination, preset: 'http' },
});

/** Counts by the reference that a thing carries. */
export const storeExhibit = {
  tool: 'all_things',
  arguments: {},
  hits: 'things',
  match: { reference: '$reference' },
  reference: 'id',
  settleMs: 100,
};

/** The file that `--tool` takes; `contract` changes what the contract claims. */
export const toolFile = (
  url: string,
  contract: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
) => ({
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
      disproof: [{ reply: { status: [400, 422] }, because: 'It was refused.' }],
      timeoutMs: 2_000,
      repeatWindowMs: 20_000,
      ...contract,
    },
  },
  reads: [findThings(url), allThings(url)],
  arguments: { name: 'Trial {{unique}}', size: 3 },
  ...more,
});

export { key as storeKey, lookUp as storeLookUp };
