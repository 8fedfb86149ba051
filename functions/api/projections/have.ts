// What a client shows already of a strand, so that after an answer the same stream goes on instead of being told from its
// beginning. The client says so itself: it only spares it a repetition; nothing is decided from it.
// Owns: which beats are spared.
// Tested in test/functions/api/clients/strand.test.ts.
import type { Beat, StepOf } from './beat.ts';

export interface Have {
  readonly step: (step: StepOf) => boolean;
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
  /** Requests that it shows; an answer to any other would mean nothing to it. */
  readonly requests: ReadonlySet<string>;
  /** Others' messages. */
  readonly said: ReadonlySet<string>;
}

export const hasNothing: Have = {
  step: () => false,
  calls: new Set(),
  results: new Set(),
  requests: new Set(),
  said: new Set(),
};

/** Whether the client needs to be told. */
const isNews = (have: Have, beat: Beat): boolean => {
  switch (beat.beat) {
    case 'step-began':
    case 'step-ended':
    case 'text':
    case 'text-ended':
    case 'text-dropped':
      return !have.step(beat.step);
    case 'call':
      return !have.calls.has(beat.callId);
    case 'result':
      return !have.results.has(beat.callId);
    case 'asked': {
      const { requestId, actionId, decision } = beat.request;
      const past = have.calls.has(actionId) && decision !== undefined;
      return !have.requests.has(requestId) && !past;
    }
    case 'decided':
      return have.requests.has(beat.request.requestId);
    case 'said':
      return !have.said.has(beat.messageId);
    case 'effect':
    case 'paused':
    case 'ended':
      return true;
  }
};

/** Whether this beat is told, and what the client has then. */
export const sparing = (
  have: Have,
  beat: Beat,
): { readonly news: boolean; readonly have: Have } => {
  const news = isNews(have, beat);
  if (!news || beat.beat !== 'asked') return { news, have };
  return { news, have: { ...have, requests: new Set(have.requests).add(beat.request.requestId) } };
};
