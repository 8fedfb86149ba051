// An occurrence gets its record: one change that says the message and starts, steers or queues its run, or says why not.
// Owns: that change. Laws: L11 (the conversation's lock decides), L17, L19 (the record is put once, together with the run).
// Tested in test/routines/firing.test.ts.

import type { Author } from '../base/author.ts';
import type { RunId } from '../base/ids.ts';
import type { Change, PutWrite, ReplaceWrite, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import { queuedMax } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import type { Occurrence, OccurrenceOutcome, Routine, RoutineClock } from '../records/routine.ts';
import type { AgentRevision } from '../registry/agent.ts';
import { postMessage } from '../turn/post-message.ts';
import { queueMessage } from '../turn/queue-message.ts';
import { idsOf, timetableOf, type Wanted, withLook, withRecord } from './routine.ts';

export interface Stand {
  readonly routine: Routine;
  readonly clock: Versioned<RoutineClock>;
  readonly nowMs: number;
}

export interface Firing extends Stand {
  readonly wanted: Wanted;
  /** The one it is said in; a new one is empty. */
  readonly conversation: Versioned<Conversation>;
  readonly agent: AgentRevision;
}

export interface Fired {
  readonly change: Change;
  readonly occurrence: Occurrence;
}

/** The record of an occurrence with this outcome. */
export const occurrenceOf = (
  { routine, nowMs }: Stand,
  wanted: Wanted,
  outcome: OccurrenceOutcome,
): Occurrence => ({
  schema: 1,
  workspace: routine.workspace,
  routineId: routine.routineId,
  occurrenceId: wanted.occurrenceId,
  cause: wanted.cause,
  dueAt: new Date(wanted.dueMs).toISOString(),
  ...(wanted.retryOf === undefined ? {} : { retryOf: wanted.retryOf }),
  ...(wanted.by === undefined ? {} : { by: wanted.by }),
  recordedAt: new Date(nowMs).toISOString(),
  outcome,
});

/** The occurrences with their outcome, and the clock that knows of them. */
export const recordsOf = (
  stand: Stand,
  outcomes: readonly { readonly wanted: Wanted; readonly outcome: OccurrenceOutcome }[],
  coveredMs?: number,
): { readonly writes: (PutWrite | ReplaceWrite)[]; readonly occurrences: Occurrence[] } => {
  const { routine, clock, nowMs } = stand;
  const timetable = timetableOf(routine);
  const occurrences = outcomes.map(({ wanted, outcome }) => occurrenceOf(stand, wanted, outcome));
  let next = clock.item;
  for (const { wanted, outcome } of outcomes) {
    next = withRecord(next, timetable, wanted);
    if (outcome.kind === 'fired') {
      const { conversationId, runId } = outcome;
      next = { ...next, last: { conversationId, runId } };
    }
  }
  const covered = { ...next, coveredMs: Math.max(next.coveredMs, coveredMs ?? 0) };
  const looking = withLook(covered, routine, timetable, nowMs);
  // Somebody delivers what is not due: the Scheduler may know something else than the routine says.
  const astray = outcomes.some(
    ({ outcome }) => outcome.kind === 'skipped' && outcome.because === 'not_due',
  );
  return {
    occurrences,
    writes: [
      ...occurrences.map((item): PutWrite => ({ do: 'put', kind: 'occurrence', item })),
      {
        do: 'replace',
        kind: 'routine-clock',
        item: astray ? { ...looking, lookAtMs: nowMs } : looking,
        rev: clock.rev,
      },
    ],
  };
};

export const skippedEvent = ({ occurrenceId, outcome }: Occurrence): EventBody => ({
  type: 'routine.skipped',
  occurrence: occurrenceId,
  because: outcome.kind === 'skipped' ? outcome.because : outcome.kind,
});

const routineAuthor = ({ routineId, name }: Routine): Author => ({
  kind: 'routine',
  subject: routineId,
  name,
});

const skip = (
  firing: Firing,
  outcome: Extract<OccurrenceOutcome, { kind: 'skipped' }>,
): { readonly change: Change; readonly occurrence: Occurrence } => {
  const occurrence = occurrenceOf(firing, firing.wanted, outcome);
  const { writes } = recordsOf(firing, [{ wanted: firing.wanted, outcome }]);
  const { conversation } = firing;
  return { occurrence, change: { conversation, events: [skippedEvent(occurrence)], writes } };
};

type Said = { readonly change: Change; readonly outcome: OccurrenceOutcome } | 'refused';

/** Says the message: as the conversation's next run, to the one in progress, or behind it. */
const say = (firing: Firing, how: 'post' | 'queue'): Said => {
  const { conversation, agent, routine, wanted, nowMs } = firing;
  const { messageId, runId } = idsOf(wanted.occurrenceId);
  const { conversationId } = conversation.item;
  const message = { messageId, text: routine.message, author: routineAuthor(routine) };
  const nowIso = new Date(nowMs).toISOString();
  const fired = (by: 'started' | 'steered' | 'queued', inRun: RunId): OccurrenceOutcome => ({
    kind: 'fired',
    how: by,
    conversationId,
    messageId,
    runId: inRun,
  });
  if (how === 'queue') {
    const { occurrenceId } = wanted;
    const change = queueMessage({ conversation, message, runId, occurrenceId, nowIso });
    return { change, outcome: fired('queued', runId) };
  }
  const posted = postMessage({ conversation, agent, message, runId, nowIso });
  if (posted.kind === 'refused') return 'refused';
  const started = posted.fate === 'started';
  return {
    change: posted.change,
    outcome: fired(started ? 'started' : 'steered', posted.runId),
  };
};

/** Decides an occurrence whose fate is to fire. */
export const fire = (firing: Firing): Fired => {
  const { activeRun, queued } = firing.conversation.item;
  const { overlap } = firing.routine;
  if (activeRun !== undefined && overlap === 'skip')
    return skip(firing, { kind: 'skipped', because: 'run_active', runId: activeRun });
  const queues = activeRun !== undefined && overlap === 'queue';
  if (queues && queued.length >= queuedMax)
    return skip(firing, { kind: 'skipped', because: 'queue_full', runId: activeRun });
  const said = say(firing, queues ? 'queue' : 'post');
  if (said === 'refused') return skip(firing, { kind: 'skipped', because: 'too_many_messages' });
  const { change, outcome } = said;
  const occurrence = occurrenceOf(firing, firing.wanted, outcome);
  const { writes } = recordsOf(firing, [{ wanted: firing.wanted, outcome }]);
  const { occurrenceId } = occurrence;
  const fired: EventBody[] =
    outcome.kind === 'fired' && outcome.how !== 'queued'
      ? [{ type: 'routine.fired', occurrence: occurrenceId, runId: outcome.runId }]
      : [];
  return {
    occurrence,
    change: {
      ...change,
      events: [...change.events, ...fired],
      writes: [...change.writes, ...writes],
    },
  };
};
