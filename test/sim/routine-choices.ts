// What there is to choose from in a small world of a routine: due at 10, 20 and 30 minutes, unless somebody does something about
// it. Owns: ways of delivery, deeds, deaths, and at which minutes each leaves it due.
import type { RoutineContent } from '../../functions/core/records/routine.ts';

export const minuteMs = 60_000;

/** How long after a time that is due the Scheduler's calls come, in milliseconds; the first time may have others. */
interface Coming {
  readonly calls: readonly number[];
  readonly first?: readonly number[];
  /** Nobody sweeps before this minute. */
  readonly sweptFrom?: number;
}
const comings = {
  never: { calls: [] },
  once: { calls: [100] },
  'twice at once': { calls: [100, 100] },
  'twice, a minute apart': { calls: [100, minuteMs] },
  'too late': { calls: [7 * minuteMs] },
  'never, nor swept for long': { calls: [], sweptFrom: 25 },
  'once but the first, nor swept for long': { calls: [100], first: [], sweptFrom: 25 },
} as const satisfies { readonly [name: string]: Coming };
export type Delivery = keyof typeof comings;
export const deliveries = Object.keys(comings) as Delivery[];
export const comingOf = ({ delivery }: SmallRoutine): Coming => comings[delivery];

export const deeds = [
  'nothing',
  'pauses it, and resumes it',
  'runs it now, twice by one key',
  'deletes it',
  'changes when it is due',
] as const;
export type Deed = (typeof deeds)[number];

/** The process that makes this call of the store, of all that count, dies before or after it took place. */
export interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

export interface SmallRoutine {
  readonly delivery: Delivery;
  readonly overlap: RoutineContent['overlap'];
  readonly missed: RoutineContent['missed']['policy'];
  readonly place: RoutineContent['conversation']['kind'];
  readonly deed: Deed;
  readonly death: Death | undefined;
}

/** A firing that the Scheduler had sent off although a person has just changed the routine. */
export const strayMinute = 20;

/** What is never delivered is still without its record when somebody does something. */
export const deedMinute = ({ delivery }: SmallRoutine): number => (delivery === 'never' ? 12 : 18);

/** Minutes at which it is due and active, written down by hand. */
export const dueMinutes = (small: SmallRoutine): readonly number[] => {
  switch (small.deed) {
    case 'nothing':
    case 'runs it now, twice by one key':
      return [10, 20, 30];
    case 'pauses it, and resumes it':
      return [10, 30];
    case 'deletes it':
      return [10];
    case 'changes when it is due':
      return deedMinute(small) === 12 ? [10, 16, 24, 32] : [10, 24, 32];
  }
};
