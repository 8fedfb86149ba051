// One small world of a routine: due at 10, 20 and 30 minutes, its run waits for a person's approval until minute 25, so that the
// second firing meets the first one's run. One way of delivery, one rule for overlaps and for what was missed, one deed of a
// person, one process that dies. Owns: playing it to its rest.
import { AgentId, ConversationId, type RoutineId } from '../../functions/core/base/ids.ts';
import type { RoutineContent } from '../../functions/core/records/routine.ts';
import { deliver } from '../../functions/events/deliver.ts';
import type { Model } from '../../functions/ports/model.ts';
import { fireDue } from '../../functions/routine/fire.ts';
import { whenDead } from '../../functions/sweep/after-death.ts';
import { segmentOfName } from '../../functions/sweep/execution-ended.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { agentOf, conversationOf } from '../fakes/items.ts';
import type { Tokens } from '../fakes/memory-deliveries.ts';
import { toolsOf, workspace } from './contracts.ts';
import { type Destination, destinationOf } from './destination.ts';
import { brokenLaws } from './laws.ts';
import { machinesOf } from './machines.ts';
import { ana, type People, peopleOf } from './people.ts';
import {
  comingOf,
  type Deed,
  deedMinute,
  dueMinutes,
  minuteMs,
  type SmallRoutine,
  strayMinute,
} from './routine-choices.ts';
import { brokenByRoutine } from './routine-laws.ts';
import { fixedIn, type Keepers, keepersOf } from './routine-people.ts';
import { schedulerOf } from './scheduler.ts';
import { type Timeline, timeline } from './timeline.ts';
import { type Invocation, noTrouble, type World, worldOf } from './world.ts';

export interface PlayedRoutine {
  readonly broken: readonly string[];
  readonly died: boolean;
  /** What became of each time, oldest first: `10 fired started`. */
  readonly story: readonly string[];
}

const startMs = Date.parse('2027-01-01T00:00:00Z');
const agentId = AgentId.parse('agt_00000000000000000000000001');
const conversationId = ConversationId.parse('cnv_00000000000000000000000001');

/** One write that waits for its approval, then an answer; whatever is said meanwhile is read. */
const model: Model = {
  call: async ({ transcript }) => {
    const opened = transcript.findLastIndex((entry) => entry.role === 'person' && entry.opensRun);
    const spoke = transcript.slice(opened + 1).some(({ role }) => role === 'agent');
    return {
      text: spoke ? 'That is what became of it.' : 'I write.',
      calls: spoke ? [] : [{ name: 'write', arguments: { name: `Marta ${transcript.length}` } }],
      end: 'whole' as const,
      usage: { callId: 'call', inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 },
      model: 'scripted',
    };
  },
};

/** Calls that count for a death: those that write about a routine. A death between two reads is one before the next write. */
const writing = [
  'routines.commit',
  'store.commit',
  'store.createConversation',
  'schedules.put',
  'schedules.remove',
];
const counts = ({ name }: Invocation, call: string): boolean =>
  ['make', 'change', 'now', 'fire', 'sweep'].includes(name) && writing.includes(call);

const contentOf = ({ overlap, missed, place }: SmallRoutine): RoutineContent => ({
  name: 'Report',
  agentId,
  message: 'Write it, please.',
  schedule: 'rate(10 minutes)',
  zone: 'Europe/Paris',
  startsAt: new Date(startMs + 10 * minuteMs).toISOString(),
  endsAt: new Date(startMs + 34 * minuteMs).toISOString(),
  conversation: place === 'own' ? { kind: 'own' } : fixedIn(conversationId),
  overlap,
  missed: missed === 'skip' ? { policy: missed } : { policy: missed, windowMs: 20 * minuteMs },
});

interface Running {
  readonly small: SmallRoutine;
  readonly world: World;
  readonly destination: Destination;
  readonly time: Timeline;
  readonly people: People;
  readonly keepers: Keepers;
}

/** The sweep looks at this second of each minute. */
const sweepMs = 20_000;

/** Up to a minute, with a sweep in each. */
const until = async ({ world, time, small }: Running, minute: number): Promise<void> => {
  const sweptFromMs = startMs + (comingOf(small).sweptFrom ?? 0) * minuteMs;
  while (time.now() < startMs + minute * minuteMs) {
    await time.until(time.now() + sweepMs);
    if (time.now() >= sweptFromMs)
      await world.invoke('sweep', (worlds) => sweep(worlds)).catch(() => undefined);
    await time.until(Math.ceil(time.now() / minuteMs) * minuteMs);
  }
};

const approveAll = async ({ people }: Running): Promise<void> => {
  for (const { item } of people.inbox())
    if (item.on === 'approval') await people.approve(item.requestId, ana);
};

/** Starts it and lets time go on: what dies is said again later. */
const begin = (deed: Promise<unknown>): void => void deed.catch(() => undefined);

