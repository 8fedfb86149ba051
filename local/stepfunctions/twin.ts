// The Step Functions twin: AWS's API in front, the interpreter behind, one SQLite file below.
// Owns: the wiring, starting and closing. Keeps L2's base: every event is stored before it is acted upon.
//
// When the process dies, calls that were out are reported to the machine as failed with an unknown effect (`Lambda.Unknown`,
// `DynamoDb.SdkClientException`), so that its own Retry and Catch decide; everything that waits goes on with its due time.
import { randomBytes } from 'node:crypto';
import type { TwinClock } from '../base/clock.ts';
import { answerOperations } from './api/answers.ts';
import { executionOperations, type StatusChange, statusChangeOf } from './api/executions.ts';
import { historyOperations } from './api/history.ts';
import { ExecutionLists } from './api/lists.ts';
import { machineOperations } from './api/machines.ts';
import type { ApiParts, Operations } from './api/parts.ts';
import { Starter } from './api/starting.ts';
import { versionOperations } from './api/versions.ts';
import { parseDefinition } from './asl/parse.ts';
import type { Machine } from './asl/types.ts';
import { type CallPorts, makeCall } from './calls.ts';
import { Engine } from './engine.ts';
import { answerOf, Fault, type TwinAnswer } from './faults.ts';
import type { Surroundings } from './jsonata/functions.ts';
import { Committer } from './store/committer.ts';
import { MachineStore } from './store/machines.ts';
import type { ExecutionRow } from './store/rows.ts';
import { openDatabase, type Synchronous } from './store/schema.ts';
import { type Due, ExecutionStore } from './store/store.ts';
import { DueTimer } from './timer.ts';
import { tokensWith } from './tokens.ts';

export type { StatusChange } from './api/executions.ts';
export type { LambdaAnswer, LambdaRequest } from './calls.ts';
export type { TwinAnswer } from './faults.ts';

export interface StepFunctionsTwinOptions extends Pick<CallPorts, 'invokeLambda' | 'callDynamoDb'> {
  readonly file: string;
  readonly clock: TwinClock;
  readonly region?: string;
  readonly account?: string;
  readonly synchronous?: Synchronous;
  /** In [0, 1): jitter, weighted aliases, `$random()`. */
  readonly random?: () => number;
}

export interface StepFunctionsTwin {
  /** Answers one request of the JSON protocol: the part of `X-Amz-Target` after the dot, and the parsed body. Never throws. */
  handle(operation: string, body: unknown): Promise<TwinAnswer>;
  /** Takes up everything stored, then runs. Nothing moves before; only machines can be created and described. */
  start(): void;
  /** Stops. Calls that are out are given up, as a crash would; no state is lost. */
  close(): Promise<void>;
  onStatusChange(listener: (event: StatusChange) => void): void;
  /** How many executions are in memory: those with a call out or a step in progress. */
  residents(): number;
}

class Definitions {
  readonly #machines = new Map<number, Machine>();
  readonly #store: MachineStore;
  readonly #surroundings: Surroundings;

  constructor(store: MachineStore, surroundings: Surroundings) {
    this.#store = store;
    this.#surroundings = surroundings;
  }

