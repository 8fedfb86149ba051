// A person stops a run: nothing new is sent, what waits for a person is voided, what was sent is settled or listed. What one
// transaction cannot void is voided by the next, or, should nobody go on, call by call by Perform. Owns: those changes.
// Laws: L7 (after a stop only a person's decision opens an attempt), L13, L16.
// Tested in test/core/turn/runs.test.ts.
import type { Action } from '../records/action.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { PersonRequest } from '../records/request.ts';
import { mayChange, type Run, stopRequested } from '../records/run.ts';
import { toldStopped } from '../records/told.ts';
import { system } from './close-request.ts';
import { type Releasing, releaseAlone, releaseRequests } from './release.ts';

export interface Stopping extends Omit<Releasing, 'because' | 'unsent'> {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
}

export type Stopped =
  | {
      readonly kind: 'change';
      readonly change: Change;
      readonly run: Run;
      /** Calls are left whose requests did not fit: stop it again, for the rest. */
      readonly more: boolean;
    }
  /** Already stopping or over: nothing to do, and that is no error. */
  | { readonly kind: 'unchanged'; readonly run: Run };

/** What is left of a stop: calls whose requests did not fit beside it. */
const goOnStopping = (stopping: Stopping): Stopped => {
  const { run } = stopping;
  const released = releaseRequests({
    ...stopping,
    because: `${stopping.by.name} stopped the run.`,
    unsent: toldStopped,
  });
  return released.writes.length === 0
    ? { kind: 'unchanged', run: run.item }
    : {
        kind: 'change',
        run: run.item,
        more: released.more,
        change: releaseAlone(stopping, released),
      };
};

export const stopRun = (stopping: Stopping): Stopped => {
  const before = stopping.run.item;
  if (stopRequested(before)) return goOnStopping(stopping);
  if (!mayChange(before.state.status, 'stop')) return { kind: 'unchanged', run: before };
  const released = releaseRequests({
    ...stopping,
    because: `${stopping.by.name} stopped the run.`,
    unsent: toldStopped,
  });
  const segment = before.parked ? before.segment + 1 : before.segment;
  const run: Run = {
    ...before,
    state: { status: 'stopping', by: stopping.by.name, since: stopping.nowIso, blocking: [] },
    wakeNo: before.wakeNo + 1,
    parked: false,
    segment,
  };
  return {
    kind: 'change',
    run,
    more: released.more,
    change: {
      conversation: stopping.conversation,
      conversationNext: released.conversation(stopping.conversation.item),
      events: [
        { type: 'run.stopping', runId: run.runId, by: stopping.by.name },
        ...released.events,
      ],
      writes: [
        { do: 'replace', kind: 'run', item: run, rev: stopping.run.rev },
        ...released.writes,
      ],
      // Also those that are left: should nobody go on with the stop, Perform frees them.
      wakes: [...released.wakes, ...released.left],
      inward: released.inward,
      recoveries: released.recoveries,
      starts: before.parked ? [{ runId: run.runId, segment }] : [],
    },
  };
};

/** One call of a stopping or ended run whose request is still open: the request is voided, and the call gets its result. */
export const releaseOne = (
  stand: Pick<Stopping, 'conversation' | 'run' | 'nowIso' | 'known'> & {
    readonly action: Versioned<Action>;
    readonly request: Versioned<PersonRequest> | undefined;
  },
): Change =>
  releaseAlone(
    stand,
    releaseRequests({
      requests: stand.request === undefined ? [] : [stand.request],
      actions: [stand.action],
      ...(stand.known === undefined ? {} : { known: stand.known }),
      by: system,
      because: 'The run was stopped.',
      unsent: toldStopped,
      nowIso: stand.nowIso,
    }),
  );