const firstDeed = ({ keepers }: Running, routineId: RoutineId, deed: Deed): void => {
  if (deed === 'pauses it, and resumes it') begin(keepers.put(routineId, 'paused'));
  if (deed === 'deletes it') begin(keepers.put(routineId, 'deleted'));
  if (deed === 'changes when it is due')
    begin(keepers.change(routineId, { schedule: 'cron(0/8 * * * ? *)' }));
  if (deed === 'runs it now, twice by one key') {
    begin(keepers.runNow(routineId, '1'));
    begin(keepers.runNow(routineId, '1'));
  }
};

const storyOf = ({ world }: Running): string[] =>
  [...world.store.memory.items.occurrence.values()]
    .map(({ item }) => item)
    .toSorted((a, b) => a.dueAt.localeCompare(b.dueAt))
    .map(({ cause, dueAt, outcome }) => {
      const minute = Math.round((Date.parse(dueAt) - startMs) / minuteMs);
      const how =
        outcome.kind === 'fired' ? outcome.how : outcome.kind === 'skipped' ? outcome.because : '';
      return `${minute} ${cause === 'now' ? 'now ' : ''}${outcome.kind} ${how}`.trimEnd();
    });

const fireAt = (world: World, routineId: RoutineId, dueMs: number): void => {
  const input = { schema: 1, routineId, scheduledTime: new Date(dueMs).toISOString() } as const;
  begin(world.invoke('fire', (worlds) => fireDue(worlds, input)));
};

const build = (small: SmallRoutine, onDeath: () => void): Running => {
  const time = timeline(startMs);
  const tokens: Tokens = new Map();
  let running: Running | undefined;
  let calls = 0;
  const there = (): World => {
    if (!running) throw new Error('The world has not begun.');
    return running.world;
  };
  const dies = (invocation: Invocation): Promise<never> => {
    onDeath();
    invocation.fail('Lambda.Unknown');
    invocation.alive = false;
    return new Promise<never>(() => undefined);
  };
  const destination = destinationOf({
    time,
    kind: () => 'http',
    behaviour: () => 'writes and answers',
  });
  const machines = machinesOf({
    time,
    tokens,
    world: there,
    onDeath: (name, how) => {
      const ended = segmentOfName(name);
      if (ended)
        begin(
          there().invoke('execution-ended', (worlds) =>
            whenDead(worlds, ended.runId, ended.segment, how),
          ),
        );
    },
  });
  const schedules = schedulerOf({
    time,
    due: (routineId, dueMs) => {
      const { calls, first = calls } = comingOf(small);
      for (const ms of dueMs === startMs + 10 * minuteMs ? first : calls)
        time.at(time.now() + ms, () => fireAt(there(), routineId, dueMs));
    },
  });
  const world = worldOf({
    time,
    destination,
    model,
    tools: toolsOf('write', 'http', { effect: 'irreversible' }),
    trouble: {
      ...noTrouble,
      store: async (invocation, call, run) => {
        if (!counts(invocation, call)) return run();
        calls += 1;
        const mine = calls === small.death?.call;
        if (mine && small.death?.when === 'before') return dies(invocation);
        const value = await run();
        return mine ? dies(invocation) : value;
      },
    },
    machine: machines.run,
    recoverMachine: machines.recover,
    tokens,
    onOutbox: (outbox) =>
      void time.at(time.now() + 5, () =>
        begin(there().invoke('publish', (worlds) => deliver(worlds, outbox))),
      ),
    schedules,
  });
  running = {
    small,
    world,
    destination,
    time,
    people: peopleOf({ time, world, destination }),
    keepers: keepersOf({ time, world, triesMax: 3 }),
  };
  return running;
};

export const playRoutine = async (small: SmallRoutine): Promise<PlayedRoutine> => {
  let died = false;
  const running = build(small, () => {
    died = true;
  });
  const { world, time, keepers } = running;
  await world.registry.putAgent(agentOf(workspace, agentId, ['write']));
  await world.store.createConversation(conversationOf(workspace, conversationId, agentId));
  const making = keepers.make(1, contentOf(small));
  await until(running, 1);
  const routineId = await making;
  await until(running, deedMinute(small));
  firstDeed(running, routineId, small.deed);
  await until(running, strayMinute);
  if (small.deed !== 'nothing') fireAt(world, routineId, startMs + strayMinute * minuteMs);
  await until(running, 25);
  await approveAll(running);
  await until(running, 27);
  if (small.deed === 'pauses it, and resumes it') begin(keepers.put(routineId, 'active'));
  for (const minute of [34, 38, 42, 46, 50, 54]) {
    await until(running, minute);
    await approveAll(running);
  }
  await until(running, 60);
  const judged = {
    store: world.store,
    routineId,
    dueMs: dueMinutes(small).map((minute) => startMs + minute * minuteMs),
    nows: small.deed === 'runs it now, twice by one key' ? 1 : 0,
    nowMs: time.now(),
  };
  const laws = await brokenLaws({
    store: world.store,
    destination: running.destination,
    kindOf: () => 'http',
    revokedAtMs: () => undefined,
    isAtRest: true,
  });
  return {
    broken: [...new Set([...brokenByRoutine(judged), ...laws, ...world.complaints])],
    died,
    story: storyOf(running),
  };
};
