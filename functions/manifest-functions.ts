// The functions that exist: what each may do and for how long. Part of the manifest, which feeds both the stack and the twin.
// Owns: limits and rights per function. Only perform opens attempts (`ATT#`), so only it may write that prefix.
import type { TableName } from './manifest-tables.ts';

export type TableRight = 'read' | 'write';

export interface FunctionEntry {
  /** Module that exports `handlerFor(substrate)` and `handler`. */
  readonly module: string;
  readonly calledBy:
    | 'api'
    | 'authoriser'
    | 'run-machine'
    | 'recover-machine'
    | 'stream'
    | 'schedule'
    | 'routine-schedule'
    | 'status-event';
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly streaming?: true;
  readonly reservedConcurrency?: number;
  readonly tables: { readonly [Name in TableName]?: readonly TableRight[] };
  /** Ledger partition-key prefixes this function may write (`dynamodb:LeadingKeys`); all when left out. */
  readonly ledgerWritePrefixes?: readonly string[];
  readonly blobs?: readonly TableRight[];
  readonly readsSecrets?: true;
  /** May read the one secret that the sign-in's cookies are sealed with. */
  readonly readsSignInSecret?: true;
  readonly invokesModels?: true;
  /** May invoke tools' Lambda functions. */
  readonly invokesTools?: true;
  readonly machines?: readonly ('start' | 'answer' | 'describe' | 'stop')[];
  readonly putsEvents?: true;
  /** May make, change and delete the routines' schedules. */
  readonly keepsSchedules?: true;
}

export const functionNames = [
  'api',
  'stream',
  'clients',
  'authorise',
  'auth',
  'admit',
  'think',
  'perform',
  'park',
  'finish',
  'publish',
  'sweep',
  'execution-ended',
  'verify',
  'fire',
] as const;
export type FunctionName = (typeof functionNames)[number];

export const functions: { readonly [Name in FunctionName]: FunctionEntry } = {
  api: {
    module: 'functions/api/handler.ts',
    calledBy: 'api',
    timeoutMs: 29_000,
    memoryMb: 512,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read', 'write'],
      Idempotency: ['read', 'write'],
    },
    ledgerWritePrefixes: ['ACT#', 'OBS#', 'DEC#', 'AUT#', 'MND#', 'CLM#', 'LIKE#', 'BAR#'],
    blobs: ['read', 'write'],
    keepsSchedules: true,
  },
  // Short: Lambda does not learn that a reader left, so a stream that nobody reads runs to its end. A reader resumes at once.
  stream: {
    module: 'functions/api/stream.ts',
    calledBy: 'api',
    timeoutMs: 190_000,
    memoryMb: 256,
    streaming: true,
    reservedConcurrency: 100,
    tables: { Conversations: ['read'], Requests: ['read'], Ledger: ['read'], Registry: ['read'] },
  },
  // Posts and answers as the api does, and streams what comes of it; it claims and decides nothing.
  clients: {
    module: 'functions/api/clients.ts',
    calledBy: 'api',
    timeoutMs: 840_000,
    memoryMb: 256,
    streaming: true,
    reservedConcurrency: 100,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read', 'write'],
    },
    ledgerWritePrefixes: ['ACT#', 'OBS#', 'AUT#', 'MND#', 'LIKE#'],
  },
  authorise: {
    module: 'functions/api/authorise.ts',
    calledBy: 'authoriser',
    timeoutMs: 10_000,
    memoryMb: 256,
    tables: {},
  },
  auth: {
    module: 'functions/auth/handler.ts',
    calledBy: 'api',
    timeoutMs: 29_000,
    memoryMb: 256,
    tables: {},
    readsSignInSecret: true,
  },
  admit: {
    module: 'functions/run/admit.ts',
    calledBy: 'run-machine',
    timeoutMs: 20_000,
    memoryMb: 256,
    tables: { Conversations: ['read', 'write'] },
  },
  think: {
    module: 'functions/run/think.ts',
    calledBy: 'run-machine',
    timeoutMs: 300_000,
    memoryMb: 512,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
    },
    ledgerWritePrefixes: ['ACT#', 'AUT#'],
    blobs: ['read', 'write'],
    readsSecrets: true,
    invokesModels: true,
  },
  perform: {
    module: 'functions/run/perform.ts',
    calledBy: 'run-machine',
    timeoutMs: 75_000,
    memoryMb: 512,
    reservedConcurrency: 200,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
      Idempotency: ['read', 'write'],
    },
    ledgerWritePrefixes: ['ACT#', 'ATT#', 'END#', 'OBS#', 'LIKE#', 'MND#', 'CLM#'],
    blobs: ['read', 'write'],
    readsSecrets: true,
    invokesTools: true,
  },
  park: {
    module: 'functions/run/park.ts',
    calledBy: 'run-machine',
    timeoutMs: 20_000,
    memoryMb: 256,
    tables: { Conversations: ['read', 'write'], Requests: ['read'] },
  },
  finish: {
    module: 'functions/run/finish.ts',
    calledBy: 'run-machine',
    timeoutMs: 20_000,
    memoryMb: 256,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
    },
    ledgerWritePrefixes: ['ACT#', 'OBS#', 'LIKE#'],
  },
  publish: {
    module: 'functions/events/publish.ts',
    calledBy: 'stream',
    timeoutMs: 60_000,
    memoryMb: 256,
    tables: { Conversations: ['read', 'write'], Requests: ['read', 'write'] },
    machines: ['start', 'answer'],
    putsEvents: true,
  },
  sweep: {
    module: 'functions/sweep/sweep.ts',
    calledBy: 'schedule',
    timeoutMs: 120_000,
    memoryMb: 256,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
    },
    ledgerWritePrefixes: ['ACT#', 'END#', 'OBS#', 'AUT#', 'LIKE#', 'CLM#'],
    machines: ['start', 'answer', 'describe'],
    putsEvents: true,
    keepsSchedules: true,
  },
  'execution-ended': {
    module: 'functions/sweep/execution-ended.ts',
    calledBy: 'status-event',
    timeoutMs: 30_000,
    memoryMb: 256,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
    },
    ledgerWritePrefixes: ['ACT#', 'OBS#', 'LIKE#'],
  },
  verify: {
    module: 'functions/recover/verify.ts',
    calledBy: 'recover-machine',
    timeoutMs: 120_000,
    memoryMb: 512,
    tables: {
      Conversations: ['read', 'write'],
      Requests: ['read', 'write'],
      Ledger: ['read', 'write'],
      Registry: ['read'],
      Idempotency: ['read'],
    },
    ledgerWritePrefixes: ['ACT#', 'END#', 'OBS#', 'AUT#', 'LIKE#', 'CLM#'],
    blobs: ['read', 'write'],
    readsSecrets: true,
    invokesTools: true,
  },
  fire: {
    module: 'functions/routine/fire.ts',
    calledBy: 'routine-schedule',
    timeoutMs: 20_000,
    memoryMb: 256,
    tables: { Conversations: ['read', 'write'], Registry: ['read'] },
  },
};
