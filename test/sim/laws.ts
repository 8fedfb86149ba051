// What must hold in every simulated world, whatever happened in it. Judged by the destination's list, by the bytes that went out
// and by the store; never by what anybody says. Owns: those checks; each names its law.
import type { Action } from '../../functions/core/records/action.ts';
import type { Attempt } from '../../functions/core/records/evidence.ts';
import type { Journal } from '../../functions/ports/store.ts';
import { keyOf, type MemoryStore } from '../fakes/memory-store.ts';
import { type ContractKind, hasKey } from './contracts.ts';
import type { Destination } from './destination.ts';
import { isShown } from './people.ts';

export interface Judged {
  readonly store: MemoryStore;
  readonly destination: Destination;
  readonly kindOf: (tool: string) => ContractKind;
  /** When the mandate that the action acts under was taken back. */
  readonly revokedAtMs: (action: Action) => number | undefined;
  /** Nobody will do anything more: what is not over must wait for somebody. */
  readonly isAtRest: boolean;
}

type Complain = (law: string, what: string) => void;

const itemsOf = <Kind extends keyof MemoryStore['memory']['items']>(
  { store }: Judged,
  kind: Kind,
) => [...store.memory.items[kind].values()].map(({ item }) => item);

const sentUnder = (judged: Judged, action: Action, { deadlineAtMs }: Attempt) =>
  judged.destination.sent.filter(
    (one) => one.reference === action.actionId && one.deadlineAtMs === deadlineAtMs,
  );

const effectsOf = ({ destination }: Judged, action: Action): number =>
  destination.effects.filter(({ reference }) => reference === action.actionId).length;

const aboutSending = (judged: Judged, action: Action, journal: Journal, complain: Complain) => {
  const sent = judged.destination.sent.filter(({ reference }) => reference === action.actionId);
  let counted = 0;
  for (const attempt of journal.attempts) {
    const under = sentUnder(judged, action, attempt);
    counted += under.length;
    if (under.length > 1)
      complain('L3', `attempt ${attempt.attempt} was sent ${under.length} times`);
    for (const { atMs } of under) {
      if (atMs >= attempt.deadlineAtMs) complain('L3', 'sent at or after its deadline');
      if (atMs < Date.parse(attempt.engagedAt)) complain('L2', 'sent before it was engaged');
    }
  }
  if (counted !== sent.length) complain('L2', `${sent.length} sends, ${counted} under an attempt`);
  if (journal.attempts.length !== action.attempts)
    complain('L4', `${action.attempts} attempts counted, ${journal.attempts.length} stored`);
  const revokedAtMs = judged.revokedAtMs(action) ?? Number.POSITIVE_INFINITY;
  const late = journal.attempts.filter(({ engagedAt }) => Date.parse(engagedAt) > revokedAtMs);
  if (late.length > 0) complain('L7', 'an attempt opened after the revocation');
};

/** A further attempt needs an entry that allows it, made before it and for its number. */
const aboutAuthorisation = (journal: Journal, complain: Complain): void => {
  for (const attempt of journal.attempts) {
    if (attempt.attempt === 1) continue;
    const allowed = journal.authorisations.find(
      ({ entry, attempt: number }) =>
        entry === attempt.authorisedBy && number === attempt.attempt && entry < attempt.entry,
    );
    if (!allowed) complain('L4', `attempt ${attempt.attempt} has no authorisation of its own`);
  }
};

const aboutEffect = (judged: Judged, action: Action, journal: Journal, complain: Complain) => {
  const count = effectsOf(judged, action);
  if (count > 1) complain('L4', `${count} effects of one action`);
  const byPerson = journal.observations.some(({ source }) => source === 'person');
  if (action.effect === 'confirmed' && action.effectKind !== 'read' && count === 0 && !byPerson)
    complain('L21', 'confirmed, and there is no effect');
  if (action.effect === 'not_performed' && count > 0 && !byPerson)
    complain('L21', 'not performed, and there is an effect');
  if (action.effect === 'not_sent' && count > 0) complain('L2', 'not sent, and there is an effect');
  const repeats = journal.attempts.length > 1;
  const disproved = journal.observations.some(({ says }) => says === 'disproves');
  const decided = journal.decisions.some(({ kind }) => kind === 'repeat');
  const kind = judged.kindOf(action.tool.name);
  if (repeats && !hasKey(kind) && !disproved && !decided)
    complain('L4', 'sent again without key, disproof or decision');
};

