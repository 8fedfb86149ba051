// Routines of a large world: two of them, due every few minutes, while firings are lost, late or told twice, the Scheduler does not
// answer, and people pause, resume, change and run them. What was due is reckoned from the routines as they were stored.
// Owns: that trouble, those deeds, and that reckoning.
import type { AgentId, ConversationId, RoutineId } from '../../functions/core/base/ids.ts';
import {
  overlaps,
  type Routine,
  type RoutineContent,
} from '../../functions/core/records/routine.ts';
import { timetableOf } from '../../functions/core/routines/routine.ts';
import type { Schedules } from '../../functions/ports/routines.ts';
import { fireDue } from '../../functions/routine/fire.ts';
import { randomOf } from '../fakes/random.ts';
import { brokenByRoutine } from './routine-laws.ts';
import { fixedIn, keepersOf } from './routine-people.ts';
import { schedulerOf } from './scheduler.ts';
import type { Timeline } from './timeline.ts';
import { ServiceFailure, type World } from './world.ts';

export const routineTroubleKinds = [
  'firings lost',
  'firings twice',
  'firings late',
  'a Scheduler that does not answer',
] as const;
export type RoutineTrouble = (typeof routineTroubleKinds)[number];

export interface LargeRoutinesParts {
  readonly seed: number;
  readonly time: Timeline;
  readonly world: () => World;
  /** How long there is trouble. */
  readonly busyMs: number;
}

export interface LargeRoutines {
  readonly kinds: ReadonlySet<RoutineTrouble>;
  readonly schedules: Schedules;
  readonly onRoutine: (routine: Routine) => void;
  /** Makes them, and schedules what people do. */
  begin(agentId: AgentId, conversationId: ConversationId): void;
  broken(): string[];
}

const minuteMs = 60_000;
const deeds = 14;
/** By then every call of a person has come through. */
const triesMax = 2_000;
/** A delivery that fails is made again, as the Scheduler does. */
const deliveriesMax = 3;
/** Other seeds than those of the world, so that a world without routines stays as it was. */
const otherSeed = 0x5eed;

interface Span {
  readonly routineId: RoutineId;
  readonly fromMs: number;
  readonly toMs: number;
}

export const largeRoutinesOf = (parts: LargeRoutinesParts): LargeRoutines => {
  const { time, world, busyMs } = parts;
  const random = randomOf(parts.seed ^ otherSeed);
  const startMs = time.now();
  const kinds = new Set(routineTroubleKinds.filter(() => random.chance(0.5)));
  const strikes = (kind: RoutineTrouble, probability: number): boolean =>
    time.now() < startMs + busyMs && kinds.has(kind) && random.chance(probability);
  const stored: { readonly atMs: number; readonly routine: Routine }[] = [];
  const changing: Span[] = [];
  const nows = new Map<RoutineId, number>();

  const fire = (routineId: RoutineId, dueMs: number, lateMs: number, tries = 1): void =>
    void time.at(time.now() + lateMs, () => {
      const scheduledTime = new Date(dueMs).toISOString();
      world()
        .invoke('fire', (worlds) => fireDue(worlds, { schema: 1, routineId, scheduledTime }))
        .catch(() =>
          tries < deliveriesMax ? fire(routineId, dueMs, minuteMs, tries + 1) : undefined,
        );
    });
  const due = (routineId: RoutineId, dueMs: number): void => {
    if (strikes('firings lost', 0.3)) return;
    fire(routineId, dueMs, strikes('firings late', 0.3) ? random.below(9 * minuteMs) : 100);
    if (strikes('firings twice', 0.3)) fire(routineId, dueMs, random.below(2 * minuteMs));
  };
  const told = schedulerOf({ time, due });
  const answering = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    if (strikes('a Scheduler that does not answer', 0.4))
      throw new ServiceFailure('The Scheduler does not answer.');
    return call();
  };

  const content = (agentId: AgentId, more: Partial<RoutineContent>): RoutineContent => ({
    name: 'Report',
    agentId,
    message: 'Report, please.',
    schedule: 'rate(2 minutes)',
    zone: 'Europe/Paris',
    endsAt: new Date(startMs + busyMs).toISOString(),
    conversation: { kind: 'own' },
    overlap: random.pick(overlaps),
    missed: random.chance(0.5) ? { policy: 'skip' } : { policy: 'one', windowMs: 8 * minuteMs },
    ...more,
  });

  const begin: LargeRoutines['begin'] = (agentId, conversationId) => {
    const keepers = keepersOf({
      time,
      world: world(),
      triesMax,
      onChanged: (routineId, fromMs) => void changing.push({ routineId, fromMs, toMs: time.now() }),
    });
    const made: RoutineId[] = [];
    const make = async (number: number, more: Partial<RoutineContent>): Promise<void> => {
      made.push(await keepers.make(number, content(agentId, more)));
    };
    void make(1, {});
    void make(2, { schedule: 'cron(0/3 * * * ? *)', conversation: fixedIn(conversationId) });
    const act = async (number: number): Promise<void> => {
      if (made.length === 0) return;
      const routineId = random.pick(made);
      const what = random.fraction();
      if (what < 0.3) await keepers.put(routineId, 'paused');
      else if (what < 0.7) await keepers.put(routineId, 'active');
      else if (what < 0.85)
        await keepers.change(routineId, {
          schedule: random.pick(['rate(3 minutes)', 'cron(0/2 * * * ? *)']),
        });
      else {
        nows.set(routineId, (nows.get(routineId) ?? 0) + 1);
        await keepers.runNow(routineId, String(number));
      }
    };
    for (let deed = 0; deed < deeds; deed += 1)
      time.at(startMs + random.below(busyMs), () => void act(deed));
  };

  /** While it was being made or changed it may have been so already, or not yet. */
  const isOpen = (routine: Routine, atMs: number): boolean =>
    changing.some(
      ({ routineId, fromMs, toMs }) =>
        routineId === routine.routineId && fromMs <= atMs && atMs <= toMs,
    );

  const broken = (): string[] => {
    const routines = new Map(stored.map(({ routine }) => [routine.routineId, routine]));
    return [...routines.values()].flatMap((routine) => {
      const own = stored.filter((one) => one.routine.routineId === routine.routineId);
      const dueMs = own.flatMap(({ atMs, routine: then }, index) => {
        const toMs = own[index + 1]?.atMs ?? time.now();
        return then.state === 'active' ? timetableOf(then).between(atMs, toMs, 1_000) : [];
      });
      return brokenByRoutine({
        store: world().store,
        routineId: routine.routineId,
        dueMs: dueMs.filter((atMs) => !isOpen(routine, atMs)),
        open: (atMs) => isOpen(routine, atMs),
        nows: nows.get(routine.routineId) ?? 0,
        nowMs: time.now(),
      });
    });
  };

  return {
    kinds,
    schedules: {
      put: (schedule) => answering(() => told.put(schedule)),
      remove: (routineId) => answering(() => told.remove(routineId)),
      find: (routineId) => answering(() => told.find(routineId)),
    },
    onRoutine: (routine) => {
      const first = !stored.some((one) => one.routine.routineId === routine.routineId);
      const atMs = time.now();
      if (first)
        changing.push({
          routineId: routine.routineId,
          fromMs: Date.parse(routine.createdAt),
          toMs: atMs,
        });
      stored.push({ atMs, routine });
    },
    begin,
    broken,
  };
};
