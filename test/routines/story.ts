// Routines over the real adapters on the DynamoDB twin in memory, at a time of the test's choosing.
// Owns: making them, delivering what is due, and ending their runs as the machine would.

import { type AgentId, RoutineId, RunId } from '../../functions/core/base/ids.ts';
import type { Occurrence } from '../../functions/core/records/routine.ts';
import type { RunEnd } from '../../functions/core/records/run.ts';
import { finishRun } from '../../functions/core/turn/finish.ts';
import { fireDue } from '../../functions/routine/fire.ts';
import type { FiringWorld } from '../../functions/routine/firing.ts';
import { makeRoutine } from '../functions/api/problems/routine-cases.ts';
import { openRig, type Rig } from '../functions/api/rig.ts';
import { type Begun, begin, commit, here } from '../functions/api/story.ts';

export interface Ground extends Begun {
  readonly rig: Rig;
}

/** At an instant, with an agent and a conversation. Time goes on from there as it really does. */
export const openAt = async (iso: string): Promise<Ground> => {
  const rig = await openRig();
  turnTo(rig, iso);
  return { rig, ...(await begin(rig)) };
};

export const turnTo = (rig: Rig, iso: string): void => rig.turnClock(Date.parse(iso) - rig.now());

export const daily = async (
  { rig, agentId }: { readonly rig: Rig; readonly agentId: AgentId },
  more: object = {},
): Promise<RoutineId> => RoutineId.parse(await makeRoutine(rig, agentId, more));

/** What the Scheduler sends when that time is due. */
export const deliver = (
  rig: Rig,
  routineId: RoutineId,
  scheduledTime: string,
  change: Partial<FiringWorld> = {},
): Promise<Occurrence | undefined> =>
  fireDue({ ...rig.world, ...change }, { schema: 1, routineId, scheduledTime });

/** The records, oldest due first: `08:00 fired started`. */
export const historyOf = async (rig: Rig, routineId: RoutineId): Promise<string[]> => {
  const { items } = await rig.world.routines.history(routineId, 100);
  return items.toReversed().map(({ dueAt, outcome }) => {
    const detail =
      outcome.kind === 'fired'
        ? ` ${outcome.how}`
        : outcome.kind === 'skipped'
          ? ` ${outcome.because}`
          : '';
    return `${dueAt.slice(5, 16)} ${outcome.kind}${detail}`;
  });
};

/** Runs of the workspace, over all its conversations. */
export const runsIn = async (rig: Rig): Promise<string[]> => {
  const { items } = await rig.world.store.conversationsOf('acme', 100);
  const runs = await Promise.all(
    items.map(({ conversationId }) => rig.world.store.runsOf(conversationId, 100)),
  );
  return runs.flat().map(({ runId }) => runId);
};

/** The run ends as Finish ends it. */
export const finish = async (rig: Rig, runId: string, reason: RunEnd = 'done'): Promise<void> => {
  const { conversation, run } = await here(rig, RunId.parse(runId));
  const agent = await rig.world.registry.newestAgent('acme', run.item.agentId);
  if (agent === undefined) throw new Error('The agent is gone.');
  // The run has read what was said to it.
  const read = { ...conversation, item: { ...conversation.item, pending: [] } };
  const finished = finishRun({
    conversation: read,
    run,
    pending: [],
    requests: [],
    actions: [],
    agent,
    reason,
    detail: undefined,
    nextRunId: RunId.parse(`run_${rig.world.minter.suffix()}`),
    nowIso: new Date(rig.now()).toISOString(),
  });
  if (finished.kind !== 'change') throw new Error(`The run did not end: ${finished.kind}.`);
  await commit(rig, finished.change);
};

export const firedRun = (occurrence: Occurrence | undefined) => {
  if (occurrence?.outcome.kind !== 'fired')
    throw new Error(`It did not fire: ${JSON.stringify(occurrence?.outcome)}.`);
  return occurrence.outcome;
};
