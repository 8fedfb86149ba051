// ExecutionEnded: EventBridge says that an execution failed, timed out or was stopped. Best effort; the sweep covers the lost ones.
// Laws: L11, L14.
import { z } from 'zod';
import { RunId } from '../core/base/ids.ts';
import {
  type EventsWorld,
  eventsWorld,
  lambdaHandler,
  lazily,
  type Substrate,
} from '../wiring/events.ts';
import { whenDead } from './after-death.ts';

/** The detail of a "Step Functions Execution Status Change" event, as far as it is used. */
export const StatusChange = z.object({
  detail: z.object({ name: z.string(), status: z.string() }),
});
export type StatusChange = z.infer<typeof StatusChange>;

/** `run_…` is segment 1, `run_…-s2` segment 2; other names are not ours. */
export const segmentOfName = (
  name: string,
): { readonly runId: RunId; readonly segment: number } | undefined => {
  const [id, suffix] = name.split('-s');
  const runId = RunId.safeParse(id);
  const segment = suffix === undefined ? 1 : Number(suffix);
  return runId.success && Number.isSafeInteger(segment) && segment > 0
    ? { runId: runId.data, segment }
    : undefined;
};

export const executionEnded = async (world: EventsWorld, input: StatusChange) => {
  const ended = segmentOfName(input.detail.name);
  const { status } = input.detail;
  if (!ended || !['FAILED', 'TIMED_OUT', 'ABORTED'].includes(status)) return 'nothing' as const;
  const how = status === 'ABORTED' ? 'stopped' : 'failed';
  return whenDead(world, ended.runId, ended.segment, how);
};

export const handlerFor = (substrate: Substrate) => {
  const world = eventsWorld(substrate);
  return lambdaHandler(StatusChange, substrate.log, async (input) => ({
    did: await executionEnded(world, input),
  }));
};
export const handler = lazily(handlerFor);
