// A large world: conversations, tools of every contract, people and trouble, all by chance from one seed. It is played, then
// everything is mended and the inbox cleared; after that every run must be over. Owns: the playing, and the story it tells.

import { AgentId, ConversationId } from '../../functions/core/base/ids.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Outbox } from '../../functions/core/records/change.ts';
import { deliver } from '../../functions/events/deliver.ts';
import type { Model } from '../../functions/ports/model.ts';
import { whenDead } from '../../functions/sweep/after-death.ts';
import { segmentOfName } from '../../functions/sweep/execution-ended.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { agentOf, conversationOf } from '../fakes/items.ts';
import type { Tokens } from '../fakes/memory-deliveries.ts';
import { type Random, randomOf } from '../fakes/random.ts';
import { type ContractKind, contractKinds, finderOf, toolsOf, workspace } from './contracts.ts';
import { behaviours, destinationOf } from './destination.ts';
import { type Crowd, clearInbox, populate } from './large-people.ts';
import { largeRoutinesOf, type RoutineTrouble } from './large-routines.ts';
import { type TroubleKind, troublesOf } from './large-trouble.ts';
import { brokenLaws } from './laws.ts';
import { machinesOf } from './machines.ts';
import { peopleOf } from './people.ts';
import { timeline } from './timeline.ts';
import { type World, worldOf } from './world.ts';

export interface Told {
  readonly seed: number;
  readonly trouble: readonly (TroubleKind | RoutineTrouble)[];
  /** What became of occurrences, with how often. */
  readonly occurrences: Readonly<Record<string, number>>;
  readonly broken: readonly string[];
  readonly actions: number;
  readonly sent: number;
  readonly effects: number;
  readonly runs: number;
  readonly events: number;
  /** A line for each action: what it came to. The same seed gives the same lines. */
  readonly story: readonly string[];
}

const startMs = Date.parse('2027-01-01T00:00:00Z');
const agentId = AgentId.parse('agt_00000000000000000000000001');
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** How long people and trouble are at it, and how many things people do. */
const busyMs = 20 * minuteMs;
const deeds = 40;
/** Rounds of clearing the inbox, each followed by a day, within which everybody must be done. */
const roundsMax = 12;

const nameOf = (kind: ContractKind): string => `write_${kind.replace(/[^a-z]/g, '_')}`;
const kindsByTool = new Map(contractKinds.map((kind) => [nameOf(kind), kind] as const));
const tools = [...kindsByTool.keys()];
const kindOf = (tool: string): ContractKind => kindsByTool.get(tool) ?? 'none';
/** One of them cannot be taken back, and always asks. */
const irreversible = nameOf('http');

/** Few objects for many writes, so that look-alikes meet. */
const objects = ['Marta', 'Nils', 'Olga', 'Pia'];

const modelOf = (random: Random): Model => ({
  call: async ({ transcript }) => {
    const spoken = transcript.filter(({ role }) => role === 'agent').length;
    const calls = random.chance(0.6)
      ? Array.from({ length: 1 + random.below(3) }, () => {
          const tool = random.pick(tools);
          return random.chance(0.15)
            ? { name: finderOf(tool), arguments: { name: random.pick(objects) } }
            : { name: tool, arguments: { name: random.pick(objects) } };
        })
      : [];
    return {
      text: `Step after ${spoken}.`,
      calls,
      end: 'whole' as const,
      usage: { callId: `call-${spoken}`, inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 },
      model: 'scripted',
    };
  },
});

/** Swallows what an invocation of a service ends with: whoever called it tries again by itself. */
const quietly = (done: Promise<unknown>): void => void done.catch(() => undefined);

const build = (seed: number, withRoutines: boolean) => {
  const random = randomOf(seed);
  const time = timeline(startMs);
  const trouble = troublesOf(random, time);
  const tokens: Tokens = new Map();
  const revokedAtMs = new Map<string, number>();
  const worlds: World[] = [];
  const there = (): World => {
    const [world] = worlds;
    if (!world) throw new Error('The world has not begun.');
    return world;
  };
  const destination = destinationOf({
    time,
    kind: kindOf,
    behaviour: () => (random.chance(0.5) ? 'writes and answers' : random.pick(behaviours)),
  });
  const machines = machinesOf({
    time,
    tokens,
    world: there,
    onDeath: (name, how) => {
      const ended = segmentOfName(name);
      if (!ended || trouble.strikes('status events lost', 0.5)) return;
      quietly(
        there().invoke('execution-ended', (world) =>
          whenDead(world, ended.runId, ended.segment, how),
        ),
      );
    },
    invoke: (attempt) => {
      const first = attempt();
      if (trouble.strikes('duplicate invocations', 0.1)) quietly(attempt());
      return first;
    },
  });
  const deliverOnce = (outbox: Outbox, tries: number): void => {
    const lateMs = trouble.strikes('stream records late', 0.3) ? random.below(90_000) : 5;
    time.at(time.now() + lateMs, () =>
      quietly(
        there()
          .invoke('publish', (world) => deliver(world, outbox))
          .catch(() => (tries > 1 ? deliverOnce(outbox, tries - 1) : undefined)),
      ),
    );
  };
  const routines = withRoutines ? largeRoutinesOf({ seed, time, world: there, busyMs }) : undefined;
  const world = worldOf({
    time,
    destination,
    ...(routines === undefined
      ? {}
      : { schedules: routines.schedules, onRoutine: routines.onRoutine }),
    model: modelOf(random),
    tools: tools.flatMap((tool) =>
      toolsOf(tool, kindOf(tool), tool === irreversible ? { effect: 'irreversible' } : {}),
    ),
    trouble,
    machine: machines.run,
    recoverMachine: machines.recover,
    tokens,
    onOutbox: (outbox) => {
      if (trouble.strikes('stream records lost', 0.1)) return;
      deliverOnce(outbox, 3);
      if (trouble.strikes('stream records twice', 0.2)) deliverOnce(outbox, 3);
    },
  });
  worlds.push(world);
  const people = peopleOf({ time, world, destination });
  return { random, time, trouble, world, machines, people, destination, revokedAtMs, routines };
};

