// A Step Functions twin on a temporary file with a hand-turned clock, and functions and tables that tests script.
// Owns: nothing beyond one test.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type SimulatedClock, simulatedClock } from '../../../local/base/clock.ts';
import {
  type LambdaAnswer,
  openStepFunctionsTwin,
  type StatusChange,
  type StepFunctionsTwin,
  type TwinAnswer,
} from '../../../local/stepfunctions/twin.ts';

export const startMs = Date.parse('2027-01-01T00:00:00Z');

/** A function's answer; throw `thrown(...)` for an error inside it. */
export type Lambda = (payload: unknown, functionName: string) => unknown | Promise<unknown>;
export type Table = (action: string, parameters: Record<string, unknown>) => unknown;

/** What a function that throws shows to its caller. */
export class Thrown extends Error {
  readonly payload: unknown;
  constructor(errorType: string, errorMessage: string) {
    super(errorMessage);
    this.payload = { errorType, errorMessage, trace: [] };
  }
}

/** An error of the AWS SDK. */
export class SdkError extends Error {
  readonly statusCode: number;
  constructor(name: string, message: string, statusCode = 400) {
    super(message);
    this.name = name;
    this.statusCode = statusCode;
  }
}

export interface Line {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
  readonly timestamp: number;
  /** The one member with the details, or nothing. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Ended {
  readonly executionArn: string;
  readonly status: unknown;
  readonly output: unknown;
  readonly error: unknown;
  readonly cause: unknown;
  readonly history: readonly Line[];
}

export const turns = async (count = 25): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((done) => setImmediate(done));
};

/** Waits for a condition, not for a time; gives up when the world has long been quiet. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let round = 0; round < 4000; round += 1) {
    if (await holds()) return;
    await turns(2);
  }
  throw new Error('What the test waits for did not happen.');
};

const lineOf = (event: Record<string, unknown>): Line => {
  const { id, previousEventId, type, timestamp, ...details } = event;
  const [only = {}] = Object.values(details);
  return {
    id: Number(id),
    previousEventId: Number(previousEventId),
    type: String(type),
    timestamp: Number(timestamp),
    details: only as Record<string, unknown>,
  };
};

const parsed = (text: unknown): unknown =>
  typeof text === 'string' ? JSON.parse(text) : undefined;

export class Rig {
  readonly clock: SimulatedClock = simulatedClock(startMs, turns);
  readonly folder = mkdtempSync(join(tmpdir(), 'reprise-states-'));
  readonly changes: StatusChange[] = [];
  readonly invoked: { readonly functionName: string; readonly payload: unknown }[] = [];
  lambda: Lambda = (payload) => payload;
  table: Table = () => ({});
  random = (): number => 0.5;
  twin: StepFunctionsTwin = this.#open();

  #open(): StepFunctionsTwin {
    const twin = openStepFunctionsTwin({
      file: join(this.folder, 'states.sqlite'),
      clock: this.clock,
      synchronous: 'NORMAL',
      random: () => this.random(),
      invokeLambda: ({ functionName, payload }) => this.#invoke(functionName, payload),
      callDynamoDb: async (action, parameters) =>
        (await this.table(action, parameters)) as Record<string, unknown>,
    });
    twin.onStatusChange((change) => this.changes.push(change));
    twin.start();
    return twin;
  }

  async #invoke(functionName: string, payload: unknown): Promise<LambdaAnswer> {
    const meta = { statusCode: 200, executedVersion: '$LATEST', requestId: randomUUID() };
    this.invoked.push({ functionName, payload });
    try {
      return { ...meta, payload: await this.lambda(payload, functionName) };
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      return { ...meta, functionError: 'Unhandled', payload: error.payload };
    }
  }

  /** Closes the twin and opens it again on the same file. */
  async reopen(): Promise<void> {
    await this.twin.close();
    this.twin = this.#open();
  }

  raw(operation: string, body: unknown): Promise<TwinAnswer> {
    return this.twin.handle(operation, body);
  }

  /** The answer's body; throws when it is an error. */
  async call(operation: string, body: unknown): Promise<Record<string, unknown>> {
    const { status, body: answer } = await this.raw(operation, body);
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
    return answer as Record<string, unknown>;
  }

  /** Creates a machine (JSONata unless the definition says otherwise) and returns its ARN. */
  async machine(definition: object, name = `machine-${randomUUID()}`): Promise<string> {
    const whole = { QueryLanguage: 'JSONata', ...definition };
    const body = { name, definition: JSON.stringify(whole), roleArn: 'arn:aws:iam::0:role/r' };
    return String((await this.call('CreateStateMachine', body)).stateMachineArn);
  }

  async start(stateMachineArn: string, input: unknown = {}, name?: string): Promise<string> {
    const body = { stateMachineArn, input: JSON.stringify(input), ...(name ? { name } : {}) };
    return String((await this.call('StartExecution', body)).executionArn);
  }

  describe(executionArn: string): Promise<Record<string, unknown>> {
    return this.call('DescribeExecution', { executionArn });
  }

  async history(executionArn: string): Promise<Line[]> {
    const body = { executionArn, maxResults: 1000 };
    const { events } = await this.call('GetExecutionHistory', body);
    return (events as Record<string, unknown>[]).map(lineOf);
  }

  async ended(executionArn: string): Promise<Ended> {
    await until(async () => (await this.describe(executionArn)).status !== 'RUNNING');
    const { status, output, error, cause } = await this.describe(executionArn);
    const history = await this.history(executionArn);
    return { executionArn, status, output: parsed(output), error, cause, history };
  }

  /** Creates, starts and waits for the end. */
  async run(definition: object, input?: unknown): Promise<Ended> {
    return this.ended(await this.start(await this.machine(definition), input));
  }
}

const opened: Rig[] = [];

afterEach(async () => {
  for (const rig of opened.splice(0)) {
    await rig.twin.close();
    rmSync(rig.folder, { recursive: true, force: true });
  }
});

export const openRig = (): Rig => {
  const rig = new Rig();
  opened.push(rig);
  return rig;
};

/** `3<2 TaskScheduled`: id, previousEventId, type. */
export const outline = (history: readonly Line[]): string[] =>
  history.map(({ id, previousEventId, type }) => `${id}<${previousEventId} ${type}`);

export const echo = 'arn:aws:lambda:us-east-1:000000000000:function:echo';
export const invoke = 'arn:aws:states:::lambda:invoke';
export const done = { Type: 'Succeed' } as const;
