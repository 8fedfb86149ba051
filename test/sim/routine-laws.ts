// What must hold of routines in every simulated world. Judged by the store alone: records, messages, runs and events, held
// against the times that were due. Laws: L19, and L11 as far as a routine speaks.

import type { RoutineId } from '../../functions/core/base/ids.ts';
import type { Message } from '../../functions/core/records/conversation.ts';
import type { Occurrence } from '../../functions/core/records/routine.ts';
import { lateMs } from '../../functions/core/routines/routine.ts';
import type { MemoryStore } from '../fakes/memory-store.ts';

export interface JudgedRoutine {
  readonly store: MemoryStore;
  readonly routineId: RoutineId;
  /** Every instant at which it was due and active. */
  readonly dueMs: readonly number[];
  /** Instants about which nothing is asked: somebody was changing it just then. */
  readonly open?: (dueMs: number) => boolean;
  /** Times that a person had it run, by key. */
  readonly nows: number;
  readonly nowMs: number;
}

type Complain = (law: string, what: string) => void;

const all = <Kind extends keyof MemoryStore['memory']['items']>(store: MemoryStore, kind: Kind) =>
  [...store.memory.items[kind].values()].map(({ item }) => item);

const minute = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/** One record for each time that was due, and none that runs at any other. */
const aboutRecords = (judged: JudgedRoutine, own: readonly Occurrence[], complain: Complain) => {
  const due = own.filter(({ cause }) => cause === 'due');
  for (const dueMs of judged.dueMs) {
    const count = due.filter(({ dueAt }) => Date.parse(dueAt) === dueMs).length;
    if (count !== 1) complain('L19', `${count} records of what was due at ${minute(dueMs)}`);
  }
  const times = new Set(due.map(({ dueAt }) => dueAt));
  if (times.size !== due.length) complain('L19', 'two records of one time');
  const asked = new Set(judged.dueMs);
  for (const { dueAt, outcome } of due) {
    const dueMs = Date.parse(dueAt);
    if (outcome.kind !== 'skipped' && !asked.has(dueMs) && judged.open?.(dueMs) !== true)
      complain('L19', `${outcome.kind} at ${minute(dueMs)}, which was not due`);
  }
  const nows = own.filter(({ cause }) => cause === 'now').length;
  if (nows !== judged.nows) complain('L19', `${nows} records of ${judged.nows} runs asked for`);
};

/** A firing is one message, read by one run; a message of the routine is one firing. */
const aboutMessages = (store: MemoryStore, own: readonly Occurrence[], complain: Complain) => {
  const runs = all(store, 'run');
  const messages = new Map(all(store, 'message').map((message) => [message.messageId, message]));
  const said = new Set<string>();
  for (const { outcome, occurrenceId } of own) {
    if (outcome.kind !== 'fired') continue;
    const { messageId, conversationId, runId, how } = outcome;
    if (said.has(messageId)) complain('L19', `${messageId} is the message of two occurrences`);
    said.add(messageId);
    const message = messages.get(messageId);
    const run = runs.find((one) => one.runId === runId);
    if (message === undefined) complain('L19', `${occurrenceId} fired, and said nothing`);
    else if (message.conversationId !== conversationId)
      complain('L19', `${occurrenceId} was said elsewhere than its record says`);
    if (run === undefined) complain('L19', `${occurrenceId} fired, and there is no run`);
    else if (how !== 'steered' && run.firstMessageId !== messageId)
      complain('L19', `${occurrenceId} ${how} a run that another message began`);
  }
  const opened = runs.map(({ firstMessageId }) => firstMessageId);
  if (new Set(opened).size !== opened.length) complain('L11', 'one message began two runs');
  for (const message of messages.values()) aboutFate(message, complain);
  const [first] = own;
  for (const { author, messageId } of messages.values())
    if (author.subject === first?.routineId && !said.has(messageId))
      complain('L19', `${messageId} was said for no occurrence`);
};

const aboutFate = ({ author, fate, messageId }: Message, complain: Complain): void => {
  if (author.kind === 'routine' && fate.fate === 'withdrawn')
    complain('L11', `${messageId} of a routine was withdrawn`);
};

