// The API under test: the real Lambda handler over the real adapters, on the DynamoDB twin in memory. Calls are proxy events as
// API Gateway makes them, with the context that the authoriser would add.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LambdaContext } from 'hono/aws-lambda';
import { ulid } from 'ulid';
import { deskListsFrom } from '../../../functions/adapters/dynamodb/desk.ts';
import { faultMarksFrom } from '../../../functions/adapters/dynamodb/fault-marks.ts';
import { mandatesFrom } from '../../../functions/adapters/dynamodb/mandates.ts';
import { peopleFrom } from '../../../functions/adapters/dynamodb/people.ts';
import { registryFrom } from '../../../functions/adapters/dynamodb/registry.ts';
import { routinesFrom } from '../../../functions/adapters/dynamodb/routines.ts';
import { storeFrom } from '../../../functions/adapters/dynamodb/store.ts';
import { workspaceListsFrom } from '../../../functions/adapters/dynamodb/workspace-lists.ts';
import { idempotencyTable, onceMemoryFrom } from '../../../functions/adapters/idempotency/once.ts';
import { registrationProblems } from '../../../functions/adapters/tools/registration.ts';
import { handlerOver } from '../../../functions/api/handler.ts';
import type { AuthoriserContext } from '../../../functions/api/identity/identity.ts';
import { WorkspaceId } from '../../../functions/core/base/ids.ts';
import type { ItemKind, ItemOf } from '../../../functions/core/records/change.ts';
import type { BlobReference } from '../../../functions/ports/world.ts';
import type { ApiWorld } from '../../../functions/wiring/api.ts';
import { realClock } from '../../../local/base/clock.ts';
import { outputOf } from '../../../local/base/endpoints.ts';
import { targetService } from '../../../local/base/wire.ts';
import { transportFor } from '../../../local/calls/transport.ts';
import { ensureTables } from '../../../local/deployment/tables.ts';
import { openDynamoTwin } from '../../../local/dynamodb/index.ts';
import { type MemorySchedules, memorySchedules } from '../../fakes/memory-schedules.ts';
import { putMany } from './lists/many.ts';

export const people = {
  ana: caller('ana', 'Ana', 'admin'),
  ben: caller('ben', 'Ben', 'member'),
  vera: caller('vera', 'Vera', 'viewer'),
  nora: caller('nora', 'Nora', ''),
  rob: caller('rob', 'Rob', 'approver recoverer'),
  abe: caller('abe', 'Abe', 'approver'),
  robot: { ...caller('robot', 'Robot', 'member approver'), kind: 'machine' as const },
  watcher: { ...caller('watcher', 'Watcher', 'recoverer'), kind: 'machine' as const },
  meter: { ...caller('meter', 'Meter', 'reporter'), kind: 'machine' as const },
  sly: caller('sly', '=HYPERLINK("http://x")', 'recoverer'),
  stranger: { ...caller('eve', 'Eve', 'admin'), workspace: WorkspaceId.parse('elsewhere') },
} satisfies { [name: string]: AuthoriserContext };
export type PersonName = keyof typeof people;

function caller(subject: string, name: string, roles: string): AuthoriserContext {
  return { workspace: WorkspaceId.parse('acme'), subject, name, kind: 'person', roles };
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | undefined;
  readonly headers?: { readonly [name: string]: string };
  /** null sends none; default a new one for every POST. */
  readonly key?: string | null;
  /** null comes without an authoriser's context. */
  readonly as?: PersonName | null;
  /** When the token ends; epoch milliseconds. */
  readonly expiresAtMs?: number;
}
export interface Reply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Record<string, unknown>;
  readonly text: string;
}

const lambdaContext: LambdaContext = {
  awsRequestId: 'test',
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'api',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-3:000000000000:function:api',
  memoryLimitInMB: '512',
  logGroupName: 'api',
  logStreamName: 'api',
  getRemainingTimeInMillis: () => 29_000,
};

let keys = 0;
export const newKey = (): string => {
  keys += 1;
  return `key-${keys}`;
};

