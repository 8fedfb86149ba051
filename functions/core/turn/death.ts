// An execution ended without Finish or Park: by hand in the console, or by failing. Owns: what the run does then.
// Laws: L11 (the conversation is never blocked for ever), L14 (it says why).
// Tested in test/functions/sweep.test.ts.

import { deathsMax } from '../base/limits.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import { isEnded, type Run } from '../records/run.ts';

export type AfterDeath =
  | { readonly kind: 'nothing' }
  /** The run goes on in a new segment. */
  | { readonly kind: 'change'; readonly change: Change }
  /** Finish the run with this reason. */
  | { readonly kind: 'finish'; readonly reason: 'stopped' | 'failed'; readonly detail: string };

export const afterDeath = (
  conversation: Versioned<Conversation>,
  run: Versioned<Run>,
  segment: number,
  how: 'stopped' | 'failed',
): AfterDeath => {
  const { item } = run;
  if (isEnded(item) || item.parked || item.segment !== segment) return { kind: 'nothing' };
  if (how === 'stopped')
    return {
      kind: 'finish',
      reason: 'stopped',
      detail: 'Its execution was stopped in the console.',
    };
  if (item.deaths + 1 >= deathsMax)
    return {
      kind: 'finish',
      reason: 'failed',
      detail: `Its execution died ${item.deaths + 1} times without getting further. What was sent stays listed with what is known; only a person’s decision sends it again. Messages that waited are held. Send the message again to start a new run.`,
    };
  const next = item.segment + 1;
  return {
    kind: 'change',
    change: {
      conversation,
      events: [{ type: 'run.continued', runId: item.runId, segment: next }],
      writes: [
        {
          do: 'replace',
          kind: 'run',
          rev: run.rev,
          item: { ...item, segment: next, segmentEvents: 0, deaths: item.deaths + 1 },
        },
      ],
      starts: [{ runId: item.runId, segment: next }],
    },
  };
};
