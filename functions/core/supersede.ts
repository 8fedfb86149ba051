// A message that supersedes: the run stops waiting for people and reads it at once. Owns: joining the message with the release
// of what was waited for, as one change. Laws: L11, L12, L16.
import type { Change, Versioned } from './change.ts';
import type { Posted } from './post-message.ts';
import { type Releasing, releaseRequests } from './release.ts';
import type { Run } from './run.ts';
import { toldSuperseded } from './told.ts';
import { orderSegment } from './waiting.ts';

export interface Superseding extends Omit<Releasing, 'because' | 'unsent'> {
  readonly run: Versioned<Run>;
  /** The posting of the message itself. */
  readonly posted: Extract<Posted, { kind: 'change' }>;
}

/** Nothing to supersede (the run is not waiting): the message is posted as any other. */
export const supersede = (superseding: Superseding): Change => {
  const { posted, run, by } = superseding;
  if (run.item.state.status !== 'waiting') return posted.change;
  const released = releaseRequests({
    ...superseding,
    because: `${by.name} went on with a new message.`,
    unsent: toldSuperseded,
  });
  const ordered = orderSegment({
    ...run.item,
    state: { status: 'running' },
    wakeNo: run.item.wakeNo + 1,
  });
  const { change } = posted;
  return {
    ...change,
    conversationNext: released.conversation(change.conversationNext ?? change.conversation.item),
    events: [...change.events, ...released.events, { type: 'run.resumed', runId: run.item.runId }],
    writes: [
      ...change.writes,
      { do: 'replace', kind: 'run', item: ordered.run, rev: run.rev },
      ...released.writes,
    ],
    wakes: released.wakes,
    starts: [...(change.starts ?? []), ...ordered.starts],
  };
};
