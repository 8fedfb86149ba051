// People of a large world: at times of chance they speak, approve, refuse, claim, decide, stop and take permissions back; at the
// end they clear the inbox. Owns: what they do and when.

import type { ConversationId } from '../../functions/core/base/ids.ts';
import { decisionKinds } from '../../functions/core/recover/desk.ts';
import type { Random } from '../fakes/random.ts';
import { workspace } from './contracts.ts';
import type { Destination } from './destination.ts';
import type { Machines } from './machines.ts';
import { type People, person } from './people.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

export interface Crowd {
  readonly random: Random;
  readonly time: Timeline;
  readonly world: World;
  readonly people: People;
  readonly machines: Machines;
  readonly destination: Destination;
  readonly conversations: readonly ConversationId[];
  readonly agentId: string;
  readonly tools: readonly string[];
  /** Notes when a tool's standing permission was taken back. */
  readonly onRevoked: (tool: string) => void;
  readonly mayStopExecutions: () => boolean;
}

const names = ['ben', 'cleo', 'dina'].map(person);

const openRuns = ({ world }: Crowd) =>
  [...world.store.memory.items.run.values()].filter(({ item }) => item.state.status !== 'finished');

const answerOne = async (crowd: Crowd): Promise<void> => {
  const { people, random } = crowd;
  const shown = people.inbox();
  if (shown.length === 0) return;
  const { item } = random.pick(shown);
  const by = random.pick(names);
  if (item.on === 'approval') {
    await people.approve(item.requestId, by, random.chance(0.8));
    return;
  }
  await people.claim(item.actionId, by, 60_000 + random.below(600_000));
  if (random.chance(0.8)) await people.decideOn(item.actionId, random.pick(decisionKinds), by);
};

const stopOrRedrive = ({ machines, random, mayStopExecutions }: Crowd): void => {
  if (!mayStopExecutions()) return;
  const all = [...machines.executions.keys()];
  if (all.length === 0) return;
  const name = random.pick(all);
  if (machines.executions.get(name) === 'running') machines.stop(name);
  else machines.redrive(name);
};

/** One thing that somebody does. */
const act = async (crowd: Crowd): Promise<void> => {
  const { people, random, conversations, agentId, tools, onRevoked } = crowd;
  const what = random.fraction();
  if (what < 0.35) await people.say(random.pick(conversations), 'And this, please.');
  else if (what < 0.85) await answerOne(crowd);
  else if (what < 0.9) {
    const runs = openRuns(crowd);
    if (runs.length > 0) await people.stop(random.pick(runs).item.runId, random.pick(names));
  } else if (what < 0.93) {
    const tool = random.pick(tools);
    people.revoke(workspace, agentId, tool);
    onRevoked(tool);
  } else stopOrRedrive(crowd);
};

/** Schedules what people do over a while. */
export const populate = (crowd: Crowd, deeds: number, overMs: number): void => {
  const { time, random } = crowd;
  for (let deed = 0; deed < deeds; deed += 1)
    time.at(time.now() + random.below(overMs), () => {
      // Somebody may lose forty times against the machines: then they try again later, or not.
      act(crowd).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'TryAgain') throw error;
      });
    });
};

/** Answers everything that is shown: what is there is attached, what is not there is stated. */
export const clearInbox = async ({ people, destination }: Crowd): Promise<void> => {
  const by = person('eva');
  for (const { item } of people.inbox()) {
    if (item.on === 'approval') {
      await people.approve(item.requestId, by, false);
      continue;
    }
    const isThere = destination.effects.some(({ reference }) => reference === item.actionId);
    await people.claim(item.actionId, by);
    await people.look(item.actionId, by);
    await people.decideOn(item.actionId, isThere ? 'attach' : 'not_performed', by);
  }
};
