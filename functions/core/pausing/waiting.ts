// How requests block and free a run: one place, so that status, event and blocking ids always agree.
// Owns: run.waiting and run.resumed. Laws: L12 (each answer raises wakeNo), L14.
// Tested in test/core/margins.test.ts.

import type { RequestId } from '../base/ids.ts';
import type { Versioned, Write } from '../records/change.ts';
import type { EventBody } from '../records/event.ts';
import { type Run, type WaitingOn, withBlocking } from '../records/run.ts';

export interface Opened {
  readonly on: WaitingOn;
  readonly requestId: RequestId;
}

/** The run after requests opened and closed, with the event that says so when its status changed. */
export const blockRun = (
  run: Run,
  opened: readonly Opened[],
  closed: readonly RequestId[],
  nowIso: string,
): { readonly run: Run; readonly events: EventBody[] } => {
  const state = withBlocking(run.state, opened, closed, nowIso);
  const next: Run = { ...run, state, wakeNo: run.wakeNo + (closed.length > 0 ? 1 : 0) };
  if (state.status === 'waiting' && opened.length > 0)
    return {
      run: next,
      events: [{ type: 'run.waiting', runId: run.runId, blocking: [...state.blocking] }],
    };
  if (state.status === 'running' && run.state.status === 'waiting')
    return { run: next, events: [{ type: 'run.resumed', runId: run.runId }] };
  return { run: next, events: [] };
};

/** A run that is parked has no execution: whoever frees it orders the next segment. */
export const orderSegment = (
  run: Run,
): {
  readonly run: Run;
  readonly starts: { readonly runId: Run['runId']; readonly segment: number }[];
} =>
  run.parked
    ? {
        run: { ...run, parked: false, segment: run.segment + 1, segmentEvents: 0 },
        starts: [{ runId: run.runId, segment: run.segment + 1 }],
      }
    : { run, starts: [] };

/** Replaces the run if it is still its conversation's business; a finished run is left alone. */
export const replaceRun = (before: Versioned<Run>, next: Run): Write[] =>
  before.item.state.status === 'finished'
    ? []
    : [{ do: 'replace', kind: 'run', item: next, rev: before.rev }];
