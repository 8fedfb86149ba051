// What an unsettled action needs next: a pure, total function of everything that is known and the time.
// Owns: the order of DESIGN.md section 7, points 1 to 7, each answer with its reason. It decides; Verify carries out.
// Laws: L1, L3, L4, L6, L8, L9, L10 (a claim stops every automatic attempt), L21.

import { attemptsMax, lookUpTriesMax, skewMs } from '../base/limits.ts';
import { type Action, actionDigest, isAuthorised, isRecoverysToSend } from '../records/action.ts';
import {
  type Attempt,
  type AttemptEnd,
  lastingRefusal,
  type Observation,
} from '../records/evidence.ts';
import type { FoldedAction } from '../records/folded.ts';
import { isEnded, type Run, stopRequested } from '../records/run.ts';
import type { Contract } from '../registry/contract.ts';
import {
  keyCovers,
  keyWasSeenHeld,
  mayHappenUntilMs,
  missCountsFromMs,
  whyMissProvesNothing,
} from './look-up.ts';

export type Verdict =
  | { readonly verdict: 'done'; readonly because: string }
  | { readonly verdict: 'wait'; readonly untilMs: number; readonly because: string }
  /** The attempt's owner never reported: close it as lost. */
  | { readonly verdict: 'close'; readonly because: string }
  | { readonly verdict: 'look'; readonly because: string }
  | { readonly verdict: 'poll'; readonly because: string }
  /** The next attempt is already authorised: Perform opens it. */
  | { readonly verdict: 'perform'; readonly because: string }
  /** Authorise the next attempt under the same identity. */
  | { readonly verdict: 'authorise'; readonly because: string }
  /** Nothing was done, with proof: tell the agent. */
  | { readonly verdict: 'tell'; readonly because: string }
  | { readonly verdict: 'person'; readonly because: string };

export interface Case {
  readonly action: FoldedAction;
  /** The contract the run is pinned to, and the newest one: a repeat needs leave of both. */
  readonly pinned: Contract;
  readonly current: Contract;
  readonly attempts: readonly Attempt[];
  readonly ends: readonly AttemptEnd[];
  readonly observations: readonly Observation[];
  /** The mandate the action acts under stands now, and the tool is not barred. */
  readonly mandateStands: boolean;
  /** A person holds the claim now. */
  readonly claimed: boolean;
  /** The claim's fence now; 0 when nobody ever claimed it. */
  readonly claimFence: number;
  readonly run: Run;
  readonly nowMs: number;
}

/** L6: what is stored is no longer what was planned or approved. Engage refuses it as well; nobody may try it for ever. */
const againstContent = ({ tool, destination, arguments: args, digest }: Action) =>
  actionDigest({ tool, destination, arguments: args }) === digest
    ? undefined
    : 'Its stored content is not what was planned or approved: the digest differs.';

/** Why no further attempt may be authorised automatically; undefined when one may. */
export const againstAnotherAttempt = (at: Case): string | undefined => {
  const { action, pinned, current, run, nowMs } = at;
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  const windowMs = Math.min(pinned.repeatWindowMs, current.repeatWindowMs);
  // What never left may have been tried often: only the window bounds it.
  const unsent = at.ends.filter((end) => end.how === 'not_transmitted').length;
  const attempts = action.attempts - unsent;
  if (attempts >= attemptsMax) return `${attempts} attempts were made.`;
  if (nowMs > firstMs + windowMs) return 'The time for automatic repeats is over.';
  if (!at.mandateStands) return 'The mandate no longer stands.';
  if (isEnded(run) || stopRequested(run)) return 'The run has ended or is stopping.';
  if (at.claimed) return 'A person is in charge.';
  if (action.disposition.kind !== 'open') return `A person has ${action.disposition.kind} it.`;
  return lastingRefusal(at)?.because ?? againstContent(action);
};

/** Why the key may not be used again without a person: nobody saw it held for so long. */
const againstTheTime = ({ action, pinned, current, nowMs }: Case): string | undefined => {
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  return keyWasSeenHeld(pinned, firstMs, nowMs) && keyWasSeenHeld(current, firstMs, nowMs)
    ? undefined
    : 'The trials saw the key held for a shorter time.';
};

