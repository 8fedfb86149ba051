// Schedules in people's words, and what is wrong or odd about one. Owns: those sentences, in every language.
// Tested in test/routines/desk.test.ts.
import cronstrue from 'cronstrue/i18n.js';
import { frenchDate } from '../../core/french/date.ts';
import type { ScheduleWarning } from '../../core/routines/clock-changes.ts';
import { type CronField, periodOf, type ScheduleFault } from '../../core/routines/schedule.ts';
import { type Language, languages } from '../problems/language.ts';

/** The package is CommonJS that calls itself an ES module: some loaders hand out its default export, some the whole. */
const describer: typeof cronstrue.default = Reflect.get(cronstrue, 'default') ?? cronstrue;

type Said = { readonly [L in Language]: string };

const both = (say: (language: Language) => string): Said => {
  const [en, fr] = languages;
  return { [en]: say(en), [fr]: say(fr) };
};

const units = {
  en: { day: ['day', 'days'], hour: ['hour', 'hours'], minute: ['minute', 'minutes'] },
  fr: { day: ['jour', 'jours'], hour: ['heure', 'heures'], minute: ['minute', 'minutes'] },
} as const;
const sizes = { day: 86_400_000, hour: 3_600_000, minute: 60_000 } as const;
const names = ['day', 'hour', 'minute'] as const;

const everyPeriod = (periodMs: number, language: Language): string => {
  const unit = names.find((name) => periodMs % sizes[name] === 0) ?? 'minute';
  const count = periodMs / sizes[unit];
  const [one, many] = units[language][unit];
  if (language === 'en') return count === 1 ? `Every ${one}` : `Every ${count} ${many}`;
  const every = unit === 'day' ? 'Tous' : 'Toutes';
  return count === 1 ? `${every} les ${many}` : `${every} les ${count} ${many}`;
};

const atTime = (expression: string, language: Language): string => {
  const wallMs = Date.parse(`${expression.slice('at('.length, -1)}Z`);
  const time = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(wallMs);
  return language === 'fr' ? `Une fois, le ${frenchDate(time)}` : `Once, on ${time}`;
};

/** A schedule that was read without fault, as people say it. */
export const scheduleWords = (expression: string): Said => {
  const periodMs = periodOf(expression);
  if (periodMs !== undefined) return both((language) => everyPeriod(periodMs, language));
  if (expression.startsWith('at(')) return both((language) => atTime(expression, language));
  const fields = expression.slice('cron('.length, -1).trim();
  return both((locale) =>
    describer.toString(`0 ${fields}`, {
      locale,
      dayOfWeekStartIndexZero: false,
      use24HourTimeFormat: true,
    }),
  );
};

const fieldNames: { readonly [Field in CronField]: Said } = {
  minutes: { en: 'minutes (0–59)', fr: 'minutes (0–59)' },
  hours: { en: 'hours (0–23)', fr: 'heures (0–23)' },
  'day-of-month': { en: 'day of month (1–31, L, 15W)', fr: 'jour du mois (1–31, L, 15W)' },
  month: { en: 'month (1–12, JAN–DEC)', fr: 'mois (1–12, JAN–DEC)' },
  'day-of-week': {
    en: 'day of week (1–7 or SUN–SAT; 1 is Sunday)',
    fr: 'jour de la semaine (1–7 ou SUN–SAT ; 1 est dimanche)',
  },
  year: { en: 'year (1970–2199)', fr: 'année (1970–2199)' },
};

const faults: {
  readonly [Code in ScheduleFault['code']]: (part: string) => Said;
} = {
  unknown_zone: (part) => ({
    en: `"${part}" is no time zone. Give an IANA name, such as Europe/Paris.`,
    fr: `« ${part} » n’est pas un fuseau horaire. Donnez un nom IANA, tel que Europe/Paris.`,
  }),
  unknown_form: (part) => ({
    en: `"${part}" is no schedule. Write cron(…), rate(…) or at(…).`,
    fr: `« ${part} » n’est pas un horaire. Écrivez cron(…), rate(…) ou at(…).`,
  }),
  bad_rate: (part) => ({
    en: `"${part}" is no rate. Write rate(1 hour), or rate(5 minutes) for several.`,
    fr: `« ${part} » n’est pas une fréquence. Écrivez rate(1 hour), ou rate(5 minutes) au pluriel.`,
  }),
  bad_time: (part) => ({
    en: `"${part}" is no time. Write at(2026-12-31T09:00:00), without zone.`,
    fr: `« ${part} » n’est pas une date. Écrivez at(2026-12-31T09:00:00), sans fuseau.`,
  }),
  six_fields: (part) => ({
    en: `"${part}" needs six fields: minutes hours day-of-month month day-of-week year.`,
    fr: `« ${part} » demande six champs : minutes heures jour-du-mois mois jour-de-semaine année.`,
  }),
  one_day_field: () => ({
    en: 'Exactly one of day of month and day of week must be "?".',
    fr: 'Un seul des champs jour du mois et jour de la semaine doit être « ? ».',
  }),
  bad_field: (part) => ({ en: `"${part}" does not fit.`, fr: `« ${part} » ne convient pas.` }),
};

export const faultWords = (fault: ScheduleFault, language: Language): string => {
  const said = faults[fault.code](fault.part)[language];
  if (fault.code !== 'bad_field') return said;
  const name = fieldNames[fault.of][language];
  return language === 'fr' ? `${said} Champ : ${name}.` : `${said} Field: ${name}.`;
};

/** A local time, `2026-03-29T02:30`, as a date in words. */
const localWords = (local: string, language: 'en-GB' | 'fr-FR'): string => {
  const formatted = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(Date.parse(`${local}Z`));
  return language === 'fr-FR' ? frenchDate(formatted) : formatted;
};

export const warningWords = (warning: ScheduleWarning): Said => {
  switch (warning.code) {
    case 'skipped':
      return {
        en: `${localWords(warning.local, 'en-GB')} will not exist, since the clocks go forward: it is skipped.`,
        fr: `Le ${localWords(warning.local, 'fr-FR')} n’existera pas, l’heure avançant : cette occurrence est omise.`,
      };
    case 'happens_twice':
      return {
        en: `${localWords(warning.local, 'en-GB')} will happen twice, since the clocks go back: it fires the first time only.`,
        fr: `Le ${localWords(warning.local, 'fr-FR')} aura lieu deux fois, l’heure reculant : seule la première compte.`,
      };
    case 'rate_shifts':
      return {
        en: `A day of a rate is 24 hours: after ${warning.at}, when the clocks change, the local time is another.`,
        fr: `Un jour de fréquence dure 24 heures : après le ${warning.at}, au changement d’heure, l’heure locale diffère.`,
      };
    case 'never_again':
      return { en: 'It never fires again.', fr: 'Plus aucune occurrence n’aura lieu.' };
  }
};
