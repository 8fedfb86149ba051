// The loop around every decision: read, decide, commit; when somebody else was faster, read again and decide again.
// Owns: the retry and its jitter. It imports no adapter: store, clock and randomness are handed in.
// Tested in test/functions/api/http/concurrency.test.ts.

import { TryAgain } from '../base/errors.ts';
import { conflictTriesMax } from '../base/limits.ts';
import type { Change } from './change.ts';

/** What a round decided: a change to commit, or an answer that needs none. */
export type Round<Answer> =
  | { readonly kind: 'commit'; readonly change: Change; readonly answer: Answer }
  | { readonly kind: 'answer'; readonly answer: Answer };

export interface Deciding<Answer> {
  round(): Promise<Round<Answer>>;
  commit(
    change: Change,
  ): Promise<
    | { readonly kind: 'done' }
    | { readonly kind: 'conflict'; readonly on: string }
    | { readonly kind: 'refused'; readonly guard: string }
  >;
  /** What a guard that does not hold means; returning undefined decides again. */
  refused?(guard: string): Promise<Answer | undefined> | Answer | undefined;
  pause(ms: number): Promise<void>;
  fraction(): number;
}

/** First pause between two tries; it doubles up to the second. With jitter, so that rivals part. */
const pauseFirstMs = 2;
const pauseMostMs = 250;

/** Throws TryAgain when it lost against rivals too often: nothing was written. */
export const decide = async <Answer>(deciding: Deciding<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const decided = await deciding.round();
    if (decided.kind === 'answer') return decided.answer;
    const committed = await deciding.commit(decided.change);
    if (committed.kind === 'done') return decided.answer;
    if (committed.kind === 'refused') {
      const answer = await deciding.refused?.(committed.guard);
      if (answer !== undefined) return answer;
    }
    if (tries >= conflictTriesMax) {
      const on = committed.kind === 'conflict' ? committed.on : committed.guard;
      throw new TryAgain(
        `Lost ${tries} times against other writers (last: ${on}). Nothing was written.`,
      );
    }
    await deciding.pause(deciding.fraction() * Math.min(pauseMostMs, pauseFirstMs * 2 ** tries));
  }
};
