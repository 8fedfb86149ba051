// What Perform may do with an action now: a pure, total function of what is stored and the time.
// Owns: that decision. Laws: L3 (only the opener sends; everybody else looks, and only after the deadline plus skew),
// L4 (after engaged: settle, look again, or a recorded authorisation), L7 (stop and claims are checked again at engage).
// Tested in test/core/perform/engage.test.ts.

import { skewMs } from '../base/limits.ts';
import { type Action, isAuthorised, isRecoverysToSend, type Told } from '../records/action.ts';
import type { PersonRequest } from '../records/request.ts';
import { isEnded, type Run, stopRequested } from '../records/run.ts';
import { toldStopped } from '../records/told.ts';

export type Move =
  /** The call has its result; nothing is left to do. */
  | { readonly move: 'done' }
  /** Somebody else may still be sending: come back then. */
  | { readonly move: 'wait'; readonly untilMs: number }
  /** The attempt's owner never reported and its time is over: close it on what is stored. */
  | { readonly move: 'close-lost' }
  | { readonly move: 'await'; readonly request: PersonRequest }
  /** The approval ran out: record it as the decision it is. */
  | { readonly move: 'expire'; readonly request: PersonRequest }
  /** The run was stopped: the call gets its result as things stand, and a request that is still open is voided. */
  | { readonly move: 'release' }
  /** Settles the call without sending, in fixed words. */
  | { readonly move: 'stop'; readonly told: Told }
  | { readonly move: 'read' }
  | { readonly move: 'engage'; readonly attempt: number }
  /** Unsettled and nobody was asked yet. */
  | { readonly move: 'recover' };

const awaitOf = (request: PersonRequest, nowMs: number): Move =>
  request.expiresAtMs !== undefined && nowMs >= request.expiresAtMs
    ? { move: 'expire', request }
    : { move: 'await', request };

/** A question, approval or skill request that nobody has decided: a stopped run waits for it no more. */
const isStillAsked = (request: PersonRequest | undefined): boolean =>
  request !== undefined && request.on !== 'recovery' && request.decision === undefined;

const whenSent = (
  action: Action,
  run: Run,
  request: PersonRequest | undefined,
  nowMs: number,
  by: 'run' | 'recover',
): Move => {
  if (action.engaged) {
    const untilMs = action.engaged.deadlineAtMs + skewMs;
    return nowMs < untilMs ? { move: 'wait', untilMs } : { move: 'close-lost' };
  }
  // What is known now is folded with that, and what is not known stays open to evidence.
  if (by === 'run' && (stopRequested(run) || isEnded(run))) return { move: 'release' };
  // Once a recovery is open, its verdict is what the run waits for, also of an attempt that an answer had authorised.
  const recovery = request?.on === 'recovery' && request.decision === undefined;
  if (by === 'run' && recovery) return { move: 'await', request };
  const answered = action.authorised.authorisation.by === 'answer';
  if (by === 'run' && answered && isAuthorised(action))
    return { move: 'engage', attempt: action.authorised.attempt };
  if (request?.on === 'question' && request.decision === undefined) return awaitOf(request, nowMs);
  // A repeat is the recovery's to send: the run only waits for what comes of it.
  if (by === 'recover' && isRecoverysToSend(action))
    return { move: 'engage', attempt: action.authorised.attempt };
  if (recovery) return { move: 'await', request };
  return { move: 'recover' };
};

export const moveFor = (
  action: Action,
  run: Run,
  request: PersonRequest | undefined,
  nowMs: number,
  by: 'run' | 'recover' = 'run',
): Move => {
  const repeats = by === 'recover' && isRecoverysToSend(action);
  if (action.told !== undefined && !repeats) return { move: 'done' };
  if (action.attempts > 0) return whenSent(action, run, request, nowMs, by);
  const reissued = by === 'recover' && action.reissueOf !== undefined;
  if (!reissued && (stopRequested(run) || isEnded(run)))
    return isStillAsked(request)
      ? { move: 'release' }
      : { move: 'stop', told: toldStopped(action) };
  if (request && request.decision?.kind !== 'approved') {
    // Any other decision settles the action in its own transaction; so here it is open or has expired.
    return awaitOf(request, nowMs);
  }
  if (action.effectKind === 'read') return { move: 'read' };
  return { move: 'engage', attempt: action.authorised.attempt };
};