type Built = ReturnType<typeof build>;

const sweepOnce = async ({ world, time }: Built): Promise<void> => {
  quietly(world.invoke('sweep', (worlds) => sweep(worlds), { timeoutMs: 120_000 }));
  await time.until(time.now() + 1_000);
};

/** A while with its sweeps. */
const pass = async (built: Built, ms: number, everyMs: number): Promise<void> => {
  const endMs = built.time.now() + ms;
  while (built.time.now() < endMs) {
    await built.time.until(built.time.now() + everyMs);
    await sweepOnce(built);
  }
};

const isQuiet = ({ world }: Built): boolean =>
  [...world.store.memory.items.run.values()].every(
    ({ item }) => item.state.status === 'finished',
  ) && world.store.memory.items.outbox.size === 0;

const storyOf = ({ world }: Built): string[] =>
  [...world.store.memory.items.action.values()].map(({ item }) => {
    const { actionId, tool, attempts, effect, disposition, head } = item;
    return `${actionId} ${tool.name}: ${attempts} attempts, ${effect}, ${disposition.kind}, head ${head}`;
  });

const occurrencesOf = ({ world }: Built): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { item } of world.store.memory.items.occurrence.values()) {
    const { outcome } = item;
    const detail =
      outcome.kind === 'fired' ? outcome.how : outcome.kind === 'skipped' ? outcome.because : '';
    const key = `${outcome.kind} ${detail}`.trimEnd();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

export const playLarge = async (seed: number, withRoutines = false): Promise<Told> => {
  const built = build(seed, withRoutines);
  const { random, time, trouble, world, machines, people, destination, revokedAtMs, routines } =
    built;
  const conversations = [1, 2, 3].map((number) =>
    ConversationId.parse(`cnv_${String(number).padStart(26, '0')}`),
  );
  const all = tools.flatMap((tool) => [tool, finderOf(tool)]);
  await world.registry.putAgent(agentOf(workspace, agentId, all, 6));
  for (const conversation of conversations)
    await world.store.createConversation(conversationOf(workspace, conversation, agentId));
  const crowd: Crowd = {
    random,
    time,
    world,
    people,
    machines,
    destination,
    conversations,
    agentId,
    tools,
    onRevoked: (tool) => void (revokedAtMs.has(tool) || revokedAtMs.set(tool, time.now())),
    mayStopExecutions: () => trouble.strikes('executions stopped and taken up again', 1),
  };
  for (const conversation of conversations) await people.say(conversation, 'Go, please.');
  populate(crowd, deeds, busyMs);
  const [spoken] = conversations;
  if (spoken !== undefined) routines?.begin(agentId, spoken);
  await pass(built, busyMs, minuteMs);
  trouble.heal();
  await pass(built, 30 * minuteMs, minuteMs);
  for (let round = 0; round < roundsMax && !isQuiet(built); round += 1) {
    await clearInbox(crowd);
    await pass(built, 10 * minuteMs, minuteMs);
    await pass(built, dayMs, dayMs / 4);
  }
  const judged = {
    store: world.store,
    destination,
    kindOf,
    revokedAtMs: ({ mandate, tool }: Action) =>
      mandate.kind === 'standing' ? revokedAtMs.get(tool.name) : undefined,
    isAtRest: true,
  };
  const broken = await brokenLaws(judged);
  const { run, action, event } = world.store.memory.items;
  const open = [...run.values()].filter(({ item }) => item.state.status !== 'finished');
  const defects = world.complaints.filter((complaint) => complaint.includes('Defect'));
  return {
    seed,
    trouble: [...trouble.kinds, ...(routines?.kinds ?? [])],
    broken: [
      ...broken,
      ...(routines?.broken() ?? []),
      ...defects,
      ...open.map(({ item }) => `L14: ${item.runId} is ${item.state.status} after everything`),
    ],
    actions: action.size,
    sent: destination.sent.length,
    effects: destination.effects.length,
    runs: run.size,
    events: event.size,
    occurrences: occurrencesOf(built),
    story: storyOf(built),
  };
};