  machine(id: number): Machine {
    const known = this.#machines.get(id);
    if (known !== undefined) return known;
    const parsed = parseDefinition(this.#store.definition(id), this.#surroundings);
    if (!parsed.ok) throw new Error(`Stored definition ${id} is bad: ${parsed.findings.text()}`);
    this.#machines.set(id, parsed.machine);
    return parsed.machine;
  }
}

const answer = async (parts: ApiParts, operation: string, body: unknown): Promise<TwinAnswer> => {
  try {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (run === undefined)
      throw new Fault('UnknownOperationException', `The operation ${operation} is not supported.`);
    return { status: 200, body: await run(parts, body) };
  } catch (error) {
    if (error instanceof Fault) return answerOf(error);
    const message = error instanceof Error ? error.message : String(error);
    return answerOf(
      new Fault('InternalServerError', `The twin could not do this: ${message}`, 500),
    );
  }
};

/** What everything else is built on: files, definitions, tokens, time. */
const openParts = (options: StepFunctionsTwinOptions) => {
  const { file, clock, region = 'us-east-1', account = '000000000000' } = options;
  const database = openDatabase(file, options.synchronous ?? 'FULL');
  const store = new ExecutionStore(database);
  const machines = new MachineStore(database);
  const secret = machines.remembered('token secret', () => randomBytes(32).toString('hex'));
  const tokens = tokensWith(secret);
  const random = options.random ?? Math.random;
  const surroundings = { nowMs: () => clock.now(), random };
  const world = { ...surroundings, region, token: tokens.make };
  return {
    database,
    store,
    machines,
    tokens,
    surroundings,
    world,
    place: { region, account },
    committer: new Committer(store, clock),
    definitions: new Definitions(machines, surroundings),
    lists: new ExecutionLists(database),
  };
};

const operations: Operations = {
  ...machineOperations,
  ...versionOperations,
  ...executionOperations,
  ...historyOperations,
  ...answerOperations,
};

const beforeStart: Operations = { ...machineOperations, ...versionOperations };

class Twin implements StepFunctionsTwin {
  readonly #parts: ReturnType<typeof openParts>;
  readonly #api: ApiParts;
  readonly #engine: Engine;
  readonly #timer: DueTimer;
  readonly #calls = new AbortController();
  readonly #listeners: ((event: StatusChange) => void)[] = [];
  #isRunning = false;
  #isClosed = false;

  constructor(options: StepFunctionsTwinOptions) {
    const parts = openParts(options);
    this.#parts = parts;
    const ports: CallPorts = {
      invokeLambda: options.invokeLambda,
      callDynamoDb: options.callDynamoDb,
      startExecution: (parameters) => this.#api.starter.start(parameters),
      nowMs: parts.surroundings.nowMs,
      signal: this.#calls.signal,
    };
    this.#engine = new Engine({
      ...parts,
      machine: (id) => parts.definitions.machine(id),
      makeCall: (resource, request) => makeCall(ports, resource, request),
      dueChanged: (atMs) => this.#timer.note(atMs),
      statusChanged: (row) => this.#announce(row),
    });
    this.#timer = new DueTimer(parts.store, options.clock, (due) => this.#tellDue(due));
    const base = {
      ...parts,
      ...parts.surroundings,
      engine: this.#engine,
      parse: (text: string) => parseDefinition(text, parts.surroundings),
    };
    this.#api = { ...base, starter: new Starter(base) };
  }

  async handle(operation: string, body: unknown): Promise<TwinAnswer> {
    // Before the start, machines can be created and described, but nothing may run.
    const isReady = this.#isRunning || operation in beforeStart;
    if (!isReady || this.#isClosed)
      return answerOf(new Fault('ServiceUnavailable', 'The twin is not running.', 503));
    return answer(this.#api, operation, body);
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (const { execution, frame } of this.#parts.store.calling()) {
      if (frame !== undefined)
        this.#engine.submit(execution, { kind: 'lost', frame }, false).catch(() => undefined);
    }
    this.#timer.rearm();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer.close();
    this.#parts.committer.close();
    this.#engine.close();
    this.#calls.abort(new Error('The twin is closing.'));
    // Turns that were being computed end now; what they would have written is as lost as in a crash.
    await new Promise<void>((done) => setImmediate(done));
    this.#parts.committer.close();
    this.#parts.database.close();
  }

  onStatusChange(listener: (event: StatusChange) => void): void {
    this.#listeners.push(listener);
  }

  residents(): number {
    return this.#engine.residents;
  }

  #tellDue({ execution, frame }: Due): Promise<boolean> {
    return this.#engine.submit(execution, { kind: 'due', frame }, false);
  }

  #announce(row: ExecutionRow): void {
    const event = statusChangeOf(row);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // Delivery is best effort, as on AWS: a listener's failure is no failure of the execution.
      }
    }
  }
}

/** Opens the store; nothing runs before `start`. */
export const openStepFunctionsTwin = (options: StepFunctionsTwinOptions): StepFunctionsTwin =>
  new Twin(options);
