// A simulated world: the product's own handlers over a store in memory, a destination, a scripted model and simulated time.
// Owns: invocations (each can be thrown away at a crash point, or fail as a service does) and what the handlers stand on.
import type { Context } from 'aws-lambda';
import type { CrashPoint } from '../../functions/core/base/crash-points.ts';
import { eventBudgetDefault, parkAfterMsDefault } from '../../functions/core/base/limits.ts';
import type { Outbox } from '../../functions/core/records/change.ts';
import { decide } from '../../functions/core/records/decide.ts';
import type { Routine } from '../../functions/core/records/routine.ts';
import type { ToolVersion } from '../../functions/core/registry/tool.ts';
import type { Model } from '../../functions/ports/model.ts';
import type { Schedules } from '../../functions/ports/routines.ts';
import type { Deliveries, Store } from '../../functions/ports/store.ts';
import type { Log } from '../../functions/ports/world.ts';
import type { EventsWorld } from '../../functions/wiring/events.ts';
import type { PerformWorld } from '../../functions/wiring/perform.ts';
import type { ThinkWorld } from '../../functions/wiring/think.ts';
import { toolboxOf } from '../../functions/wiring/toolbox.ts';
import { transcriptsFrom } from '../../functions/wiring/transcript.ts';
import { registryCache } from '../../functions/wiring/versions.ts';
import { memoryDeliveries, type Tokens } from '../fakes/memory-deliveries.ts';
import { memoryRegistry } from '../fakes/memory-registry.ts';
import { memoryRoutines } from '../fakes/memory-routines.ts';
import { memorySchedules } from '../fakes/memory-schedules.ts';
import { type MemoryStore, memoryStore } from '../fakes/memory-store.ts';
import { suffixes } from '../fakes/suffixes.ts';
import type { Destination } from './destination.ts';
import type { Timeline } from './timeline.ts';

export interface Invocation {
  readonly name: string;
  /** False: thrown away. Nothing it does any more reaches anybody. */
  alive: boolean;
  /** Ends it for its caller, with the name of an error. */
  readonly fail: (error: string) => void;
}

/** What the caller of a Lambda function sees when it died or was not reached. */
export class Failure extends Error {
  override readonly name: string;
  constructor(name: string) {
    super(`The invocation ended with ${name}.`);
    this.name = name;
  }
}

/** What may go wrong with an invocation or a call to the store, decided by the world; default nothing. */
export interface Trouble {
  /** Called when an invocation begins. */
  begins?(invocation: Invocation): void;
  /** Throws the invocation away here. */
  crashes(point: CrashPoint, invocation: Invocation): boolean;
  /** Around a call to the store: may fail it before or after it took place. */
  store<Value>(invocation: Invocation, call: string, run: () => Promise<Value>): Promise<Value>;
  /** Around a delivery's guard: may let every delivery in. */
  readonly guardHolds: boolean;
  fraction(): number;
}

export const noTrouble: Trouble = {
  crashes: () => false,
  store: (_invocation, _call, run) => run(),
  guardHolds: true,
  fraction: () => 0.5,
};

export type Worlds = ThinkWorld & PerformWorld & EventsWorld;

export interface WorldParts {
  readonly time: Timeline;
  readonly destination: Destination;
  readonly model: Model;
  readonly tools: readonly ToolVersion[];
  readonly trouble: Trouble;
  readonly machine: EventsWorld['machine'];
  readonly recoverMachine: EventsWorld['machine'];
  readonly tokens: Tokens;
  readonly onOutbox: (outbox: Outbox) => void;
  /** Default: one that fires nothing. */
  readonly schedules?: Schedules;
  readonly onRoutine?: (routine: Routine) => void;
}

export interface World {
  readonly store: MemoryStore;
  readonly registry: ReturnType<typeof memoryRegistry>;
  readonly deliveries: Deliveries;
  readonly suffix: () => string;
  /** What handlers have logged as errors. */
  readonly complaints: string[];
  /** Runs a handler as an invocation of its own. Rejects with what it threw, or with a Failure. */
  invoke<Output>(
    name: string,
    run: (world: Worlds, context: Context) => Promise<Output>,
    options?: { readonly timeoutMs?: number },
  ): Promise<Output>;
}

/** As the shell of every function names what it lets out: a service's failure passes, what nobody foresaw is a defect. */
const thrownName = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Defect';
  if (['RunFenced', 'TryAgain', 'Defect'].includes(error.name)) return error.name;
  return error instanceof ServiceFailure ? 'TryAgain' : 'Defect';
};

/** A service did not answer, or refused for the moment. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

/** Every call is answered only while the invocation lives, and passes through the world's trouble. */
const through = <Port extends object>(
  port: Port,
  wrap: (call: string, run: () => Promise<unknown>) => Promise<unknown>,
): Port =>
  new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) =>
        wrap(String(name), async () => Reflect.apply(method, target, given));
    },
  });

