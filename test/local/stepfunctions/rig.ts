// A Step Functions twin on a temporary file with a hand-turned clock, and functions and tables that tests script.
// Owns: nothing beyond one test.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type SimulatedClock, simulatedClock } from '../../../local/clock.ts';
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

export interface Rig {
  readonly clock: SimulatedClock;
  readonly folder: string;
  readonly changes: StatusChange[];
  twin: StepFunctionsTwin;
  lambda: Lambda;
  table: Table;
  random: () => number;
  readonly invoked: { readonly functionName: string; readonly payload: unknown }[];
  /** The answer's body; throws when it is an error. */
  call(operation: string, body: unknown): Promise<Record<string, unknown>>;
  raw(operation: string, body: unknown): Promise<TwinAnswer>;
  /** Creates a machine (JSONata unless the definition says otherwise) and returns its ARN. */
  machine(definition: object, name?: string): Promise<string>;
  start(machineArn: string, input?: unknown, name?: string): Promise<string>;
  /** Creates, starts and waits for the end. */
  run(definition: object, input?: unknown): Promise<Ended>;
  ended(executionArn: string): Promise<Ended>;
  describe(executionArn: string): Promise<Record<string, unknown>>;
  history(executionArn: string): Promise<Line[]>;
  /** Closes the twin and opens it again on the same file. */
  reopen(): Promise<void>;
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

const answerOf = async (
  rig: Rig,
  functionName: string,
  payload: unknown,
): Promise<LambdaAnswer> => {
  const meta = { statusCode: 200, executedVersion: '$LATEST', requestId: randomUUID() };
  rig.invoked.push({ functionName, payload });
  try {
    return { ...meta, payload: await rig.lambda(payload, functionName) };
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    return { ...meta, functionError: 'Unhandled', payload: error.payload };
  }
};

const open = (rig: Omit<Rig, 'twin'> & { twin?: StepFunctionsTwin }): StepFunctionsTwin => {
  const twin = openStepFunctionsTwin({
    file: join(rig.folder, 'states.sqlite'),
    clock: rig.clock,
    synchronous: 'NORMAL',
    random: () => rig.random(),
    invokeLambda: ({ functionName, payload }) => answerOf(rig as Rig, functionName, payload),
    callDynamoDb: async (action, parameters) =>
      (await rig.table(action, parameters)) as Record<string, unknown>,
  });
  twin.onStatusChange((change) => rig.changes.push(change));
  twin.start();
  return twin;
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

const methods = (rig: Rig): void => {
  rig.raw = (operation, body) => rig.twin.handle(operation, body);
  rig.call = async (operation, body) => {
    const { status, body: answer } = await rig.raw(operation, body);
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
    return answer as Record<string, unknown>;
  };
  rig.machine = async (definition, name = `machine-${randomUUID()}`) => {
    const whole = { QueryLanguage: 'JSONata', ...definition };
    const body = { name, definition: JSON.stringify(whole), roleArn: 'arn:aws:iam::0:role/r' };
    return String((await rig.call('CreateStateMachine', body)).stateMachineArn);
  };
  rig.start = async (stateMachineArn, input = {}, name) => {
    const body = { stateMachineArn, input: JSON.stringify(input), ...(name ? { name } : {}) };
    return String((await rig.call('StartExecution', body)).executionArn);
  };
  rig.describe = (executionArn) => rig.call('DescribeExecution', { executionArn });
  rig.history = async (executionArn) => {
    const { events } = await rig.call('GetExecutionHistory', { executionArn, maxResults: 1000 });
    return (events as Record<string, unknown>[]).map(lineOf);
  };
  rig.ended = async (executionArn) => {
    await until(async () => (await rig.describe(executionArn)).status !== 'RUNNING');
    const { status, output, error, cause } = await rig.describe(executionArn);
    const history = await rig.history(executionArn);
    return { executionArn, status, output: parsed(output), error, cause, history };
  };
  rig.run = async (definition, input) =>
    rig.ended(await rig.start(await rig.machine(definition), input));
  rig.reopen = async () => {
    await rig.twin.close();
    rig.twin = open(rig);
  };
};

const opened: Rig[] = [];

afterEach(async () => {
  for (const rig of opened.splice(0)) {
    await rig.twin.close();
    rmSync(rig.folder, { recursive: true, force: true });
  }
});

export const openRig = (): Rig => {
  const rig = {
    clock: simulatedClock(startMs, turns),
    folder: mkdtempSync(join(tmpdir(), 'reprise-states-')),
    changes: [],
    invoked: [],
    lambda: (payload: unknown) => payload,
    table: () => ({}),
    random: () => 0.5,
  } as unknown as Rig;
  methods(rig);
  rig.twin = open(rig);
  opened.push(rig);
  return rig;
};

/** `3<2 TaskScheduled`: id, previousEventId, type. */
export const outline = (history: readonly Line[]): string[] =>
  history.map(({ id, previousEventId, type }) => `${id}<${previousEventId} ${type}`);

export const echo = 'arn:aws:lambda:us-east-1:000000000000:function:echo';
export const invoke = 'arn:aws:states:::lambda:invoke';
export const done = { Type: 'Succeed' } as const;
