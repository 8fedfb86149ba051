// A message that supersedes: the run stops waiting for people and reads it at once. Owns: joining the message with the release
// of what was waited for, as one change. Laws: L11, L12, L16.
// Tested in test/functions/run/release.test.ts.

import { type Releasing, releaseAlone, releaseRequests } from '../pausing/release.ts';
import { orderSegment } from '../pausing/waiting.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Run } from '../records/run.ts';
import { toldSuperseded } from '../records/told.ts';
import type { Posted } from './post-message.ts';

export interface Superseding extends Omit<Releasing, 'because' | 'unsent'> {
  readonly run: Versioned<Run>;
  /** The posting of the message itself. */
  readonly posted: Extract<Posted, { kind: 'change' }>;
}

/**
 * Nothing to supersede (the run is not waiting): the message is posted as any other. `first`: more is waited for than fits beside
 * the message; this goes in, then ask again, so that the message is never there with a run that goes on waiting.
 */
export const supersede = (
  superseding: Superseding,
): { readonly change: Change; readonly first: boolean } => {
  const { posted, run, by } = superseding;
  if (run.item.state.status !== 'waiting') return { change: posted.change, first: false };
  const released = releaseRequests({
    ...superseding,
    because: `${by.name} went on with a new message.`,
    unsent: toldSuperseded,
  });
  const { conversation } = posted.change;
  if (released.more)
    return { change: releaseAlone({ ...superseding, conversation }, released), first: true };
  const ordered = orderSegment({
    ...run.item,
    state: { status: 'running' },
    wakeNo: run.item.wakeNo + 1,
  });
  const { change } = posted;
  const whole: Change = {
    ...change,
    conversationNext: released.conversation(change.conversationNext ?? change.conversation.item),
    events: [...change.events, ...released.events, { type: 'run.resumed', runId: run.item.runId }],
    writes: [
      ...change.writes,
      { do: 'replace', kind: 'run', item: ordered.run, rev: run.rev },
      ...released.writes,
    ],
    wakes: released.wakes,
    inward: [...(change.inward ?? []), ...released.inward],
    recoveries: released.recoveries,
    starts: [...(change.starts ?? []), ...ordered.starts],
  };
  return { change: whole, first: false };
};
