// The fields of a form about an action: evidence (what, where, when, how far), reasons, dates, risks. Owns: what each asks for.
import type { ReactNode } from 'react';
import type { PersonsEvidence } from '../api/types.ts';
import { regionOf, settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import type { FieldNames } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { type AllWords, useLater } from '../words/later.ts';

export const evidenceFields = ['what', 'where', 'when', 'coverage', 'reference'] as const;
export type Field = (typeof evidenceFields)[number] | 'until' | 'reason' | 'risk';
export type Given = { readonly [Name in Field]: string };

/** An instant in the form of a `datetime-local` field. */
const localForm = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const hourMs = 3_600_000;
export const nothingGiven = (): Given => ({
  what: '',
  where: '',
  when: localForm(Date.now()),
  coverage: '',
  reference: '',
  until: localForm(Date.now() + hourMs),
  reason: '',
  risk: '',
});

export const evidenceFrom = (given: Given): PersonsEvidence => {
  const { what, where, coverage } = given;
  const reference = given.reference.trim();
  const when = new Date(given.when).toISOString();
  return { what, where, when, coverage, ...(reference === '' ? {} : { reference }) };
};

/** What the form calls the fields that the API names: `evidence.coverage` of a decision, `coverage` of an observation. */
export const fieldNames = ({ recovery }: AllWords): FieldNames =>
  Object.fromEntries([
    ...evidenceFields.flatMap((name) => [
      [name, recovery[name]],
      [`evidence.${name}`, recovery[name]],
    ]),
    ['until', recovery.until],
    ['reason', recovery.reason],
    ['riskAccepted', recovery.risk],
  ]);

/** The zone in which the browser takes such a field, named: what is typed is that time and no other. */
const zoneIn = (language: string): string => {
  const format = new Intl.DateTimeFormat(regionOf(language), { timeZoneName: 'short' });
  const short = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const { timeZone } = format.resolvedOptions();
  return timeZone === short ? short : `${timeZone} (${short})`;
};

const hintOf = (name: Field, { recovery }: AllWords): string | undefined => {
  const { whatHint: what, whereHint: where, coverageHint: coverage, riskHint: risk } = recovery;
  return { what, where, coverage, risk, reference: recovery.optional }[String(name)];
};

const One = ({
  name,
  given,
  change,
}: {
  readonly name: Field;
  readonly given: Given;
  readonly change: (given: Given) => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { language } = useStore(settings);
  const isTime = name === 'when' || name === 'until';
  return (
    <label>
      {words.recovery[name]}{' '}
      <span className="hint">
        {isTime ? words.recovery.zone(zoneIn(language)) : hintOf(name, words)}
      </span>
      <input
        type={isTime ? 'datetime-local' : 'text'}
        value={given[name]}
        required={name !== 'reference'}
        minLength={isTime || name === 'reference' ? undefined : 3}
        onChange={({ target }) => change({ ...given, [name]: target.value })}
      />
    </label>
  );
};

export const Fields = ({
  names,
  given,
  change,
}: {
  readonly names: readonly Field[];
  readonly given: Given;
  readonly change: (given: Given) => void;
}): ReactNode => names.map((name) => <One key={name} name={name} given={given} change={change} />);
