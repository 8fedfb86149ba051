// What exists: functions, tables, machines, routes, schedules. One list that feeds both the stack (cdk/) and the twin (local/).
// Owns: names, limits and rights. A test holds it against the synthesised template.
export * from './manifest-functions.ts';
export * from './manifest-tables.ts';

import type { EventType } from './core/records/event.ts';
import type { FunctionName } from './manifest-functions.ts';
import type { TableName } from './manifest-tables.ts';

/** State machines, each with the definition file and what its `${…}` names stand for. */
export const machines = {
  run: {
    definition: 'statemachines/run.asl.json',
    functions: {
      AdmitFunctionArn: 'admit',
      ThinkFunctionArn: 'think',
      PerformFunctionArn: 'perform',
      ParkFunctionArn: 'park',
      FinishFunctionArn: 'finish',
    },
    tables: { RequestsTableName: 'Requests' },
  },
  recover: {
    definition: 'statemachines/recover.asl.json',
    functions: { VerifyFunctionArn: 'verify', PerformFunctionArn: 'perform' },
    tables: {},
  },
} as const satisfies {
  readonly [name: string]: {
    readonly definition: string;
    readonly functions: { readonly [substitution: string]: FunctionName };
    readonly tables: { readonly [substitution: string]: TableName };
  };
};
export type MachineName = keyof typeof machines;
export const machineNames = Object.keys(machines) as readonly MachineName[];

export interface Route {
  readonly method: 'GET' | 'POST' | 'ANY';
  /** API Gateway resource path. */
  readonly path: string;
  readonly function: 'api' | 'stream' | 'clients' | 'auth';
  /** False: reachable without a token. */
  readonly authorised: boolean;
}

export const routes: readonly Route[] = [
  { method: 'GET', path: '/v1/openapi.json', function: 'api', authorised: false },
  { method: 'GET', path: '/v1/health', function: 'api', authorised: false },
  {
    method: 'GET',
    path: '/v1/conversations/{conversationId}/events',
    function: 'stream',
    authorised: true,
  },
  // Clients of other protocols; what is no such request is told so by the function itself.
  { method: 'ANY', path: '/v1/ag-ui/{agentId}', function: 'clients', authorised: true },
  { method: 'ANY', path: '/v1/ai-sdk/{agentId}', function: 'clients', authorised: true },
  {
    method: 'ANY',
    path: '/v1/ai-sdk/{agentId}/{threadId}/stream',
    function: 'clients',
    authorised: true,
  },
  // API Gateway matches the most specific resource and does not fall back to the greedy one when that resource has no
  // such method, so every resource above and beside the stream's needs its own.
  {
    method: 'ANY',
    path: '/v1/conversations/{conversationId}/events',
    function: 'api',
    authorised: true,
  },
  {
    method: 'ANY',
    path: '/v1/conversations/{conversationId}/{proxy+}',
    function: 'api',
    authorised: true,
  },
  { method: 'ANY', path: '/v1/conversations/{conversationId}', function: 'api', authorised: true },
  { method: 'ANY', path: '/v1/conversations', function: 'api', authorised: true },
  { method: 'ANY', path: '/v1/{proxy+}', function: 'api', authorised: true },
  // Signing in begins without a token; what each may do without one is functions/auth's to say.
  { method: 'GET', path: '/auth/login', function: 'auth', authorised: false },
  { method: 'GET', path: '/auth/callback', function: 'auth', authorised: false },
  { method: 'GET', path: '/auth/client', function: 'auth', authorised: false },
  { method: 'POST', path: '/auth/token', function: 'auth', authorised: false },
  { method: 'POST', path: '/auth/logout', function: 'auth', authorised: false },
];

/** Ports of a person's own machine on which `reprise login` waits for the browser, the first that is free. */
export const loginPorts = [8476, 8477, 8478] as const;

/** Requests per second, and in one instant, that each route of this function takes; the others share the stage's limit. */
export const routeLimits = { auth: { perSecond: 20, burst: 40 } } as const;

/** The authoriser of every authorised route: a Lambda authoriser of type REQUEST, asked for each request, nothing cached. */
export const authoriser = { function: 'authorise', identityHeader: 'Authorization' } as const;

/** Table streams and who reads them. Only new items whose partition key starts so are delivered: the outbox entries. */
export const streams = [
  { table: 'Conversations', function: 'publish', partitionKeyPrefix: 'OUT#' },
] as const;

/** Events of our bus that tell people that they are needed; a topic sends them on. They carry ids only. */
export const notifications = {
  topic: 'notifications',
  detailTypes: ['request.opened', 'request.expiring', 'action.undetermined'],
} as const satisfies { readonly topic: string; readonly detailTypes: readonly EventType[] };

export const schedules = [{ name: 'sweep', function: 'sweep', everyMinutes: 1 }] as const;

/** The environment every function gets; values are filled in by the stack or the twin. */
export const environmentNames = {
  conversationsTable: 'REPRISE_CONVERSATIONS_TABLE',
  requestsTable: 'REPRISE_REQUESTS_TABLE',
  ledgerTable: 'REPRISE_LEDGER_TABLE',
  registryTable: 'REPRISE_REGISTRY_TABLE',
  idempotencyTable: 'REPRISE_IDEMPOTENCY_TABLE',
  blobBucket: 'REPRISE_BLOB_BUCKET',
  eventBus: 'REPRISE_EVENT_BUS',
  /** ARN of the run machine's alias (`…:stateMachine:NAME:live`), which executions are started by; theirs carry no alias. */
  runMachineArn: 'REPRISE_RUN_MACHINE_ARN',
  recoverMachineArn: 'REPRISE_RECOVER_MACHINE_ARN',
  /** Where an execution's trace is shown: an address with `{execution}` (its ARN), `{region}` and `{console}` in it. */
  traceAddress: 'REPRISE_TRACE_ADDRESS',
  /** Group of the routines' schedules, the function they call, and the role by which the Scheduler may. */
  scheduleGroup: 'REPRISE_SCHEDULE_GROUP',
  fireFunctionArn: 'REPRISE_FIRE_FUNCTION_ARN',
  schedulerRoleArn: 'REPRISE_SCHEDULER_ROLE_ARN',
  egress: 'REPRISE_EGRESS',
  issuer: 'REPRISE_ISSUER',
  audience: 'REPRISE_AUDIENCE',
  /** Our client at the issuer, and what it asks for. */
  clientId: 'REPRISE_CLIENT_ID',
  scope: 'REPRISE_SCOPE',
  /** Origin of the page, without a slash at the end. */
  pageUrl: 'REPRISE_PAGE_URL',
  /** Name of the secret that the sign-in's cookies are sealed with. */
  signInSecret: 'REPRISE_SIGN_IN_SECRET',
  /** History events after which a run goes on in a new execution. */
  eventBudget: 'REPRISE_EVENT_BUDGET',
  parkAfterMs: 'REPRISE_PARK_AFTER_MS',
} as const;
