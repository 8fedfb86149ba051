// When a schedule is due next, in words and in five real dates of its own zone, with the days on which the clocks change.
// The server reckons, by the Scheduler's own rules.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { previewSchedule } from '../api/calls.ts';
import { regionOf, settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';

const shown = 5;
const settleMs = 300;

/** The value once it has not changed for a moment. */
const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

const dateIn = (language: string, zone: string, at: string): string => {
  try {
    return new Intl.DateTimeFormat(regionOf(language), {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: zone,
    }).format(Date.parse(at));
  } catch {
    return at;
  }
};

export const SchedulePreview = ({
  schedule,
  zone,
}: {
  readonly schedule: string;
  readonly zone: string;
}): ReactNode => {
  const words = useLater().routines;
  const { language } = useStore(settings);
  const wanted = useSettled(`${schedule}\n${zone}`);
  const [expression = '', place = ''] = wanted.split('\n');
  const asked = useQuery({
    queryKey: ['preview', expression, place],
    queryFn: () => previewSchedule({ schedule: expression, zone: place, count: shown }),
    enabled: expression !== '' && place !== '',
    retry: false,
    placeholderData: (before) => before,
  });
  return (
    <section className="preview" aria-live="polite">
      <h3>{words.preview}</h3>
      {asked.error ? <ProblemNote cause={asked.error} /> : null}
      {asked.data === undefined || asked.error ? null : (
        <>
          <p>
            {asked.data.words[language]} <code>{expression}</code>
          </p>
          <ol>
            {asked.data.occurrences.map(({ at }) => (
              <li key={at}>
                <time dateTime={at}>{dateIn(language, place, at)}</time>
              </li>
            ))}
          </ol>
          {asked.data.warnings.map(({ code, words: said }) => (
            <p key={`${code}:${said.en}`} className="clock-change">
              <Icon name="clock" /> <strong>{words.warning}</strong> {said[language]}
            </p>
          ))}
          <p className="hint">
            {place}. {words.precision}
          </p>
        </>
      )}
    </section>
  );
};
