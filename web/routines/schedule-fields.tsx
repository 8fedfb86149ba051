// A schedule built in plain words: how often, at what time, in which zone.
import type { ReactNode } from 'react';
import { useLater } from '../words/later.ts';
import { type Draft, scheduleKinds, units, weekDays } from './schedule-draft.ts';

interface Given {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
}

const Choice = <Value extends string>({
  label,
  values,
  value,
  word,
  set,
}: {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly word: (value: Value) => string;
  readonly set: (value: Value) => void;
}): ReactNode => (
  <label>
    {label}
    <select
      value={value}
      onChange={({ target }) => {
        const chosen = values.find((one) => one === target.value);
        if (chosen !== undefined) set(chosen);
      }}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {word(one)}
        </option>
      ))}
    </select>
  </label>
);

const Numbered = ({
  label,
  max,
  value,
  set,
}: {
  readonly label: string;
  readonly max: number;
  readonly value: number;
  readonly set: (value: number) => void;
}): ReactNode => (
  <label>
    {label}
    <input
      type="number"
      min={1}
      max={max}
      required
      value={value}
      onChange={({ target }) => set(Number(target.value))}
    />
  </label>
);

const Time = ({ draft, change }: Given): ReactNode => (
  <label>
    {useLater().routines.time}
    <input
      type="time"
      required
      value={draft.time}
      onChange={({ target }) => change({ ...draft, time: target.value })}
    />
  </label>
);

const Details = ({ draft, change }: Given): ReactNode => {
  const words = useLater().routines;
  switch (draft.kind) {
    case 'daily':
    case 'weekdays':
      return <Time draft={draft} change={change} />;
    case 'weekly':
      return (
        <>
          <Choice
            label={words.day}
            values={weekDays}
            value={draft.day}
            word={(day) => words.days[day]}
            set={(day) => change({ ...draft, day })}
          />
          <Time draft={draft} change={change} />
        </>
      );
    case 'monthly':
      return (
        <>
          <Numbered
            label={words.dayOfMonth}
            max={31}
            value={draft.dayOfMonth}
            set={(dayOfMonth) => change({ ...draft, dayOfMonth })}
          />
          <Time draft={draft} change={change} />
        </>
      );
    case 'interval':
      return (
        <>
          <Numbered
            label={words.every}
            max={9_999}
            value={draft.value}
            set={(value) => change({ ...draft, value })}
          />
          <Choice
            label={words.unit}
            values={units}
            value={draft.unit}
            word={(unit) => words.units[unit]}
            set={(unit) => change({ ...draft, unit })}
          />
        </>
      );
    case 'once':
      return (
        <label>
          {words.date}
          <input
            type="datetime-local"
            required
            value={draft.date}
            onChange={({ target }) => change({ ...draft, date: target.value })}
          />
        </label>
      );
    case 'own':
      return (
        <label>
          {words.expression}
          <input
            type="text"
            className="code"
            required
            placeholder="cron(30 2 * * ? *)"
            value={draft.text}
            onChange={({ target }) => change({ ...draft, text: target.value })}
          />
        </label>
      );
  }
};

const zones: readonly string[] = Intl.supportedValuesOf('timeZone');

export const ScheduleFields = ({
  draft,
  change,
  zone,
  setZone,
}: Given & { readonly zone: string; readonly setZone: (zone: string) => void }): ReactNode => {
  const words = useLater().routines;
  return (
    <fieldset className="schedule">
      <legend>{words.when}</legend>
      <Choice
        label={words.when}
        values={scheduleKinds}
        value={draft.kind}
        word={(kind) => words.kinds[kind]}
        set={(kind) => change({ ...draft, kind })}
      />
      <Details draft={draft} change={change} />
      <label>
        {words.zone}
        <input
          type="text"
          list="zones"
          required
          value={zone}
          onChange={({ target }) => setZone(target.value)}
        />
        <datalist id="zones">
          {zones.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
    </fieldset>
  );
};