/** Why an attempt that was authorised, and not opened yet, may not be opened any more. */
const againstAuthorised = (at: Case): string | undefined => {
  const { action, pinned, current, nowMs } = at;
  const { authorisation } = action.authorised;
  // L9 holds when it is sent, not only when it was authorised; what is disproved needs no key.
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  const covered = keyCovers(pinned, firstMs, nowMs) && keyCovers(current, firstMs, nowMs);
  if (action.effect !== 'not_performed' && !covered)
    return 'The key no longer covers the first attempt.';
  if (authorisation.by !== 'decision')
    return (
      againstAnotherAttempt(at) ??
      (action.effect === 'not_performed' ? undefined : againstTheTime(at))
    );
  if (!at.mandateStands) return 'The mandate no longer stands.';
  return at.claimFence > authorisation.claimFence
    ? 'Somebody has claimed it since the decision to repeat it.'
    : againstContent(at.action);
};

const untilMsOf = (at: Case): number => mayHappenUntilMs(at.pinned, at.attempts);

/** Look-ups since the newest attempt began, and since a person asked for another look: an older one says nothing of now. */
const lookUpsNow = (at: Case): readonly Observation[] => {
  const since = at.attempts.at(-1)?.entry ?? 0;
  const askedAtMs = at.action.nextCheckAtMs ?? 0;
  return at.observations.filter(
    (seen) => seen.lookUp !== undefined && seen.entry > since && Date.parse(seen.at) >= askedAtMs,
  );
};

/** A person asked for a look, now or at a time that has come, and none was made since. */
const lookIsDue = (at: Case): boolean =>
  at.action.nextCheckAtMs !== undefined &&
  at.action.nextCheckAtMs <= at.nowMs &&
  at.pinned.lookUp !== undefined &&
  lookUpsNow(at).length === 0;

/** First pause after a failed look-up; it doubles. */
const lookUpPauseMs = 2_000;

const byLookUp = (at: Case): Verdict => {
  const { lookUp } = at.pinned;
  if (!lookUp) return byKey(at);
  const looks = lookUpsNow(at);
  const last = looks.at(-1);
  if (last === undefined) return { verdict: 'look', because: 'The contract declares a look-up.' };
  switch (last.lookUp) {
    case 'failed': {
      if (last.lasting)
        return { verdict: 'person', because: `The look-up cannot be made: ${last.because}` };
      const failures = looks.filter((seen) => seen.lookUp === 'failed').length;
      if (failures >= lookUpTriesMax)
        return {
          verdict: 'person',
          because: `The look-up failed ${failures} times: ${last.because}`,
        };
      const untilMs = Date.parse(last.at) + lookUpPauseMs * 2 ** (failures - 1);
      return at.nowMs < untilMs
        ? { verdict: 'wait', untilMs, because: 'The look-up failed; it is tried again.' }
        : { verdict: 'look', because: 'The look-up failed before; it is tried again.' };
    }
    case 'miss': {
      const countsFromMs = missCountsFromMs(lookUp, untilMsOf(at));
      if (Date.parse(last.at) >= countsFromMs)
        return {
          verdict: 'person',
          because: whyMissProvesNothing(at.pinned),
        };
      return at.nowMs < countsFromMs
        ? {
            verdict: 'wait',
            untilMs: countsFromMs,
            because: 'Not found yet; too early to prove absence.',
          }
        : { verdict: 'look', because: 'The settle time has passed.' };
    }
    case 'natural_hit':
    case 'partial':
      return { verdict: 'person', because: last.because };
    default:
      return { verdict: 'person', because: 'The look-up’s answer settles nothing.' };
  }
};

/** The newest attempt ended with a question of its tool. */
const askedLast = ({ attempts, ends }: Case): boolean =>
  ends.some(({ attempt, how }) => how === 'asked' && attempt === attempts.at(-1)?.attempt);

/** Pauses before another attempt after one that never left: 1 s, 4 s, 16 s, then a minute each. */
const retryPauseMs = (attempts: number): number => Math.min(60_000, 1_000 * 4 ** (attempts - 1));

/** Until when nothing follows the newest attempt because it never left: whoever answers nothing is not asked without a pause. */
const afterUnsentMs = ({ action, attempts, ends, observations }: Case): number => {
  const last = attempts.at(-1)?.attempt;
  if (!ends.some(({ attempt, how }) => attempt === last && how === 'not_transmitted')) return 0;
  const seen = observations.findLast(({ about }) => about === last);
  return Date.parse(seen?.at ?? action.plannedAt) + retryPauseMs(action.attempts);
};

