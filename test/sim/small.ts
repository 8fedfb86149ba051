// One small world: a conversation, a run, one write; one crash, one behaviour of the destination, one contract, one decision of a
// person, one revocation. Owns: playing it to its rest and what there is to choose from.

import type { CrashPoint } from '../../functions/core/base/crash-points.ts';
import { AgentId, ConversationId } from '../../functions/core/base/ids.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { DecisionKind } from '../../functions/core/recover/desk.ts';
import { deliver } from '../../functions/events/deliver.ts';
import type { Model } from '../../functions/ports/model.ts';
import { whenDead } from '../../functions/sweep/after-death.ts';
import { segmentOfName } from '../../functions/sweep/execution-ended.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { agentOf, conversationOf } from '../fakes/items.ts';
import type { Tokens } from '../fakes/memory-deliveries.ts';
import { type ContractKind, toolsOf, workspace } from './contracts.ts';
import { type Behaviour, destinationOf } from './destination.ts';
import { brokenLaws } from './laws.ts';
import { type Machines, machinesOf } from './machines.ts';
import { ana, type People, peopleOf } from './people.ts';
import { timeline } from './timeline.ts';
import { noTrouble, type World, worldOf } from './world.ts';

export interface Crash {
  readonly point: CrashPoint;
  /** The first pass is 1. */
  readonly pass: number;
}

export const revocations = ['none', 'before the first attempt', 'after the first byte'] as const;
export type Revocation = (typeof revocations)[number];

export interface Small {
  readonly crash: Crash | undefined;
  readonly behaviour: Behaviour;
  readonly contract: ContractKind;
  readonly decision: DecisionKind | undefined;
  readonly revocation: Revocation;
  /** The write cannot be taken back: somebody approves it, or says no. Default: it may run at once. */
  readonly gate?: 'approved' | 'refused';
}

export interface Played {
  readonly broken: readonly string[];
  /** Somebody had to decide. */
  readonly asked: boolean;
  readonly crashed: boolean;
  readonly effects: number;
  /** What the person's decision came to. */
  readonly decided: string | undefined;
  readonly effect: string;
  readonly told: string | undefined;
}

export const startMs = Date.parse('2027-01-01T00:00:00Z');
const agentId = AgentId.parse('agt_00000000000000000000000001');
const conversationId = ConversationId.parse('cnv_00000000000000000000000001');

/** One write, then an answer. */
const model: Model = {
  call: async ({ transcript }) => {
    const spoke = transcript.some(({ role }) => role === 'agent');
    return {
      text: spoke ? 'That is what became of it.' : 'I write.',
      calls: spoke ? [] : [{ name: 'write', arguments: { name: 'Marta' } }],
      end: 'whole' as const,
      usage: { callId: 'call', inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 },
      model: 'scripted',
    };
  },
};

/** Only the first call is treated so, unless the behaviour says "every" or "never". */
const lasts = (behaviour: Behaviour): boolean =>
  behaviour === 'writes, and every reply is lost' || behaviour === 'is never reached';

/** Sweeps of one rest; what none of them can move is stuck. */
const sweepsMax = 4;

interface Running {
  readonly world: World;
  readonly machines: Machines;
  readonly people: People;
  readonly time: ReturnType<typeof timeline>;
}

/** Runs until nothing moves, with the sweep as often as it finds something. */
const rest = async ({ world, time }: Running): Promise<void> => {
  await time.rest();
  for (let sweeps = 0; sweeps < sweepsMax; sweeps += 1) {
    await time.until(time.now() + 60_000);
    await world.invoke('sweep', (worlds) => sweep(worlds)).catch(() => undefined);
    await time.rest();
    if (world.store.memory.items.outbox.size === 0) return;
  }
};

/** Whoever is asked for an approval gives the answer of this world. */
const personApproves = async ({ people }: Running, { gate }: Small): Promise<void> => {
  for (const { item } of people.inbox())
    if (item.on === 'approval') await people.approve(item.requestId, ana, gate !== 'refused');
};

