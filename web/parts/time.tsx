// An instant, as the person wants it: relative, local or UTC; always with the whole date on it.
// Owns: that relative times go on by themselves, with one timer for all, and that no live region reads each second aloud.
import type { ReactNode } from 'react';
import { regionOf, settings, type TimeStyle } from '../base/settings.ts';
import { storeOf, useStore } from '../base/store.ts';
import { lengthIn, useWords } from '../words/index.tsx';

const now = storeOf(Date.now());
setInterval(() => now.set(Date.now()), 1_000);

const coarseMs = 300_000;
const coarse = storeOf(Date.now());
setInterval(() => coarse.set(Date.now()), coarseMs);

/** The present, to the second. */
export const useNow = (): number => useStore(now);

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
] as const;

const relativeIn = (language: string, ms: number): string => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  let value = ms / 1_000;
  if (Math.abs(value) < 5) return format.format(0, 'second');
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return format.format(Math.round(value), unit);
    value /= size;
  }
  return format.format(Math.round(value), 'year');
};

export const absoluteIn = (language: string, at: number, utc: boolean): string =>
  new Intl.DateTimeFormat(regionOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    // A date without its zone misleads, on paper above all.
    timeZoneName: 'short',
    ...(utc ? { timeZone: 'UTC' } : {}),
  }).format(at);

const zoned = (language: string, at: number): string =>
  new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'full', timeStyle: 'long' }).format(at);

const textOf = (style: TimeStyle, language: string, at: number, nowMs: number): string =>
  style === 'relative'
    ? relativeIn(language, at - nowMs)
    : absoluteIn(language, at, style === 'utc');

/** What lies an hour back is told in hours: a long list of such times need not count the seconds. */
const Relative = ({ at, language }: { readonly at: number; readonly language: string }) => (
  <>{textOf('relative', language, at, useStore(coarse.get() - at > 3_600_000 ? coarse : now))}</>
);

/** `at` is ISO 8601 or epoch milliseconds; `exact` always shows the date, also where lists say "2 min ago". */
export const Time = ({
  at,
  exact = false,
}: {
  readonly at: string | number;
  readonly exact?: boolean;
}): ReactNode => {
  const { language, times } = useStore(settings);
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const style: TimeStyle = exact && times === 'relative' ? 'local' : times;
  return (
    <time aria-live="off" dateTime={new Date(ms).toISOString()} title={zoned(language, ms)}>
      {style === 'relative' ? (
        <Relative at={ms} language={language} />
      ) : (
        textOf(style, language, ms, ms)
      )}
    </time>
  );
};

/** The time of a day, to the second, whatever style the others have: it says how old what is shown is. */
export const Clock = ({ at }: { readonly at: number }): ReactNode => {
  const { language, times } = useStore(settings);
  const format = new Intl.DateTimeFormat(regionOf(language), {
    timeStyle: 'medium',
    ...(times === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>;
};

const Since = ({ at, language }: { readonly at: number; readonly language: string }) =>
  useWords().elapsed(lengthIn(language, Math.max(0, useNow() - at)));

/** For how long something has been so: "for 2 min", or since when, as the person wants it. */
export const Elapsed = ({ at }: { readonly at: string }): ReactNode => {
  const { language, times } = useStore(settings);
  const ms = Date.parse(at);
  return (
    <time aria-live="off" dateTime={at} title={zoned(language, ms)}>
      {times === 'relative' ? (
        <Since at={ms} language={language} />
      ) : (
        absoluteIn(language, ms, times === 'utc')
      )}
    </time>
  );
};
