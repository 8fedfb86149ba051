// A machine of ours on the twin's Step Functions, with functions and a Requests table that a test scripts. Owns: the path of states
// that an execution entered, and turning the clock past waits.
import type { machines } from '../../functions/manifest.ts';
import { defaultPlace, functionNameOf } from '../../local/base/names.ts';
import { definitionOf } from '../../local/deployment/machines.ts';
import { openRig, type Rig, SdkError, Thrown, until } from '../local/stepfunctions/rig.ts';

export type Answer = object | Error | ((payload: Record<string, unknown>) => object);
/** Answers by function, in order; the last one is given again and again. */
export type Answers = { readonly [name: string]: readonly Answer[] };

/** An error that a function throws. */
export const failing = (name: string): Error => new Thrown(name, `${name}, says the test`);

export const parkAtMs = Date.parse('2027-01-31T00:00:00Z');
export const runId = 'run_00000000000000000000000001';
export const conversationId = 'cnv_00000000000000000000000001';
export const runInput = { schema: 1, runId, conversationId, segment: 1 };

export const act = (...actionIds: string[]) => ({
  next: 'act',
  step: 1,
  calls: actionIds.map((actionId) => ({ actionId })),
});
export const done = { next: 'finish', step: 1, reason: 'done', detail: '' };
const noRequest = { requestId: '', requestExpiresAtMs: 0, waitSeconds: 1 };
export const settled = { outcome: 'settled', ...noRequest };
export const wait = (waitSeconds: number) => ({ outcome: 'wait', ...noRequest, waitSeconds });
export const asking = (
  outcome: 'approval' | 'question' | 'skill' | 'recovery',
  requestId = 'req_1',
  requestExpiresAtMs = 0,
) => ({ outcome, requestId, requestExpiresAtMs, waitSeconds: 1 });

interface Request {
  decisionKind?: string;
  token?: string;
}

export interface Story {
  readonly rig: Rig;
  /** Payloads by function, in order. */
  readonly calls: { readonly name: string; readonly payload: Record<string, unknown> }[];
  start(input?: object): Promise<void>;
  /** States entered so far, in order. */
  path(): Promise<string[]>;
  /** Waits until the state was entered `times` times. */
  at(state: string, times?: number): Promise<void>;
  /** The request is decided, as the API does it. */
  decide(requestId?: string): void;
  /** The publisher's wake-up: nothing in it. */
  wake(requestId?: string): Promise<void>;
  /** Turns the clock to the next timer, once. */
  turn(): Promise<void>;
  /** Turns the clock until the execution has ended. */
  end(): Promise<{ readonly status: unknown; readonly path: string[]; readonly error: unknown }>;
}

const queues = (answers: Answers) => {
  const given = new Map<string, number>();
  return (name: string): Answer => {
    const list = answers[name] ?? [];
    const index = given.get(name) ?? 0;
    given.set(name, index + 1);
    const answer = list[Math.min(index, list.length - 1)];
    if (answer === undefined) throw new Error(`The test gives ${name} no answer.`);
    return answer;
  };
};

/** The Requests table, as far as the machine uses it. */
const tableOver = (requests: Map<string, Request>) => (action: string, given: unknown) => {
  const { Key, ExpressionAttributeValues: values } = given as {
    readonly Key: { readonly pk: { readonly S: string } };
    readonly ExpressionAttributeValues?: { readonly ':token': { readonly S: string } };
  };
  const id = Key.pk.S.replace('REQ#', '');
  const request = requests.get(id) ?? {};
  requests.set(id, request);
  if (action === 'getItem')
    return request.decisionKind === undefined
      ? { Item: {} }
      : { Item: { decisionKind: { S: request.decisionKind } } };
  if (request.decisionKind !== undefined)
    throw new SdkError('ConditionalCheckFailedException', 'The conditional request failed');
  request.token = values?.[':token'].S ?? '';
  return {};
};

export const tell = async (machine: keyof typeof machines, answers: Answers): Promise<Story> => {
  const rig = openRig();
  const next = queues(answers);
  const requests = new Map<string, Request>();
  const calls: { name: string; payload: Record<string, unknown> }[] = [];
  rig.table = tableOver(requests);
  rig.lambda = (payload, functionName) => {
    const { name } = functionNameOf(functionName, defaultPlace);
    const given = Object(payload);
    calls.push({ name, payload: given });
    const answer = next(name);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(given) : answer;
  };
  const definition = JSON.parse(await definitionOf(machine, defaultPlace));
  const arn = await rig.machine(definition);
  let execution = '';
  const path = async (): Promise<string[]> =>
    (await rig.history(execution))
      .filter(({ type }) => type.endsWith('StateEntered'))
      .map(({ details }) => String(details.name));
  const status = async () => (await rig.describe(execution)).status;
  const turn = async (): Promise<void> => {
    const dueMs = rig.clock.nextAtMs();
    await rig.clock.advance(dueMs === undefined ? 0 : Math.max(0, dueMs - rig.clock.now()));
  };
  return {
    rig,
    calls,
    path,
    turn,
    start: async (input = runInput) => {
      execution = await rig.start(arn, input);
    },
    at: (state, times = 1) =>
      until(async () => (await path()).filter((name) => name === state).length >= times),
    decide: (requestId = 'req_1') => {
      requests.set(requestId, { ...requests.get(requestId), decisionKind: 'approved' });
    },
    wake: async (requestId = 'req_1') => {
      await until(() => requests.get(requestId)?.token !== undefined);
      const taskToken = requests.get(requestId)?.token;
      await rig.call('SendTaskSuccess', { taskToken, output: '{}' });
    },
    end: async () => {
      for (let turns = 0; turns < 300 && (await status()) === 'RUNNING'; turns += 1) await turn();
      const ended = await rig.ended(execution);
      return { status: ended.status, error: ended.error, path: await path() };
    },
  };
};
