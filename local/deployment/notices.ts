// What an installation says about itself: notifications, which the stack's topic sends to people, and the product's own
// figures, which CloudWatch draws. Owns: the newest of both, in memory; each notification is a line of the log as well.
import type { Figures, Measures } from '../../functions/ports/measures.ts';
import type { Log } from '../../functions/ports/world.ts';
import type { TwinClock } from '../base/clock.ts';

export interface Notice {
  /** ISO 8601. */
  readonly at: string;
  /** The bus event, as the topic's subscribers would get it. */
  readonly event: unknown;
}

export interface Notices {
  readonly measures: Measures;
  /** Takes what the topic would send on: JSON text of the bus event. */
  notify(message: string): void;
  /** Oldest first; the figures are the last reported ones. */
  newest(): { readonly notifications: readonly Notice[]; readonly figures: Figures };
}

const keptMax = 200;

export const noticesTo = (log: Log, clock: TwinClock): Notices => {
  const kept: Notice[] = [];
  let figures: Figures = {};
  return {
    measures: {
      put: (reported) => {
        figures = { ...figures, ...reported };
      },
    },
    notify: (message) => {
      const event: unknown = JSON.parse(message);
      kept.push({ at: new Date(clock.now()).toISOString(), event });
      if (kept.length > keptMax) kept.shift();
      log.info('Notification: somebody is needed.', { event });
    },
    newest: () => ({ notifications: [...kept], figures }),
  };
};
