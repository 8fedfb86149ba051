// The run and the recover machine as the definitions say, by hand: the same states, the same retries, the same waits, over
// simulated time. test/statemachines holds the definitions to the same paths. Owns: executions and the waits they are in.
import type { ActionId, ConversationId, RequestId, RunId } from '../../functions/core/base/ids.ts';
import type { ThinkInput } from '../../functions/core/records/machine-input.ts';
import type { RunEnd } from '../../functions/core/records/run.ts';
import type { Machine } from '../../functions/ports/machine.ts';
import { verify } from '../../functions/recover/verify.ts';
import { admitSegment } from '../../functions/run/admit.ts';
import { finish } from '../../functions/run/finish.ts';
import { park } from '../../functions/run/park.ts';
import { type PerformOutput, perform } from '../../functions/run/perform.ts';
import { type ThinkOutput, think } from '../../functions/run/think.ts';
import type { Tokens } from '../fakes/memory-deliveries.ts';
import type { Timeline } from './timeline.ts';
import type { World, Worlds } from './world.ts';

export type Status = 'running' | 'succeeded' | 'failed' | 'stopped';

export interface Machines {
  readonly run: Machine;
  readonly recover: Machine;
  readonly executions: ReadonlyMap<string, Status>;
  /** As by hand in the console: the execution does nothing more. */
  stop(name: string): void;
  /** A failed or stopped execution is taken up again where it was: from its first state, with the same input. */
  redrive(name: string): void;
}

export interface MachineParts {
  readonly time: Timeline;
  readonly tokens: Tokens;
  readonly world: () => World;
  /** An execution failed or was stopped. */
  readonly onDeath: (name: string, how: 'failed' | 'stopped') => void;
  /** How a task is invoked: an outlet for duplicate deliveries. Default: once. */
  readonly invoke?: <Output>(attempt: () => Promise<Output>) => Promise<Output>;
}

interface RunInput {
  readonly runId: RunId;
  readonly conversationId: ConversationId;
  readonly segment: number;
}

/** Not a failure: the execution leaves without a word. */
class Superseded extends Error {}
class Stopped extends Error {}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Unknown');
/** Errors that the definitions retry for tasks that never send. */
const isRetried = (error: unknown): boolean =>
  ['TryAgain', 'Lambda.Unknown', 'Lambda.TooManyRequestsException', 'Sandbox.Timedout'].includes(
    nameOf(error),
  );

const thinkMs = 300_000;