const personDecides = async (
  { people }: Running,
  decision: DecisionKind | undefined,
): Promise<string | undefined> => {
  const asked = people.inbox().find(({ item }) => item.on === 'recovery')?.item;
  if (!asked || decision === undefined) return undefined;
  await people.claim(asked.actionId, ana);
  const came = await people.decideOn(asked.actionId, decision, ana);
  for (const { item } of people.inbox())
    if (item.on === 'approval') await people.approve(item.requestId, ana);
  return came;
};

export const playSmall = async (small: Small): Promise<Played> => {
  const time = timeline(startMs);
  const tokens: Tokens = new Map();
  let crashed = false;
  let passes = 0;
  let sends = 0;
  let revokedAtMs: number | undefined;
  let running: Running | undefined;
  const there = (): Running => {
    if (!running) throw new Error('The world has not begun.');
    return running;
  };
  const revoke = (): void => {
    if (revokedAtMs !== undefined) return;
    revokedAtMs = time.now();
    there().people.revoke(workspace, agentId, 'write');
    there().people.revokeApprovals();
  };
  const destination = destinationOf({
    time,
    kind: () => small.contract,
    behaviour: () => {
      sends += 1;
      return sends === 1 || lasts(small.behaviour) ? small.behaviour : 'writes and answers';
    },
    onSent: () => (small.revocation === 'after the first byte' ? revoke() : undefined),
  });
  const publish = (attempt: number, run: () => Promise<void>): void =>
    void time.at(time.now() + (attempt === 1 ? 5 : 1_000), () => {
      run().catch(() => (attempt < 3 ? publish(attempt + 1, run) : undefined));
    });
  const machines = machinesOf({
    time,
    tokens,
    world: () => there().world,
    onDeath: (name, how) => {
      const ended = segmentOfName(name);
      if (ended)
        void there().world.invoke('execution-ended', (worlds) =>
          whenDead(worlds, ended.runId, ended.segment, how),
        );
    },
  });
  const world = worldOf({
    time,
    destination,
    model,
    tools: toolsOf('write', small.contract, small.gate ? { effect: 'irreversible' } : {}),
    trouble: {
      ...noTrouble,
      crashes: (point) => {
        if (point !== small.crash?.point) return false;
        passes += 1;
        crashed ||= passes === small.crash.pass;
        return passes === small.crash.pass;
      },
    },
    machine: machines.run,
    recoverMachine: machines.recover,
    tokens,
    onOutbox: (outbox) =>
      publish(1, () => there().world.invoke('publish', (worlds) => deliver(worlds, outbox))),
  });
  running = { world, machines, time, people: peopleOf({ time, world, destination }) };
  await world.registry.putAgent(agentOf(workspace, agentId, ['write']));
  await world.store.createConversation(conversationOf(workspace, conversationId, agentId));
  if (small.revocation === 'before the first attempt') revoke();
  await running.people.say(conversationId, 'Write it, please.');
  await rest(running);
  if (small.gate) {
    await personApproves(running, small);
    if (small.revocation === 'before the first attempt') running.people.revokeApprovals();
    await rest(running);
  }
  const judged = {
    store: world.store,
    destination,
    kindOf: () => small.contract,
    // A reissue has an approval of its own.
    revokedAtMs: ({ reissueOf }: Action) => (reissueOf === undefined ? revokedAtMs : undefined),
    isAtRest: true,
  };
  const before = await brokenLaws(judged);
  const asked = running.people.inbox().length > 0;
  const decided = await personDecides(running, small.decision);
  await rest(running);
  const after = decided === undefined ? [] : await brokenLaws(judged);
  const [action] = [...world.store.memory.items.action.values()];
  return {
    broken: [...new Set([...before, ...after, ...world.complaints])],
    asked,
    crashed,
    effects: destination.effects.length,
    decided,
    effect: action?.item.effect ?? 'none',
    told: action?.item.told?.text,
  };
};