const byKey = (at: Case): Verdict => {
  const { action, pinned, current, nowMs } = at;
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  if (pinned.key.kind !== 'key' || current.key.kind !== 'key')
    return { verdict: 'person', because: 'The destination promises neither a look-up nor a key.' };
  if (!pinned.verification || !current.verification)
    return {
      verdict: 'person',
      because: 'Nobody has verified what the destination does with a repeat.',
    };
  if ([pinned, current].some(({ key }) => key.kind === 'key' && key.onRepeat === 'overwrites'))
    return {
      verdict: 'person',
      because: 'A repeat would overwrite what somebody may have changed since.',
    };
  if (!keyCovers(pinned, firstMs, nowMs) || !keyCovers(current, firstMs, nowMs))
    return { verdict: 'person', because: 'The key no longer covers the first attempt.' };
  if (askedLast(at))
    return { verdict: 'person', because: 'The tool asked something; a repeat would ask it again.' };
  const against = againstAnotherAttempt(at) ?? againstTheTime(at);
  if (against !== undefined) return { verdict: 'person', because: against };
  const untilMs = afterUnsentMs(at);
  return nowMs < untilMs
    ? { verdict: 'wait', untilMs, because: 'The newest attempt never left; it is tried again.' }
    : {
        verdict: 'authorise',
        because: 'The destination honours the same key, and it still covers the first attempt.',
      };
};

type Disproof = 'not_transmitted' | 'absent' | 'not_now' | 'answer';

/** How the newest attempt was disproved. */
const disproofOf = (
  at: Case,
): { readonly kind: Disproof; readonly seen: Observation | undefined } => {
  const last = at.attempts.at(-1)?.attempt ?? 0;
  const seen = at.observations.findLast(
    (entry) =>
      entry.says === 'disproves' &&
      !entry.uncounted &&
      (entry.about === 'all' || entry.about === last),
  );
  const end = at.ends.find((entry) => entry.attempt === last);
  // A poll that says why nothing was done is an answer; only a search that missed shows that nothing is there.
  if (seen?.source === 'look_up' && seen.lookUp !== undefined) return { kind: 'absent', seen };
  if (seen?.notBeforeMs !== undefined) return { kind: 'not_now', seen };
  // What our own settings refuse is answered for good, though nothing left.
  if (end?.how === 'not_transmitted' && seen?.source === 'transport' && !seen.lasting)
    return { kind: 'not_transmitted', seen };
  return { kind: 'answer', seen };
};

const whenDisproved = (at: Case): Verdict => {
  const { kind, seen } = disproofOf(at);
  const because = seen?.because ?? 'Every attempt is disproved.';
  if (kind === 'answer') {
    // A tool that asked and was answered, and whose next attempt may not open any more: the agent is told why.
    const gone = isAuthorised(at.action) ? againstAnotherAttempt(at) : undefined;
    return { verdict: 'tell', because: gone === undefined ? because : `${because} ${gone}` };
  }
  const verified = at.pinned.verification !== undefined && at.current.verification !== undefined;
  if (kind !== 'not_transmitted' && !verified) return { verdict: 'tell', because };
  const against = againstAnotherAttempt(at);
  if (against !== undefined) return { verdict: 'tell', because: `${because} ${against}` };
  const untilMs = seen?.notBeforeMs ?? afterUnsentMs(at);
  return at.nowMs < untilMs
    ? { verdict: 'wait', untilMs, because }
    : { verdict: 'authorise', because };
};

/**
 * Nothing but the key says when it ends: while the destination works on it, a repeat is turned away, and afterwards it brings the
 * result. Undefined where something else tells, or no further attempt is allowed.
 */
const byRepeat = (at: Case): Verdict | undefined => {
  const { progress, lookUp, timeoutMs } = at.pinned;
  if (progress !== undefined && (progress.poll !== undefined || lookUp !== undefined))
    return undefined;
  const repeat = byKey(at);
  if (repeat.verdict === 'wait') return repeat;
  if (repeat.verdict !== 'authorise') return undefined;
  const { attempts, firstEngagedAt, plannedAt } = at.action;
  const windowMs = Math.min(
    ...[at.pinned, at.current].flatMap(({ repeatWindowMs, verification }) => [
      repeatWindowMs,
      verification?.keyHeldMs ?? repeatWindowMs,
    ]),
  );
  const endsMs = Date.parse(firstEngagedAt ?? plannedAt) + windowMs;
  const lastMs = Date.parse(at.observations.at(-1)?.at ?? plannedAt);
  // Few attempts are allowed: each waits twice as long as the one before it.
  const untilMs = Math.min(endsMs, lastMs + timeoutMs * 2 ** (attempts - 1));
  return at.nowMs < untilMs
    ? { verdict: 'wait', untilMs, because: 'The destination is still working on the same key.' }
    : repeat;
};

