// What each event of the closed list means for a strand. One teller per type, so that an event added to the list does not compile
// until somebody says what other protocols are told of it. Pure. Laws: L11, L14, L16.
// Tested in test/functions/api/clients/strand.test.ts.

import { Defect } from '../../core/base/errors.ts';
import type { ActionId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { EventBody, EventType } from '../../core/records/event.ts';
import type { Step } from '../../core/records/step.ts';
import { nothingStands } from '../answers/standing.ts';
import type { Around } from './around.ts';
import type { Beat } from './beat.ts';
import {
  addText,
  and,
  closeStep,
  dropText,
  end,
  openCalls,
  openStep,
  quiet,
  type Seen,
  type Strand,
  type Told,
} from './strand.ts';
import { gave, results, resultsAtEnd, settle } from './strand-results.ts';

type BodyOf<Type extends EventType> = Extract<EventBody, { readonly type: Type }>;
type Teller<Type extends EventType> = (strand: Strand, body: BodyOf<Type>, around: Around) => Told;

const says = (strand: Strand, ...beats: readonly Beat[]): Told => ({ strand, beats });
const nothing = (strand: Strand): Told => quiet(strand);

/** What became known of an effect: told where it is, or was, not plain. */
const effect =
  (unclear: boolean, because: (action: Action, body: EventBody) => string = () => '') =>
  (strand: Strand, body: EventBody & { readonly actionId: ActionId }, around: Around): Told => {
    const action = around.actions.get(body.actionId);
    if (action === undefined || !strand.calls.has(body.actionId)) return quiet(strand);
    const tells = unclear || strand.unclear.has(body.actionId);
    const told: Told = tells
      ? says(
          { ...strand, unclear: new Set(strand.unclear).add(body.actionId) },
          { beat: 'effect', action, because: because(action, body) },
        )
      : quiet(strand);
    return and(told, (after) => settle(after, body.actionId, around));
  };

const said = (_: Action, body: EventBody): string => ('because' in body ? body.because : '');

const calls = (strand: Strand, step: Step): Told => {
  const { open } = strand;
  if (open === undefined) return quiet(strand);
  return step.calls.reduce<Told>((told, call) => {
    const callId = call.kind === 'action' ? call.actionId : call.callId;
    const { name, arguments: args } = call;
    const asked: Beat = { beat: 'call', step: open.of, callId, name, arguments: args };
    return and(told, (before) => {
      const after: Told = {
        strand: { ...before, calls: new Map(before.calls).set(callId, false) },
        beats: [asked],
      };
      if (call.kind === 'action') return after;
      const result: Beat = { beat: 'result', callId, told: call.told, refusedAt: undefined };
      return and(after, (known) => gave(known, callId, result));
    });
  }, quiet(strand));
};

/** The rest of a stored step's text, or all of it where what was streamed was another attempt's. */
const wholeText = (strand: Strand, step: Step): Told => {
  const streamed = strand.open?.text ?? '';
  const goesOn = step.text.startsWith(streamed);
  const base = goesOn ? quiet(strand) : dropText(strand, step.attempt);
  return and(base, (before) =>
    and(addText(before, goesOn ? step.text.slice(streamed.length) : step.text), (after) => {
      const { open } = after;
      if (open === undefined) return quiet(after);
      return says(
        { ...after, open: { ...open, stored: true } },
        ...(step.text === '' ? [] : [{ beat: 'text-ended', step: open.of } as const]),
      );
    }),
  );
};

const ownStep = (strand: Strand, step: Step): Told =>
  and(results(strand, step), (a) =>
    and(openStep(a, step.runId, step.step, step.attempt), (b) =>
      and(wholeText(b, step), (c) => calls(c, step)),
    ),
  );

/** Where a newer message has taken over and nothing of this strand is open any more, it is over. */
const handOver = (strand: Strand): Told =>
  strand.holding === 'over' && openCalls(strand).length === 0
    ? end(strand, 'handed_over', 'A newer message is what the run answers from here on.')
    : quiet(strand);

const stepStored: Teller<'step.stored'> = (strand, body, around) => {
  const step = around.steps.find((each) => each.runId === body.runId && each.step === body.step);
  if (step === undefined) throw new Defect(`Step ${body.step} of ${body.runId} is not stored.`);
  switch (strand.holding) {
    case 'early':
      // It was not taken by this step, so it is by the next.
      return quiet({ ...strand, holding: 'own' });
    case 'own':
    case 'unsure': {
      const holding = strand.newer.length > 0 ? 'over' : 'own';
      return and(ownStep({ ...strand, holding }, step), handOver);
    }
    case 'over':
      // What this step streamed before it was known to be the other's is taken back.
      return and(dropText(strand, step.attempt), (a) =>
        and(results(a, step), (b) => and(closeStep(b), handOver)),
      );
  }
};

const messageReceived: Teller<'message.received'> = (strand, body, around) => {
  const message = around.messages.get(body.messageId);
  if (body.messageId === strand.messageId || body.fate === 'waits') return quiet(strand);
  if (message === undefined || strand.runId === undefined || strand.holding === 'over')
    return quiet(strand);
  if (message.author.subject !== strand.by) {
    const { messageId, text, from } = body;
    return says(strand, { beat: 'said', messageId, from, text });
  }
  if (strand.holding === 'early') return quiet(strand);
  const streaming = strand.open !== undefined && !strand.open.stored;
  return quiet({
    ...strand,
    newer: [...strand.newer, body.messageId],
    holding: streaming ? strand.holding : 'unsure',
  });
};

const messageTaken: Teller<'message.taken'> = (strand, { messageId, runId }) => {
  if (messageId === strand.messageId)
    return quiet({ ...strand, runId, taken: true, holding: 'own' });
  return strand.newer.includes(messageId) ? quiet({ ...strand, holding: 'over' }) : quiet(strand);
};

const messageWithdrawn: Teller<'message.withdrawn'> = (strand, { messageId }) => {
  if (messageId === strand.messageId)
    return end(strand, 'withdrawn', 'The message was taken back before it was read.');
  if (!strand.newer.includes(messageId)) return quiet(strand);
  const newer = strand.newer.filter((one) => one !== messageId);
  return quiet({ ...strand, newer, ...(newer.length === 0 ? { holding: 'unsure' } : {}) });
};

const runStarted: Teller<'run.started'> = (strand, { runId }) =>
  strand.runId === undefined ? quiet({ ...strand, runId, holding: 'own' }) : quiet(strand);

const runFinished: Teller<'run.finished'> = (strand, body, around) => {
  const { messageId, taken, held } = strand;
  // At the step limit a message that nobody has read opens the next run.
  if (messageId !== undefined && !taken && !held)
    return and(closeStep(strand), (after) =>
      quiet({ ...after, runId: undefined, holding: 'early' }),
    );
  return and(resultsAtEnd(strand, around), (after) =>
    strand.holding === 'over'
      ? end(after, 'handed_over', body.detail)
      : end(after, body.reason, body.detail),
  );
};

const textDelta: Teller<'text.delta'> = (strand, { runId, step, attempt, text }) => {
  if (strand.holding !== 'own') return quiet(strand);
  return and(openStep(strand, runId, step, attempt), (opened) => {
    if (opened.open?.stored === true) return quiet(opened);
    const same = opened.open?.attempt === attempt;
    return and(same ? quiet(opened) : dropText(opened, attempt), (after) => addText(after, text));
  });
};

const textReset: Teller<'text.reset'> = (strand, { runId, step, attempt }) => {
  const { open } = strand;
  const ours = open?.of.runId === runId && open.of.step === step && open.attempt === attempt;
  return ours && !open.stored ? dropText(strand, attempt) : quiet(strand);
};

const requestOpened: Teller<'request.opened'> = (strand, { requestId }, around) => {
  const request = around.requests.get(requestId);
  const action = request && around.actions.get(request.actionId);
  if (request === undefined || action === undefined || request.on === 'recovery')
    return quiet(strand);
  if (!strand.calls.has(action.actionId)) return quiet(strand);
  const asked = new Set(strand.asked).add(requestId);
  return says(
    { ...strand, asked },
    {
      beat: 'asked',
      request,
      action,
      stood: around.stood.get(requestId) ?? nothingStands,
    },
  );
};

const requestClosed: Teller<'request.closed'> = (strand, { requestId }, around) => {
  const request = around.requests.get(requestId);
  if (request === undefined) return quiet(strand);
  // A call that has its result says all there is to say.
  const tells = strand.asked.has(requestId) && strand.calls.get(request.actionId) !== true;
  const told = tells ? says(strand, { beat: 'decided', request }) : quiet(strand);
  return and(told, (after) => settle(after, request.actionId, around));
};

const tellers: { readonly [Type in EventType]: Teller<Type> } = {
  'message.received': messageReceived,
  'message.taken': messageTaken,
  'message.held': (strand, { messageId }) =>
    quiet(messageId === strand.messageId ? { ...strand, held: true } : strand),
  'message.withdrawn': messageWithdrawn,
  'run.started': runStarted,
  'run.waiting': nothing,
  'run.resumed': nothing,
  'run.stopping': nothing,
  'run.continued': nothing,
  'run.finished': runFinished,
  'step.stored': stepStored,
  'text.delta': textDelta,
  'text.reset': textReset,
  'action.planned': nothing,
  'action.engaged': nothing,
  'action.confirmed': effect(false),
  'action.accepted': effect(false),
  'action.in_progress': effect(true),
  'action.undetermined': effect(true, said),
  'action.not_performed': effect(false, said),
  'action.contradicted': effect(true),
  'action.duplicated': effect(true),
  'action.decided': effect(false),
  'request.opened': requestOpened,
  'request.expiring': nothing,
  'request.closed': requestClosed,
  'claim.taken': nothing,
  'claim.ended': nothing,
  'skill.granted': nothing,
  'routine.fired': nothing,
  'routine.skipped': nothing,
};

const tell = <Type extends EventType>(strand: Strand, body: BodyOf<Type>, around: Around): Told => {
  const type: Type = body.type;
  return tellers[type](strand, body, around);
};

/** A message of the same person that this strand answers with its own. */
const isJoined = (strand: Strand, { event: { body, number }, around }: Seen): boolean => {
  if (body.type !== 'message.received' || body.messageId === strand.messageId) return false;
  const by = around.messages.get(body.messageId)?.author.subject;
  return number <= strand.joinedUpTo && by !== undefined && by === strand.by;
};

/** The strand after one more event, and what that tells. Nothing comes after its end. */
export const strandAfter = (strand: Strand, seen: Seen): Told =>
  strand.over !== undefined || isJoined(strand, seen)
    ? quiet(strand)
    : tell(strand, seen.event.body, seen.around);