const contextOf = (name: string, time: Timeline, timeoutMs: number): Context => {
  const endsAtMs = time.now() + timeoutMs;
  return {
    awsRequestId: name,
    callbackWaitsForEmptyEventLoop: false,
    functionName: name,
    functionVersion: '1',
    invokedFunctionArn: name,
    memoryLimitInMB: '512',
    logGroupName: name,
    logStreamName: name,
    getRemainingTimeInMillis: () => Math.max(0, endsAtMs - time.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};

/** As Powertools: one at a time per action and attempt; a failure forgets, an end remembers. */
const guardOver = (time: Timeline, trouble: Trouble): PerformWorld['guarded'] => {
  const held = new Map<string, number>();
  return async ({ actionId, attempt }, context, send) => {
    const key = `${actionId} ${attempt}`;
    if (trouble.guardHolds && (held.get(key) ?? 0) > time.now()) return 'seen';
    held.set(key, time.now() + context.getRemainingTimeInMillis());
    try {
      await send();
    } catch (error) {
      held.delete(key);
      throw error;
    }
    held.set(key, Number.POSITIVE_INFINITY);
    return 'ran';
  };
};

export const worldOf = (parts: WorldParts): World => {
  const { time, trouble } = parts;
  const suffix = suffixes();
  const clock = { now: () => time.now(), pause: (ms: number) => time.pause(ms) };
  const minter = { suffix, fraction: () => trouble.fraction() };
  const store = memoryStore({
    clock,
    minter,
    onOutbox: parts.onOutbox,
    onRevision: (revision) => void registry.putAgent(revision),
  });
  const registry = memoryRegistry(parts.tools);
  const deliveries = memoryDeliveries(store.memory, parts.tokens);
  const { schedules = memorySchedules(), onRoutine } = parts;
  const routines = memoryRoutines({
    memory: store.memory,
    ...(onRoutine === undefined ? {} : { onRoutine }),
  });
  const versions = registryCache(registry);
  const guarded = guardOver(time, trouble);
  const complaints: string[] = [];
  const nothing = { count: 0, oldestAtMs: undefined };
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, details) => void complaints.push(`${message} ${JSON.stringify(details)}`),
  };

  const worldsFor = (invocation: Invocation): Worlds => {
    const guardedPort = <Port extends object>(port: Port, name: string): Port =>
      through(port, async (call, run) => {
        if (!invocation.alive) return never();
        const value = await trouble.store(invocation, `${name}.${call}`, run);
        return invocation.alive ? value : never();
      });
    const ownStore: Store = guardedPort<Store>(store, 'store');
    const isAlive = (): boolean => invocation.alive;
    return {
      store: ownStore,
      deliveries: guardedPort(deliveries, 'deliveries'),
      registry,
      clock,
      minter,
      log,
      eventBudget: eventBudgetDefault,
      parkAfterMs: parkAfterMsDefault,
      crash: {
        at: (point) => {
          if (!invocation.alive) return never();
          if (!trouble.crashes(point, invocation)) return undefined;
          invocation.fail('Lambda.Unknown');
          invocation.alive = false;
          return never();
        },
      },
      decide: (deciding) =>
        decide({
          ...deciding,
          commit: ownStore.commit,
          pause: clock.pause,
          fraction: minter.fraction,
        }),
      model: parts.model,
      transcripts: transcriptsFrom(ownStore),
      toolbox: (run) => toolboxOf(versions, run),
      argumentProblems: () => undefined,
      carrier: parts.destination.carrier(isAlive),
      blobs: {
        put: async () => {
          throw new Error('No body of a simulated world is large.');
        },
        get: async () => new Uint8Array(),
      },
      versions,
      guarded,
      machine: guardedPort(parts.machine, 'machine'),
      recoverMachine: guardedPort(parts.recoverMachine, 'machine'),
      bus: { put: async () => undefined },
      measures: { put: () => undefined },
      routines: guardedPort(routines, 'routines'),
      schedules: guardedPort<Schedules>(schedules, 'schedules'),
      stocks: { undetermined: async () => nothing, outbox: async () => nothing },
    };
  };

  return {
    store,
    registry,
    deliveries,
    suffix,
    complaints,
    invoke: (name, run, { timeoutMs = 75_000 } = {}) =>
      new Promise((done, fail) => {
        const invocation: Invocation = {
          name,
          alive: true,
          fail: (error) => fail(new Failure(error)),
        };
        trouble.begins?.(invocation);
        run(worldsFor(invocation), contextOf(name, time, timeoutMs)).then(
          (output) => {
            if (invocation.alive) done(output);
          },
          (error: unknown) => {
            if (!invocation.alive) return;
            const name = thrownName(error);
            if (name === 'Defect')
              complaints.push(`Defect in ${invocation.name}: ${String(error)}`);
            fail(new Failure(name));
          },
        );
      }),
  };
};