/** Each record is told in its conversation once: as fired when its message is read or its run begins, else as skipped. */
const aboutTold = (store: MemoryStore, own: readonly Occurrence[], complain: Complain) => {
  const routine = all(store, 'routine').find(({ routineId }) => routineId === own[0]?.routineId);
  const events = all(store, 'event').map(({ body }) => body);
  for (const { occurrenceId, outcome } of own) {
    const told = events.filter((body) => 'occurrence' in body && body.occurrence === occurrenceId);
    const fired = told.filter(({ type }) => type === 'routine.fired').length;
    const skipped = told.filter(({ type }) => type === 'routine.skipped').length;
    const fires = outcome.kind === 'fired' ? 1 : 0;
    if (fired !== fires)
      complain('L17', `${occurrenceId} ${outcome.kind}: ${fired} times as fired`);
    const isFixed = routine?.conversation.kind === 'fixed';
    if (skipped > 1 - fires || (isFixed && skipped !== 1 - fires))
      complain('L17', `${occurrenceId} ${outcome.kind}: told ${skipped} times as skipped`);
  }
};

/** Fired late only as the newest within the window; "busy" only beside a run that was in progress. */
const aboutReasons = (judged: JudgedRoutine, own: readonly Occurrence[], complain: Complain) => {
  const { store } = judged;
  const routine = all(store, 'routine').find(({ routineId }) => routineId === judged.routineId);
  const runs = all(store, 'run');
  for (const { cause, dueAt, recordedAt, outcome } of own) {
    const [dueMs, atMs] = [Date.parse(dueAt), Date.parse(recordedAt)];
    const isLate = cause === 'due' && atMs - dueMs > lateMs;
    const at = minute(dueMs);
    if (outcome.kind === 'fired') {
      const newer = judged.dueMs.some((other) => other > dueMs && other <= atMs);
      const missed = routine?.missed;
      const inWindow = missed?.policy === 'one' && atMs - dueMs <= missed.windowMs;
      if (isLate && (newer || !inWindow)) complain('L19', `${at} was made up for, and is too old`);
      if (outcome.how !== 'started' && !outcome.how.startsWith(routine?.overlap ?? ''))
        complain('L19', `${at} was ${outcome.how}, which is not the routine’s rule`);
    }
    if (outcome.kind === 'missed' && !isLate) complain('L19', `${at} is missed, and was in time`);
    if (outcome.kind !== 'skipped' || outcome.because !== 'run_active') continue;
    const run = runs.find(({ runId }) => runId === outcome.runId);
    const endedMs = run?.state.status === 'finished' ? Date.parse(run.state.at) : Infinity;
    const busy = run !== undefined && Date.parse(run.startedAt) <= atMs && atMs <= endedMs;
    if (!busy) complain('L19', `${at} gave way to a run that was not in progress`);
  }
};

/** The Scheduler was told, and the sweep has no more to look for. */
const aboutClock = ({ store, routineId, nowMs }: JudgedRoutine, complain: Complain): void => {
  const clock = all(store, 'routine-clock').find((one) => one.routineId === routineId);
  if (clock?.applied !== clock?.wanted || clock === undefined)
    complain('L19', 'the Scheduler was not told of a change');
  if (clock?.lookAtMs !== undefined && clock.lookAtMs < nowMs)
    complain('L19', `the sweep has not looked since ${minute(clock.lookAtMs)}`);
};

/** What is broken; empty when all holds. */
export const brokenByRoutine = (judged: JudgedRoutine): string[] => {
  const broken: string[] = [];
  const complain: Complain = (law, what) => void broken.push(`${law}: ${what}`);
  const { store, routineId } = judged;
  const own = all(store, 'occurrence').filter((one) => one.routineId === routineId);
  aboutRecords(judged, own, complain);
  aboutMessages(store, own, complain);
  aboutTold(store, own, complain);
  aboutReasons(judged, own, complain);
  aboutClock(judged, complain);
  return broken;
};