/**
 * Entries are numbered from 2 (1 is the plan) without gap or duplicate. A disposition before sending is an entry without item;
 * evidence that was put alone had nobody to number it against, and may share a number.
 */
const aboutJournal = (
  { store }: Judged,
  action: Action,
  journal: Journal,
  complain: Complain,
): void => {
  const { alone } = store.memory;
  const evidence = [
    ...journal.ends.map((item) => ({ entry: item.entry, key: keyOf('end', item) })),
    ...journal.observations.map((item) => ({ entry: item.entry, key: keyOf('observation', item) })),
  ];
  const shared = evidence.filter(({ key }) => alone.has(key)).map(({ entry }) => entry);
  const numbered = [
    ...evidence.filter(({ key }) => !alone.has(key)),
    ...journal.attempts,
    ...journal.authorisations,
  ].map(({ entry }) => entry);
  // A repeat's decision is its authorisation: one entry, two items.
  const decided = journal.decisions
    .map(({ entry }) => entry)
    .filter((entry) => !journal.authorisations.some((other) => other.entry === entry));
  const own = [1, ...numbered, ...decided];
  const unsent = action.disposition.kind === 'refused' || action.disposition.kind === 'stopped';
  const last = action.head - (unsent ? 1 : 0);
  const all = new Set([...own, ...shared.filter((entry) => entry <= last)]);
  if (new Set(own).size !== own.length || all.size !== last || Math.max(...own) > last)
    complain('L4', `journal ${own.toSorted((a, b) => a - b).join()} of head ${action.head}`);
};

const aboutTelling = (judged: Judged, complain: Complain): void => {
  const actions = itemsOf(judged, 'action');
  const runs = itemsOf(judged, 'run');
  for (const step of itemsOf(judged, 'step'))
    for (const call of step.calls) {
      if (call.kind !== 'action') continue;
      const action = actions.find(({ actionId }) => actionId === call.actionId);
      const run = runs.find(({ runId }) => runId === step.runId);
      if (!action) complain('L2', `a call without its action ${call.actionId}`);
      else if (run?.state.status === 'finished' && action.told === undefined)
        complain('L16', `${call.actionId} of a finished run has no result`);
    }
};

const aboutEvents = (judged: Judged, complain: Complain): void => {
  for (const { conversationId, eventNumber } of itemsOf(judged, 'conversation')) {
    const numbers = itemsOf(judged, 'event')
      .filter((event) => event.conversationId === conversationId)
      .map(({ number }) => number)
      .toSorted((a, b) => a - b);
    const expected = Array.from({ length: eventNumber }, (_, index) => index + 1);
    if (numbers.join() !== expected.join()) complain('L17', `events ${numbers.join()}`);
  }
};

/** In each conversation one run at a time: what its events say, in their order. */
const aboutLock = (judged: Judged, complain: Complain): void => {
  const events = itemsOf(judged, 'event').toSorted((a, b) => a.number - b.number);
  const active = new Map<string, string>();
  for (const { conversationId, body } of events) {
    if (body.type === 'run.started') {
      if (active.has(conversationId)) complain('L11', 'a run began beside another');
      active.set(conversationId, body.runId);
    }
    if (body.type === 'run.finished' && active.get(conversationId) === body.runId)
      active.delete(conversationId);
  }
};