const proxyEvent = (request: Request): object => {
  const { method = 'GET', path, query, as = 'ana', key } = request;
  const idempotencyKey = key === undefined && method === 'POST' ? newKey() : (key ?? undefined);
  const text = request.raw ?? (request.body === undefined ? null : JSON.stringify(request.body));
  const headers = {
    host: 'api.test',
    ...(text === null ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...request.headers,
  };
  return {
    resource: '/v1/{proxy+}',
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    pathParameters: { conversationId: /\/conversations\/([^/]+)/.exec(path)?.[1] },
    stageVariables: null,
    requestContext: {
      httpMethod: method,
      path,
      stage: 'v1',
      requestId: 'test',
      authorizer:
        as === null
          ? null
          : { ...people[as], principalId: people[as].subject, expiresAtMs: request.expiresAtMs },
    },
    body: text,
    isBase64Encoded: false,
  };
};

export interface Rig {
  readonly world: ApiWorld;
  call(request: Request): Promise<Reply>;
  /** The same, over another handler. */
  over(handler: ReturnType<typeof handlerOver>): Pick<Rig, 'call'>;
  /** Puts a body where a result can refer to it. */
  keepBody(text: string): BlobReference;
  /** Puts items as they are, past every rule. */
  putMany<Kind extends ItemKind>(kind: Kind, items: readonly ItemOf<Kind>[]): void;
  /** How many queries DynamoDB was asked since the last time this was asked. */
  queries(): number;
  /** What is remembered of answers by key, as the store has it. */
  remembered(): string;
  /** Puts one of those as it is. */
  rememberAs(record: object): void;
  /** Forgets all answers that were remembered by key. */
  forgetAnswers(): Promise<void>;
  /** What the Scheduler was told. */
  readonly schedules: MemorySchedules;
  readonly logged: { readonly message: string; readonly details: object }[];
  now(): number;
  turnClock(ms: number): void;
  close(): void;
}

/** As Lambda hands it over: through JSON, with no more type than that has. */
export const asSent = (request: Request) => JSON.parse(JSON.stringify(proxyEvent(request)));

const callsTo = (handler: ReturnType<typeof handlerOver>): Pick<Rig, 'call'> => ({
  call: async (request) => {
    const answer = await handler(asSent(request), lambdaContext);
    const single = Object.entries(answer.multiValueHeaders ?? answer.headers ?? {}).map(
      ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value],
    );
    const text = answer.body === '' ? '{}' : answer.body;
    const headers = Object.fromEntries(single);
    const isJson = /json/.test(String(headers['content-type'] ?? 'json'));
    return {
      status: answer.statusCode,
      headers,
      body: isJson ? JSON.parse(text) : {},
      text,
    };
  },
});

export const openRig = async (): Promise<Rig> => {
  const clock = realClock();
  let ahead = 0;
  const twin = openDynamoTwin({ file: ':memory:', clock });
  await ensureTables(async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  }, clock);
  let queries = 0;
  const service = targetService((operation, body) => {
    if (operation === 'Query') queries += 1;
    return twin.handle(operation, body);
  });
  const client = new DynamoDBClient({ ...transportFor('dynamodb', 'eu-west-3', { service }) });
  const tables = {
    Conversations: 'Conversations',
    Requests: 'Requests',
    Ledger: 'Ledger',
    Registry: 'Registry',
    Idempotency: 'Idempotency',
  };
  const bodies = new Map<string, Uint8Array>();
  const logged: { message: string; details: object }[] = [];
  const log = (message: string, details: object): void => void logged.push({ message, details });
  const worldClock = {
    now: () => clock.now() + ahead,
    pause: (ms: number) => new Promise<void>((done) => void clock.at(clock.now() + ms, done)),
  };
  const minter = { suffix: () => ulid(), fraction: () => Math.random() };
  const schedules = memorySchedules();
  const world: ApiWorld = {
    store: storeFrom({ client, tables, clock: worldClock, minter }),
    mandates: mandatesFrom({ client, tables, clock: worldClock, minter }),
    desk: deskListsFrom({ client, tables, clock: worldClock, minter }),
    people: peopleFrom({ client, tables, clock: worldClock, minter }),
    lists: workspaceListsFrom({ client, tables, clock: worldClock, minter }),
    faultMarks: faultMarksFrom({ client, tables, clock: worldClock, minter }),
    registry: registryFrom({ client, tables }),
    memory: onceMemoryFrom(idempotencyTable(client, tables.Idempotency)),
    blobs: { get: async ({ blob }) => bodies.get(blob) ?? new Uint8Array() },
    uncarriable: registrationProblems,
    routines: routinesFrom({ client, tables, clock: worldClock, minter }),
    schedules,
    traces: { run: (name) => `/trace/${name}`, recovery: (name) => `/trace/${name}` },
    crash: { at: () => undefined },
    clock: worldClock,
    minter,
    log: { info: log, warn: log, error: log },
  };
  return {
    world,
    schedules,
    logged,
    ...callsTo(handlerOver(world)),
    over: callsTo,
    keepBody: (text) => {
      const body = Buffer.from(text);
      const blob = `acme/${ulid()}`;
      bodies.set(blob, body);
      return {
        blob,
        bytes: body.length,
        digest: `sha256:${'0'.repeat(64)}`,
        contentType: 'application/json',
      };
    },
    putMany: (kind, items) =>
      putMany((operation, body) => twin.handle(operation, body), kind, items),
    queries: () => {
      const asked = queries;
      queries = 0;
      return asked;
    },
    remembered: () => {
      const { status, body } = twin.handle('Scan', { TableName: 'Idempotency' });
      return JSON.stringify(outputOf(status, body));
    },
    rememberAs: (record) => {
      twin.handle('PutItem', { TableName: 'Idempotency', Item: record });
    },
    forgetAnswers: async () => {
      twin.handle('DeleteTable', { TableName: 'Idempotency' });
      await ensureTables(async (operation, body) => {
        const { status, body: answer } = twin.handle(operation, body);
        return outputOf(status, answer);
      }, clock);
    },
    now: () => worldClock.now(),
    turnClock: (ms) => {
      ahead += ms;
    },
    close: () => twin.close(),
  };
};
