// What goes wrong in a large world: each seed switches some kinds of trouble on and leaves the others out. Owns: the kinds.
import type { CrashPoint } from '../../functions/core/base/crash-points.ts';
import type { Random } from '../fakes/random.ts';
import type { Timeline } from './timeline.ts';
import { type Invocation, ServiceFailure, type Trouble } from './world.ts';

export const troubleKinds = [
  'crashes',
  'throttled store',
  'lost answers of the store',
  'false condition failures',
  'duplicate invocations',
  'invocations that outlive their time',
  'stream records twice',
  'stream records late',
  'stream records lost',
  'status events lost',
  'useless guard',
  'executions stopped and taken up again',
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

export interface Troubles extends Trouble {
  readonly kinds: ReadonlySet<TroubleKind>;
  /** True while that kind of trouble is on, with that probability. */
  strikes(kind: TroubleKind, probability: number): boolean;
  /** From now on everything works. */
  heal(): void;
}

/** Longest time by which a caller loses patience before the invocation ends. */
const outliveMsMax = 20_000;

export const troublesOf = (random: Random, time: Timeline): Troubles => {
  const kinds = new Set(troubleKinds.filter(() => random.chance(0.5)));
  let healed = false;
  const strikes = (kind: TroubleKind, probability: number): boolean =>
    !healed && kinds.has(kind) && random.chance(probability);
  const around = async <Value>(call: string, run: () => Promise<Value>): Promise<Value> => {
    if (strikes('throttled store', 0.03)) throw new ServiceFailure(`${call} was throttled.`);
    const value = await run();
    if (strikes('lost answers of the store', 0.02))
      throw new ServiceFailure(`${call} took place, and its answer was lost.`);
    return value;
  };
  /** It took place, and the caller is told that somebody else was faster. */
  const falseFailure = <Value>(call: string, value: Value): Value => {
    const commits = call === 'store.commit' && typeof value === 'object' && value !== null;
    return commits && strikes('false condition failures', 0.02)
      ? Object.assign(value, { kind: 'conflict', on: 'transaction' })
      : value;
  };
  return {
    kinds,
    strikes,
    heal: () => {
      healed = true;
    },
    fraction: random.fraction,
    get guardHolds() {
      return healed || !kinds.has('useless guard');
    },
    crashes: (_point: CrashPoint, _invocation: Invocation) => strikes('crashes', 0.03),
    begins: (invocation) => {
      if (strikes('invocations that outlive their time', 0.05))
        time.at(time.now() + random.below(outliveMsMax), () => invocation.fail('Sandbox.Timedout'));
    },
    store: async (_invocation, call, run) => falseFailure(call, await around(call, run)),
  };
};
