// The one result of each call of a strand: as soon as its action has one for good, with the next step at the latest, or with the
// run's end. Owns: that there is never a second. Laws: L16 (exactly one, in the very words that the model is told).
// Tested in test/functions/api/clients/results.test.ts.

import type { ActionId, RequestId } from '../../core/base/ids.ts';
import { type Action, isAuthorised } from '../../core/records/action.ts';
import type { Step } from '../../core/records/step.ts';
import { toldEffect } from '../../core/records/told.ts';
import type { Around } from './around.ts';
import type { Beat } from './beat.ts';
import { and, openCalls, quiet, type Strand, type Told } from './strand.ts';

export const gave = (strand: Strand, callId: string, beat: Beat): Told => ({
  strand: { ...strand, calls: new Map(strand.calls).set(callId, true) },
  beats: [beat],
});

const isOpenCall = ({ calls }: Strand, callId: string): boolean => calls.get(callId) === false;

/** The approval of the strand at which an action was refused. */
const refusedAt = ({ asked }: Strand, { disposition, requestId }: Action): RequestId | undefined =>
  disposition.kind === 'refused' && requestId !== undefined && asked.has(requestId)
    ? requestId
    : undefined;

/** The result of a call whose action has one for good: not while another attempt of it is authorised. */
export const settle = (strand: Strand, actionId: ActionId | undefined, around: Around): Told => {
  const action = actionId && around.actions.get(actionId);
  if (action === undefined || !isOpenCall(strand, action.actionId)) return quiet(strand);
  const { told, disposition } = action;
  if (told === undefined || (disposition.kind === 'open' && isAuthorised(action)))
    return quiet(strand);
  return gave(strand, action.actionId, {
    beat: 'result',
    callId: action.actionId,
    told,
    refusedAt: refusedAt(strand, action),
  });
};

/** Results as the next step stores them: the very words that the model was told. */
export const results = (strand: Strand, step: Step): Told =>
  step.results.reduce<Told>(
    (told, { callId, told: words }) =>
      and(told, (after) =>
        isOpenCall(after, callId)
          ? gave(after, callId, { beat: 'result', callId, told: words, refusedAt: undefined })
          : quiet(after),
      ),
    quiet(strand),
  );

/** A call that is over with its run: in the words for what is known of it. */
export const resultsAtEnd = (strand: Strand, around: Around): Told =>
  openCalls(strand).reduce<Told>((told, callId) => {
    const action = around.actions.get(callId);
    if (action === undefined) return told;
    const words = action.told ?? toldEffect(action, 'The run ended before it was settled.');
    const beat: Beat = {
      beat: 'result',
      callId,
      told: words,
      refusedAt: refusedAt(strand, action),
    };
    return and(told, (after) => gave(after, callId, beat));
  }, quiet(strand));

/** A call that nothing more is under way for: it has its words, or a person has it. */
export const isAtRest = (action: Action, blocking: ReadonlySet<string>): boolean =>
  (action.told !== undefined && !isAuthorised(action)) ||
  (action.requestId !== undefined && blocking.has(action.requestId));
