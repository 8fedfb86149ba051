// What a changed effect brings with it: the event that says so, and the look-alike marker let go.
// Laws: L17, L20 (the marker is released in the same transaction), L21.
// Tested in test/core/margins-of-changes.test.ts.
import type { Action, Effect } from './action.ts';
import { isSettled } from './action.ts';
import type { Write } from './change.ts';
import type { EventBody } from './event.ts';

const effectEvent = (
  effect: Effect,
  ids: Pick<Action, 'runId' | 'actionId'>,
  because: string,
  reference: string | undefined,
): EventBody | undefined => {
  switch (effect) {
    case 'confirmed':
      return {
        type: 'action.confirmed',
        ...ids,
        ...(reference === undefined ? {} : { reference }),
      };
    case 'accepted':
      return { type: 'action.accepted', ...ids };
    case 'in_progress':
      return { type: 'action.in_progress', ...ids };
    case 'undetermined':
      return { type: 'action.undetermined', ...ids, because };
    case 'not_performed':
      return { type: 'action.not_performed', ...ids, because };
    default:
      return undefined;
  }
};

/** Evidence has begun to disagree. */
export const contradictionEvents = (before: Action, after: Action): EventBody[] => {
  const { runId, actionId } = after;
  return after.contradicted && !before.contradicted
    ? [{ type: 'action.contradicted', runId, actionId }]
    : [];
};

/** The event that says what an effect became; none for "not sent", and one when evidence disagrees. */
export const effectEvents = (before: Action, after: Action, because: string): EventBody[] => {
  const { runId, actionId, reference } = after;
  const events: EventBody[] = [];
  if (after.effect !== before.effect || before.engaged !== undefined) {
    const said = effectEvent(after.effect, { runId, actionId }, because, reference);
    if (said) events.push(said);
  }
  return [...events, ...contradictionEvents(before, after)];
};

export const release = ({ workspace, likeDigest, actionId }: Action): Write => ({
  do: 'release-likeness',
  workspace,
  likeDigest,
  actionId,
});

/**
 * Releases the marker when nobody has to fear a repeat any more. An undetermined action keeps it, and so does one that a person
 * disproved: engage lets that go, once its hold is over.
 */
export const releaseOf = (action: Action): Write[] => {
  const isHeld = action.effect === 'not_performed' && action.likeHeldUntilMs !== undefined;
  return isSettled(action.effect) && !isHeld ? [release(action)] : [];
};