const whenInProgress = (at: Case): Verdict => {
  const { progress } = at.pinned;
  const beganMs = Date.parse(at.attempts.at(-1)?.engagedAt ?? at.action.plannedAt);
  if (askedLast(at))
    return { verdict: 'person', because: 'The tool asked something, and it was not answered.' };
  const repeat = byRepeat(at);
  if (repeat !== undefined) return repeat;
  const limitMs = beganMs + (progress?.untilMs ?? at.pinned.timeoutMs);
  const lastMs = Date.parse(at.observations.at(-1)?.at ?? at.action.plannedAt);
  if (at.nowMs >= limitMs) {
    if (at.pinned.lookUp) return byLookUp(at);
    return { verdict: 'person', because: 'It was still in progress at the contract’s limit.' };
  }
  const nextMs = Math.min(limitMs, lastMs + (progress?.everyMs ?? at.pinned.timeoutMs));
  if (at.nowMs < nextMs)
    return { verdict: 'wait', untilMs: nextMs, because: 'The destination is still working.' };
  if (progress?.poll) return { verdict: 'poll', because: 'The destination was still working.' };
  if (at.pinned.lookUp) return { verdict: 'look', because: 'The destination was still working.' };
  return { verdict: 'wait', untilMs: limitMs, because: 'The destination is still working.' };
};

/** A reissue that was approved is sent from here; anything else unsent is not a recovery's business. */
const whenUnsent = (action: Action): Verdict =>
  action.reissueOf !== undefined &&
  action.told === undefined &&
  action.authorised.authorisation.by === 'approval'
    ? { verdict: 'perform', because: 'The reissue was approved.' }
    : { verdict: 'done', because: 'Nothing was ever sent.' };

/** Questions that stand before the effect is even looked at. */
const beforeEffect = (at: Case): Verdict | undefined => {
  const { action, nowMs } = at;
  if (action.attempts === 0) return whenUnsent(action);
  if (action.engaged) {
    const untilMs = action.engaged.deadlineAtMs + skewMs;
    return nowMs < untilMs
      ? { verdict: 'wait', untilMs, because: 'An attempt may still be running.' }
      : { verdict: 'close', because: 'The attempt’s time is over and its owner never reported.' };
  }
  if (action.contradicted && action.disposition.kind === 'open')
    return {
      verdict: 'person',
      because: 'The evidence disagrees: is it the same system, the same action?',
    };
  if (isRecoverysToSend(action)) {
    const against = againstAuthorised(at);
    if (against === undefined)
      return { verdict: 'perform', because: 'The next attempt is authorised.' };
    if (action.authorised.authorisation.by === 'decision')
      return { verdict: 'person', because: against };
  }
  if (action.nextCheckAtMs !== undefined && nowMs < action.nextCheckAtMs)
    return { verdict: 'wait', untilMs: action.nextCheckAtMs, because: 'A person said to wait.' };
  if (action.effect !== 'confirmed' && lookIsDue(at))
    return { verdict: 'look', because: 'A person asked for a look.' };
  return undefined;
};

export const verdictFor = (at: Case): Verdict => {
  const first = beforeEffect(at);
  if (first) return first;
  const { disposition } = at.action;
  if (disposition.kind !== 'open')
    return { verdict: 'done', because: `A person has ${disposition.kind} it.` };
  switch (at.action.effect) {
    case 'confirmed':
      return { verdict: 'done', because: 'The effect is confirmed.' };
    case 'accepted':
      return at.pinned.lookUp && at.action.told === undefined
        ? afterAccepted(at)
        : { verdict: 'done', because: 'The destination took it.' };
    case 'not_performed':
      return at.action.told === undefined
        ? whenDisproved(at)
        : { verdict: 'done', because: 'Nothing was done, and the agent knows.' };
    case 'in_progress':
      return whenInProgress(at);
    case 'undetermined':
      return byLookUp(at);
    case 'engaged':
    case 'not_sent':
      return { verdict: 'done', because: 'Nothing is open.' };
  }
};

/** An accepted effect is looked up once its contract allows; what the look-up cannot say stays accepted. */
const afterAccepted = (at: Case): Verdict => {
  const verdict = byLookUp(at);
  return verdict.verdict === 'person'
    ? { verdict: 'done', because: `Accepted; the look-up could not confirm it. ${verdict.because}` }
    : verdict;
};
