// A schedule in a few plain words, for lists: as it was built. What was written as an own expression stays that.
import type { LaterWords } from '../words/later.ts';
import { draftOf, firstDraft } from './schedule-draft.ts';

export const scheduleWords = (schedule: string, { routines }: LaterWords): string => {
  const draft = draftOf(schedule, firstDraft(''));
  const { kind, time, day, dayOfMonth, value, unit, date, text } = draft;
  const { plain, kinds } = routines;
  switch (kind) {
    case 'daily':
    case 'weekdays':
      return plain.at(kinds[kind], time);
    case 'weekly':
      return plain.at(plain.weekly(routines.days[day]), time);
    case 'monthly':
      return plain.at(plain.monthly(dayOfMonth), time);
    case 'interval':
      return plain.interval[unit](value);
    case 'once':
      return plain.at(kinds.once, date.replace('T', ' '));
    case 'own':
      return text;
  }
};
