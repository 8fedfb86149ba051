// A schedule in plain words, as somebody builds it, and the expression it stands for. Owns: going from one to the other.
// Whether an expression is sound, and when it is due, is the server's to say.

export const scheduleKinds = [
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'interval',
  'once',
  'own',
] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];
export const weekDays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type WeekDay = (typeof weekDays)[number];
export const units = ['minutes', 'hours', 'days'] as const;
export type Unit = (typeof units)[number];

export interface Draft {
  readonly kind: ScheduleKind;
  /** `HH:MM` */
  readonly time: string;
  readonly day: WeekDay;
  readonly dayOfMonth: number;
  readonly value: number;
  readonly unit: Unit;
  /** `YYYY-MM-DDTHH:MM` */
  readonly date: string;
  readonly text: string;
}

export const firstDraft = (date: string): Draft => ({
  kind: 'daily',
  time: '09:00',
  day: 'MON',
  dayOfMonth: 1,
  value: 1,
  unit: 'hours',
  date,
  text: '',
});

export const scheduleOf = (draft: Draft): string => {
  const { kind, time, day, dayOfMonth, value, unit, date, text } = draft;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  switch (kind) {
    case 'daily':
      return `cron(${minute} ${hour} * * ? *)`;
    case 'weekdays':
      return `cron(${minute} ${hour} ? * MON-FRI *)`;
    case 'weekly':
      return `cron(${minute} ${hour} ? * ${day} *)`;
    case 'monthly':
      return `cron(${minute} ${hour} ${dayOfMonth} * ? *)`;
    case 'interval':
      return `rate(${value} ${value === 1 ? unit.slice(0, -1) : unit})`;
    case 'once':
      return `at(${date}:00)`;
    case 'own':
      return text.trim();
  }
};

const timeOf = (hour = '0', minute = '0'): string =>
  `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;

/** The draft that makes this expression; what was not built from plain words stays an own expression. */
export const draftOf = (schedule: string, base: Draft): Draft => {
  const cron = /^cron\((\d+) (\d+) (\*|\?|\d+) \* (\?|[A-Z-]+) \*\)$/.exec(schedule);
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule);
  const once = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d):00\)$/.exec(schedule);
  const unit = units.find((one) => one === `${rate?.[2]}s`);
  if (rate && unit !== undefined)
    return { ...base, kind: 'interval', value: Number(rate[1]), unit };
  if (once?.[1] !== undefined) return { ...base, kind: 'once', date: once[1] };
  const time = timeOf(cron?.[2], cron?.[1]);
  const [day = '', weekDay = ''] = [cron?.[3], cron?.[4]];
  const known = weekDays.find((one) => one === weekDay);
  if (day === '*' && weekDay === '?') return { ...base, kind: 'daily', time };
  if (day === '?' && weekDay === 'MON-FRI') return { ...base, kind: 'weekdays', time };
  if (day === '?' && known !== undefined) return { ...base, kind: 'weekly', time, day: known };
  if (/^\d+$/.test(day) && weekDay === '?')
    return { ...base, kind: 'monthly', time, dayOfMonth: Number(day) };
  return { ...base, kind: 'own', text: schedule };
};