export const machinesOf = (parts: MachineParts): Machines => {
  const { time, tokens } = parts;
  const executions = new Map<string, Status>();
  const inputs = new Map<string, () => Promise<void>>();
  const fences = new Map<string, number>();
  const waiters = new Map<string, () => void>();
  let bound = 0;

  const invoke = <Output>(
    execution: string,
    name: string,
    body: (
      world: Worlds,
      context: Parameters<Parameters<World['invoke']>[1]>[1],
    ) => Promise<Output>,
    timeoutMs?: number,
  ): Promise<Output> => {
    if (executions.get(execution) !== 'running') throw new Stopped();
    const attempt = (): Promise<Output> =>
      parts.world().invoke(name, body, timeoutMs === undefined ? {} : { timeoutMs });
    return (parts.invoke?.(attempt) ?? attempt()).then(
      (output) => {
        if (executions.get(execution) !== 'running') throw new Stopped();
        return output;
      },
      (error: unknown) => {
        if (executions.get(execution) !== 'running') throw new Stopped();
        throw error;
      },
    );
  };

  /** Retry with doubling pauses; RunFenced leaves at once. */
  const retried = async <Output>(tries: number, run: () => Promise<Output>): Promise<Output> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await run();
      } catch (error) {
        if (nameOf(error) === 'RunFenced') throw new Superseded();
        if (!isRetried(error) || tried > tries) throw error;
        await time.pause(Math.min(60_000, 1_000 * 2 ** (tried - 1)));
      }
    }
  };

  /** Binds a token as the definition's condition has it; resolves when woken or at the time. */
  const awaitRequest = async (
    requestId: RequestId,
    segment: number,
    untilMs: number,
  ): Promise<void> => {
    const { requests } = await parts.world().store.read({ requests: [requestId] });
    const request = requests[0]?.item;
    const newer = (fences.get(requestId) ?? 0) > segment;
    if (request === undefined || request.decision || request.released === true || newer) return;
    bound += 1;
    const token = `token-${bound}`;
    fences.set(requestId, segment);
    tokens.set(requestId, token);
    const ms = Math.max(1_000, Math.floor((untilMs - time.now()) / 1_000) * 1_000);
    await new Promise<void>((done) => {
      const cancel = time.at(time.now() + ms, done, 'background');
      waiters.set(token, () => {
        cancel();
        done();
      });
    });
    waiters.delete(token);
  };

  type Outcome = 'settled' | 'parked' | 'stuck' | 'superseded';

  /** Between two looks at a call that waits for a person. */
  const afterWait = async (
    output: PerformOutput,
    input: RunInput,
    parkAtMs: number,
  ): Promise<'perform' | 'parked'> => {
    const requestId = output.requestId as RequestId;
    const expiresAtMs = output.requestExpiresAtMs;
    await awaitRequest(requestId, input.segment, Math.min(parkAtMs, expiresAtMs || parkAtMs));
    const { requests } = await parts.world().store.read({ requests: [requestId] });
    const request = requests[0]?.item;
    if (request?.decision || request?.released === true) return 'perform';
    if (expiresAtMs > 0 && time.now() >= expiresAtMs) return 'perform';
    if (time.now() >= parkAtMs - 1_000) return 'parked';
    await time.pause(30_000);
    return 'perform';
  };

  const act = async (
    execution: string,
    input: RunInput,
    actionId: ActionId,
    parkAtMs: number,
  ): Promise<Outcome> => {
    for (let tries = 0; ; ) {
      let output: PerformOutput;
      try {
        output = await invoke(execution, 'perform', (world, context) =>
          perform(world, { schema: 1, ...input, actionId, by: 'run' }, context),
        );
      } catch (error) {
        if (error instanceof Stopped) throw error;
        if (nameOf(error) === 'RunFenced') return 'superseded';
        tries += 1;
        if (tries > 12) return 'stuck';
        await time.pause(Math.min(60, 2 ** (tries - 1)) * 1_000);
        continue;
      }
      if (output.outcome === 'settled') return 'settled';
      if (output.outcome === 'wait') await time.pause(Math.max(1, output.waitSeconds) * 1_000);
      else if ((await afterWait(output, input, parkAtMs)) === 'parked') return 'parked';
    }
  };

  const parkRun = (execution: string, input: RunInput, why: 'budget' | 'waiting') =>
    retried(8, () =>
      invoke(execution, 'park', (world) => park(world, { schema: 1, ...input, why })),
    );

  const finishRun = (execution: string, input: RunInput, reason: RunEnd, detail: string) =>
    retried(10, () =>
      invoke(execution, 'finish', (world) =>
        finish(world, { schema: 1, ...input, reason, detail }),
      ),
    );

  const runExecution = async (execution: string, input: RunInput): Promise<void> => {
    const admitted = await retried(8, () =>
      invoke(execution, 'admit', (world) => admitSegment(world, { schema: 1, ...input })),
    );
    let { step } = admitted;
    let parked = false;
    let stuck = false;
    for (;;) {
      let thought: ThinkOutput;
      try {
        const given: ThinkInput = { schema: 1, ...input, step, parked, stuck };
        thought = await retried(6, () =>
          invoke(execution, 'think', (world) => think(world, given, thinkMs), thinkMs),
        );
      } catch (error) {
        if (error instanceof Superseded || error instanceof Stopped) throw error;
        const detail = `The next step could not be taken (${nameOf(error)}). ${error instanceof Error ? error.message : ''}`;
        thought = { next: 'finish', step, reason: 'failed', detail };
      }
      step = thought.step;
      if (thought.next === 'act') {
        const outcomes: Outcome[] = await Promise.all(
          thought.calls.map(({ actionId }) => act(execution, input, actionId, admitted.parkAtMs)),
        );
        parked = outcomes.includes('parked');
        stuck = outcomes.includes('stuck');
        continue;
      }
      if (thought.next === 'wait') continue;
      if (thought.next !== 'finish') {
        await parkRun(execution, input, thought.next === 'park' ? 'waiting' : 'budget');
        return;
      }
      const ended = await finishRun(execution, input, thought.reason, thought.detail);
      if (ended.next === 'end') return;
      parked = false;
      stuck = false;
    }
  };

  const recoverExecution = async (
    execution: string,
    input: { readonly actionId: ActionId; readonly round: number },
  ): Promise<void> => {
    for (;;) {
      const verdict = await retried(12, () =>
        invoke(execution, 'verify', (world) => verify(world, { schema: 1, ...input }), 120_000),
      );
      if (verdict.next === 'end') return;
      let seconds = verdict.waitSeconds;
      if (verdict.next === 'perform') {
        const given = {
          schema: 1,
          by: 'recover',
          segment: 1,
          runId: verdict.runId as RunId,
          conversationId: verdict.conversationId as ConversationId,
          actionId: input.actionId,
        } as const;
        try {
          const output = await invoke(execution, 'perform', (world, context) =>
            perform(world, given, context),
          );
          if (output.outcome === 'approval' || output.outcome === 'person') return;
          if (output.outcome !== 'wait') continue;
          seconds = output.waitSeconds;
        } catch (error) {
          if (error instanceof Stopped) throw error;
          seconds = 2;
        }
      }
      await time.pause(Math.max(1, seconds) * 1_000);
    }
  };

  const play = async (name: string, body: () => Promise<void>): Promise<void> => {
    executions.set(name, 'running');
    try {
      await body();
      executions.set(name, 'succeeded');
    } catch (error) {
      if (error instanceof Stopped) return;
      executions.set(name, error instanceof Superseded ? 'succeeded' : 'failed');
      if (!(error instanceof Superseded)) parts.onDeath(name, 'failed');
    }
  };

  const machine = (body: (name: string, input: object) => Promise<void>): Machine => ({
    start: async (name, input) => {
      if (executions.has(name)) return;
      const whole = (): Promise<void> => body(name, input);
      inputs.set(name, whole);
      executions.set(name, 'running');
      // The service answers first; the execution begins a moment later.
      time.at(time.now() + 1, () => void play(name, whole));
    },
    answer: async (token) => {
      const waiter = waiters.get(token);
      if (waiter === undefined) return 'gone';
      waiters.delete(token);
      waiter();
      return 'sent';
    },
    describe: async (name) => executions.get(name),
  });

  return {
    executions,
    run: machine((name, input) => runExecution(name, input as RunInput)),
    recover: machine((name, input) =>
      recoverExecution(name, input as { readonly actionId: ActionId; readonly round: number }),
    ),
    stop: (name) => {
      if (executions.get(name) !== 'running') return;
      executions.set(name, 'stopped');
      parts.onDeath(name, 'stopped');
    },
    redrive: (name) => {
      const status = executions.get(name);
      const body = inputs.get(name);
      if (body && (status === 'failed' || status === 'stopped')) void play(name, body);
    },
  };
};