/** Every run is over, or waits for a request that is open and shown; every conversation that is locked has such a run. */
const aboutRest = (judged: Judged, complain: Complain): void => {
  const shown = itemsOf(judged, 'request').filter(isShown);
  for (const run of itemsOf(judged, 'run')) {
    const { state } = run;
    if (state.status === 'finished') continue;
    if (state.status !== 'waiting')
      complain('L14', `the run is ${state.status}, and nobody works on it`);
    else
      for (const { requestId } of state.blocking)
        if (!shown.some((request) => request.requestId === requestId))
          complain('L12', 'the run waits for a request that nobody sees');
  }
  for (const { activeRun } of itemsOf(judged, 'conversation')) {
    const run = itemsOf(judged, 'run').find(({ runId }) => runId === activeRun);
    if (activeRun !== undefined && (run === undefined || run.state.status === 'finished'))
      complain('L11', 'the conversation is locked by a run that is over');
  }
  for (const message of itemsOf(judged, 'message')) {
    const conversation = itemsOf(judged, 'conversation').find(
      ({ conversationId }) => conversationId === message.conversationId,
    );
    const waits =
      conversation?.pending.includes(message.messageId) === true ||
      conversation?.queued.some(({ messageId }) => messageId === message.messageId) === true;
    if ((message.fate.fate === 'waiting') !== waits)
      complain('L11', `a message is ${message.fate.fate}, and the conversation says otherwise`);
    if (waits && conversation?.activeRun === undefined)
      complain('L11', 'a message waits, and no run will read it');
  }
  for (const action of itemsOf(judged, 'action')) {
    if (action.engaged) complain('L4', 'an attempt is open, and nobody works on it');
    const isOpen = action.disposition.kind === 'open' || action.disposition.kind === 'suspended';
    const unknown = action.effect === 'undetermined' || action.effect === 'in_progress';
    const waits = shown.some(({ actionId }) => actionId === action.actionId);
    if (unknown && action.disposition.kind === 'open' && !waits)
      complain('L14', `an action is ${action.effect}, and nobody is asked`);
    if (isOpen && action.attempts > 0 && action.told === undefined && !waits)
      complain('L16', 'a call has no result, and nobody is asked');
  }
  if (itemsOf(judged, 'outbox').length > 0) complain('L17', 'the outbox is not empty');
};

/** The marker is held by exactly those whose outcome may still surprise. */
const aboutMarkers = (judged: Judged, complain: Complain): void => {
  for (const action of itemsOf(judged, 'action')) {
    const marker = judged.store.memory.markers.get(`${action.workspace} ${action.likeDigest}`);
    const holds = marker?.holders.has(action.actionId) === true;
    const surprises =
      ['engaged', 'in_progress', 'undetermined'].includes(action.effect) &&
      !['abandoned', 'reissued'].includes(action.disposition.kind);
    if (surprises && !holds) complain('L20', `${action.effect}, and holds no marker`);
    const over = ['confirmed', 'accepted', 'not_performed'].includes(action.effect);
    // A person may have looked too early: equal calls ask until its hold is over.
    const disproved = action.effect === 'not_performed' && action.likeHeldUntilMs !== undefined;
    if (over && holds && !disproved)
      complain('L20', `${action.effect}, and still holds the marker`);
  }
};

/** What is broken; empty when all laws hold. */
export const brokenLaws = async (judged: Judged): Promise<string[]> => {
  const broken: string[] = [];
  const complain: Complain = (law, what) => void broken.push(`${law}: ${what}`);
  for (const action of itemsOf(judged, 'action')) {
    const journal = await judged.store.journal(action.actionId);
    aboutSending(judged, action, journal, complain);
    aboutAuthorisation(journal, complain);
    aboutEffect(judged, action, journal, complain);
    aboutJournal(judged, action, journal, complain);
  }
  const known = new Set<string>(itemsOf(judged, 'action').map(({ actionId }) => actionId));
  for (const { reference } of judged.destination.sent)
    if (!known.has(reference)) complain('L2', 'something was sent that is no stored action');
  aboutTelling(judged, complain);
  aboutEvents(judged, complain);
  aboutLock(judged, complain);
  aboutMarkers(judged, complain);
  if (judged.isAtRest) aboutRest(judged, complain);
  return broken;
};
