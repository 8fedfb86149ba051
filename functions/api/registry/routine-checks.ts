// Whether a routine can be as somebody wants it: its schedule, its agent, its conversation. Owns: those checks and their words.
// Tested in test/routines/desk.test.ts.

import type { RoutineContent } from '../../core/records/routine.ts';
import { type ReadSchedule, readSchedule } from '../../core/routines/schedule.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import type { Caller } from '../identity/identity.ts';
import type { Language } from '../problems/language.ts';
import { problem } from '../problems/problems.ts';
import { faultWords } from './schedule-words.ts';

type ScheduleParts = Pick<RoutineContent, 'schedule' | 'zone' | 'startsAt' | 'endsAt'>;

const words = {
  unknown_agent: {
    en: 'There is no such agent in this workspace.',
    fr: 'Cet agent n’existe pas dans cet espace de travail.',
  },
  unknown_conversation: {
    en: 'There is no such conversation in this workspace.',
    fr: 'Cette conversation n’existe pas dans cet espace de travail.',
  },
  other_agent: {
    en: 'That conversation is with another agent.',
    fr: 'Cette conversation est avec un autre agent.',
  },
  ends_before_start: { en: 'It ends before it starts.', fr: 'La fin précède le début.' },
  never_due: {
    en: 'It would never fire: nothing of it lies ahead.',
    fr: 'Rien n’aurait jamais lieu : il n’en reste rien à venir.',
  },
} as const;

const refused = (field: string, code: string, say: (language: Language) => string): never => {
  throw problem(
    'invalid-body',
    {},
    { errors: (language) => [{ field, code, reason: say(language) }] },
  );
};

/** A rate that names no start counts from the next whole minute. */
export const anchorOf = ({ startsAt }: Pick<RoutineContent, 'startsAt'>, nowMs: number): number =>
  startsAt === undefined ? Math.ceil(nowMs / 60_000) * 60_000 : Date.parse(startsAt);

/** The schedule, read. Throws the problem `invalid-body` with the fault in words. */
export const scheduleFor = (
  { schedule: expression, zone, startsAt, endsAt }: ScheduleParts,
  anchorMs: number,
): Extract<ReadSchedule, { kind: 'timetable' }> => {
  const startMs = startsAt === undefined ? undefined : Date.parse(startsAt);
  const endMs = endsAt === undefined ? undefined : Date.parse(endsAt);
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs)
    refused('endsAt', 'ends_before_start', (language) => words.ends_before_start[language]);
  const read = readSchedule({
    expression,
    zone,
    anchorMs,
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
  });
  if (read.kind === 'timetable') return read;
  const { fault } = read;
  return refused(fault.field, fault.code, (language) => faultWords(fault, language));
};

/** Throws the problem that stands against a routine. */
export const checkRoutine = async (
  world: ApiWorld,
  caller: Caller,
  content: RoutineContent,
  nowMs: number,
): Promise<void> => {
  const { timetable } = scheduleFor(content, anchorOf(content, nowMs));
  if (timetable.next(nowMs) === undefined)
    refused('schedule', 'never_due', (language) => words.never_due[language]);
  if ((await world.registry.newestAgent(caller.workspace, content.agentId)) === undefined)
    refused('agentId', 'unknown_agent', (language) => words.unknown_agent[language]);
  const place = content.conversation;
  if (place.kind === 'own') return;
  const found = (await world.store.read({ conversation: place.conversationId })).conversation;
  const at = 'conversation.conversationId';
  if (found === undefined || found.item.workspace !== caller.workspace)
    return refused(at, 'unknown_conversation', (language) => words.unknown_conversation[language]);
  if (found.item.agentId !== content.agentId)
    refused(at, 'other_agent', (language) => words.other_agent[language]);
};
