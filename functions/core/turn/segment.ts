// A run that goes on in another execution: admitted with a higher fence, continued by event budget, or parked until somebody
// answers. Owns: fence, segment and parking. Laws: L11 (one execution may write), L12 (a pause of a year), L17.
// Tested in test/core/turn/runs.test.ts.
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { PersonRequest } from '../records/request.ts';
import { isEnded, type Run } from '../records/run.ts';

export type Admission =
  | { readonly kind: 'change'; readonly run: Run }
  /** This segment was admitted before: the same answer again. */
  | { readonly kind: 'already'; readonly run: Run }
  /** A newer segment exists, or the run is over. */
  | { readonly kind: 'refused'; readonly because: 'superseded' | 'ended' };

export const admit = (run: Run, segment: number): Admission => {
  if (isEnded(run)) return { kind: 'refused', because: 'ended' };
  if (run.fence > segment || run.segment > segment)
    return { kind: 'refused', because: 'superseded' };
  if (run.fence === segment) return { kind: 'already', run };
  return { kind: 'change', run: { ...run, fence: segment, parked: false } };
};

export type Continued =
  | { readonly kind: 'change'; readonly change: Change; readonly to: 'continued' | 'parked' }
  | { readonly kind: 'already' };

const continued = (conversation: Versioned<Conversation>, run: Versioned<Run>): Continued => {
  const segment = run.item.segment + 1;
  return {
    kind: 'change',
    to: 'continued',
    change: {
      conversation,
      events: [{ type: 'run.continued', runId: run.item.runId, segment }],
      writes: [
        {
          do: 'replace',
          kind: 'run',
          item: { ...run.item, segment, segmentEvents: 0, parked: false },
          rev: run.rev,
        },
      ],
      starts: [{ runId: run.item.runId, segment }],
    },
  };
};

/**
 * Ends this execution. By budget, or when any of the requests it waited for is decided: the next segment is ordered. Else the
 * run parks; the run's revision makes that conditional on no answer having raised `wakeNo` meanwhile.
 */
export const continueOrPark = (
  conversation: Versioned<Conversation>,
  run: Versioned<Run>,
  segment: number,
  why: 'budget' | 'waiting',
  requests: readonly PersonRequest[],
): Continued => {
  const { item } = run;
  if (isEnded(item) || item.segment > segment) return { kind: 'already' };
  const freed =
    item.state.status !== 'waiting' ||
    requests.some((request) => request.decision !== undefined || request.released === true);
  if (why === 'budget' || freed) return continued(conversation, run);
  return {
    kind: 'change',
    to: 'parked',
    change: {
      conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'run', item: { ...item, parked: true }, rev: run.rev }],
    },
  };
};
