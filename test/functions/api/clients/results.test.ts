// The one result of each call, where an action's effect decides when it is told: not while another attempt may still be sent,
// with the run's end at the latest, and never twice. Pure. Laws: L16.

import { expect, test } from 'vitest';
import { nothingAround } from '../../../../functions/api/projections/around.ts';
import { newStrand, type Strand } from '../../../../functions/api/projections/strand.ts';
import { strandAfter } from '../../../../functions/api/projections/strand-events.ts';
import type { Told } from '../../../../functions/core/records/action.ts';
import type { EventBody } from '../../../../functions/core/records/event.ts';
import type { FoldedAction } from '../../../../functions/core/records/folded.ts';
import { toldEffect } from '../../../../functions/core/records/told.ts';
import { anAction, at, startMs } from '../../../core/parts.ts';

const sent = anAction({ head: 3, attempts: 1, effect: 'undetermined' });
const { actionId, conversationId, runId } = sent;
const asking: Strand = {
  ...newStrand(undefined, undefined),
  runId,
  calls: new Map([[actionId, false]]),
};
const notPerformed: EventBody = { type: 'action.not_performed', runId, actionId, because: '' };
const confirmed: EventBody = { type: 'action.confirmed', runId, actionId };
const stopped: EventBody = {
  type: 'run.finished',
  runId,
  reason: 'stopped',
  detail: 'Stopped.',
  steps: 1,
};

/** The results that are told when these happen, each with the action as it stands then. */
const resultsOf = (log: readonly (readonly [EventBody, FoldedAction])[]): Told[] => {
  let strand = asking;
  return log.flatMap(([body, action], index) => {
    const event = { schema: 1, conversationId, number: index + 1, at: at(startMs), body } as const;
    const around = { ...nothingAround, actions: new Map([[actionId, action]]) };
    const after = strandAfter(strand, { event, around });
    strand = after.strand;
    return after.beats.flatMap((beat) => (beat.beat === 'result' ? [beat.told] : []));
  });
};

test('a call whose effect nobody knows when its run ends has its one result then, in the fixed words', () => {
  const [only, ...more] = resultsOf([[stopped, sent]]);
  expect(more).toEqual([]);
  expect(only).toEqual(toldEffect(sent, 'The run ended before it was settled.'));
});

test('what was not done and may be sent again has no result yet; what comes of it is the one', () => {
  const denied = anAction({
    ...sent,
    effect: 'not_performed',
    told: { status: 'error', text: 'Not done.' },
  });
  const again = {
    ...denied,
    authorised: { head: 3, attempt: 2, authorisation: { by: 'verdict', because: 'Not done.' } },
  } as const;
  const told = { status: 'success', text: 'Done.' } as const;
  const done = anAction({ ...sent, head: 6, attempts: 2, effect: 'confirmed', told });
  expect(resultsOf([[notPerformed, again]])).toEqual([]);
  expect(
    resultsOf([
      [notPerformed, again],
      [confirmed, done],
      [confirmed, done],
      [stopped, done],
    ]),
  ).toEqual([told]);
  expect(resultsOf([[notPerformed, denied]])).toEqual([denied.told]);
});
