// What the agent has said so far, from events: texts of steps, the last of which may still be growing.
// Owns: the fold that every reader of the live log makes. A stored step's text is the step's; before that, what its newest model
// attempt has streamed.
// Tested in test/functions/api/stream/stream.test.ts.

import type { RunId } from '../base/ids.ts';
import type { EventBody } from '../records/event.ts';

export interface LiveStep {
  readonly step: number;
  /** The model attempt the text belongs to. */
  readonly attempt: string;
  readonly text: string;
  /** Final. */
  readonly stored: boolean;
}
/** Steps by number. */
export type LiveText = ReadonlyMap<number, LiveStep>;

const grown = (before: LiveStep | undefined, more: Omit<LiveStep, 'stored'>): LiveStep => {
  if (before === undefined) return { ...more, stored: false };
  if (before.stored) return before;
  const same = before.attempt === more.attempt;
  return { ...more, text: same ? before.text + more.text : more.text, stored: false };
};

/** The texts of one run after one more event of its conversation. */
export const afterEvent = (texts: LiveText, runId: RunId, event: EventBody): LiveText => {
  if (!('runId' in event) || event.runId !== runId) return texts;
  switch (event.type) {
    case 'text.delta': {
      const { step, attempt, text } = event;
      return new Map(texts).set(step, grown(texts.get(step), { step, attempt, text }));
    }
    case 'text.reset': {
      const before = texts.get(event.step);
      if (before === undefined || before.stored || before.attempt !== event.attempt) return texts;
      const rest = new Map(texts);
      rest.delete(event.step);
      return rest;
    }
    case 'step.stored': {
      const { step, attempt, text } = event;
      return new Map(texts).set(step, { step, attempt, text, stored: true });
    }
    // What was streamed and never stored is no step of the run; whoever streamed it may not have lived to take it back.
    case 'run.finished':
      return new Map([...texts].filter(([, { stored }]) => stored));
    default:
      return texts;
  }
};
