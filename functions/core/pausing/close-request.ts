// Closes a request once: the decision, the run that is freed by it, and the wake-up that is only a wake-up.
// Owns: that part of a change. Laws: L12 (the answer is recorded first), L13 (once, by a named identity), L17.
// Tested in test/core/answers/answers.test.ts.

import type { Author } from '../base/author.ts';
import type { RequestId, RunId } from '../base/ids.ts';
import type { Versioned, Write } from '../records/change.ts';
import type { EventBody } from '../records/event.ts';
import type { PersonRequest, RequestDecision } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { blockRun, orderSegment, replaceRun } from './waiting.ts';

/** Decisions that nobody took by hand are the system's. */
export const system: Author = { kind: 'machine', subject: 'reprise', name: 'Reprise' };

export interface Closing {
  readonly request: Versioned<PersonRequest>;
  readonly decision: RequestDecision;
}

/** A recovery that the machine settled by itself was never shown as opened, and is not shown as closed. */
const wasShown = ({ request: { item } }: Closing): boolean =>
  item.on !== 'recovery' || item.needsPerson;

export interface Closed {
  readonly writes: Write[];
  readonly events: EventBody[];
  readonly wakes: RequestId[];
  readonly starts: { readonly runId: RunId; readonly segment: number }[];
}

export const nothingClosed: Closed = { writes: [], events: [], wakes: [], starts: [] };

/** Closes one or more requests of a run. Those already decided are left as they are. */
export const closeRequests = (
  run: Versioned<Run>,
  closings: readonly Closing[],
  by: Author,
  nowIso: string,
): Closed => {
  const open = closings.filter(({ request }) => request.item.decision === undefined);
  const ids = open.map(({ request }) => request.item.requestId);
  const freed = blockRun(run.item, [], ids, nowIso);
  // A decision is progress: deaths are counted from it anew.
  const ordered = orderSegment({ ...freed.run, deaths: 0 });
  const live = run.item.state.status !== 'finished';
  return {
    writes: [
      ...open.map(
        ({ request, decision }): Write => ({
          do: 'replace',
          kind: 'request',
          rev: request.rev,
          item: { ...request.item, decision, decidedAt: nowIso, decidedBy: by },
        }),
      ),
      ...(ids.length > 0 ? replaceRun(run, ordered.run) : []),
    ],
    events: [
      ...open.filter(wasShown).map(
        ({ request, decision }): EventBody => ({
          type: 'request.closed',
          runId: request.item.runId,
          requestId: request.item.requestId,
          decision: decision.kind,
          by: by.name,
        }),
      ),
      ...(live ? freed.events : []),
    ],
    wakes: live ? ids : [],
    starts: live && ids.length > 0 ? ordered.starts : [],
  };
};
