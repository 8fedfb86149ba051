// The audit: who decided what and when, as sentences, each with its reason and links to what it is about. The filters are in the
// address, so that a view is one link. Laws: L13.
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { auditKinds } from '../../functions/api/schemas/audit-kinds.ts';
import { keys } from '../api/cache.ts';
import { listAudit } from '../api/calls.ts';
import { listMs, useTools } from '../api/queries.ts';
import type { AuditEntry } from '../api/types.ts';
import { type Shown, useBook } from '../api/use-book.ts';
import { MoreOf, NewOf } from '../parts/long-list.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Entry } from './entry.tsx';

const names = ['kind', 'by', 'tool', 'until'] as const;
type Filter = { readonly [Name in (typeof names)[number]]: string };

const useFilter = (): readonly [Filter, (name: keyof Filter, value: string) => void] => {
  const [given, give] = useSearchParams();
  const of = (name: keyof Filter): string => given.get(name) ?? '';
  const filter = { kind: of('kind'), by: of('by'), tool: of('tool'), until: of('until') };
  const choose = (name: keyof Filter, value: string): void => {
    const next = { ...filter, [name]: value };
    give(Object.fromEntries(names.flatMap((one) => (next[one] ? [[one, next[one]]] : []))));
  };
  return [filter, choose];
};

/** What a date field shows of an instant, and back; a day is meant to its end. */
const dayOf = (until: string): string => until.slice(0, 10);
const endOf = (day: string): string => (day === '' ? '' : `${day}T23:59:59.999Z`);

const Choice = ({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly choose: (value: string) => void;
}): ReactNode => (
  <label>
    {label}{' '}
    <select value={value} onChange={({ target }) => choose(target.value)}>
      {options.map(([one, word]) => (
        <option key={one} value={one}>
          {word}
        </option>
      ))}
    </select>
  </label>
);

/** Who is in the rows that were shown, by subject, since the screen was opened. */
type People = ReadonlyMap<string, string>;

const Filters = ({
  filter,
  people,
  choose,
}: {
  readonly filter: Filter;
  readonly people: People;
  readonly choose: (name: keyof Filter, value: string) => void;
}): ReactNode => {
  const words = useWords();
  const { audit } = useLater();
  const tools = useTools().data ?? [];
  const { by } = filter;
  // A link may narrow to somebody of whom no row was seen yet.
  const named = by === '' || by === 'me' || people.has(by) ? [] : [[by, by] as const];
  return (
    <div className="row desk-filters">
      <Choice
        label={audit.kind}
        value={filter.kind}
        options={[['', words.all], ...auditKinds.map((one) => [one, audit.kinds[one]] as const)]}
        choose={(value) => choose('kind', value)}
      />
      <Choice
        label={audit.by}
        value={filter.by}
        options={[['', audit.anybody], ['me', audit.me], ...people, ...named]}
        choose={(value) => choose('by', value)}
      />
      <Choice
        label={audit.tool}
        value={filter.tool}
        options={[
          ['', words.all],
          ...tools.map(({ registration: { name } }) => [name, name] as const),
        ]}
        choose={(value) => choose('tool', value)}
      />
      <label>
        {audit.until}{' '}
        <input
          type="date"
          value={dayOf(filter.until)}
          onChange={({ target }) => choose('until', endOf(target.value))}
        />
      </label>
    </div>
  );
};

/** A narrowed list is looked through much further for the same number of rows. */
const narrowedMs = 10_000;
const order = {
  idOf: ({ id }: AuditEntry): string => id,
  placeOf: ({ at, id }: AuditEntry): string => `${at}#${id}`,
  newestFirst: true,
};

const isNarrow = (filter: Filter): boolean => names.some((name) => filter[name] !== '');

const useAudit = (filter: Filter): Shown<AuditEntry> =>
  useBook({
    key: [...keys.audit, filter],
    read: (cursor) => listAudit(filter, cursor),
    order,
    everyMs: isNarrow(filter) ? narrowedMs : listMs,
  });

const Entries = ({
  filter,
  meet,
}: {
  readonly filter: Filter;
  readonly meet: (rows: readonly AuditEntry[]) => void;
}): ReactNode => {
  const { audit } = useLater();
  const shown = useAudit(filter);
  const rows = shown.data?.rows;
  useEffect(() => meet(rows ?? []), [rows, meet]);
  return (
    <Loaded asked={shown}>
      {({ rows, held, next }) => (
        <>
          <NewOf shown={shown} label={audit.fresh(held.length)} />
          {rows.length > 0 ? (
            <ol className="rows audit">
              {rows.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          ) : (
            <Empty
              title={
                next === undefined
                  ? isNarrow(filter)
                    ? audit.noneFits
                    : audit.empty
                  : audit.noneYet
              }
            />
          )}
          <MoreOf shown={shown} label={audit.further} />
        </>
      )}
    </Loaded>
  );
};

export const AuditScreen = (): ReactNode => {
  const { audit } = useLater();
  const [filter, choose] = useFilter();
  const [people, setPeople] = useState<People>(new Map());
  const meet = useCallback((rows: readonly AuditEntry[]) => {
    setPeople((known) => {
      const strangers = rows.filter(({ by }) => !known.has(by.subject));
      if (strangers.length === 0) return known;
      return new Map([...known, ...strangers.map(({ by }) => [by.subject, by.name] as const)]);
    });
  }, []);
  return (
    <section className="screen">
      <h1>{audit.title}</h1>
      <p className="hint">{audit.hint}</p>
      <Filters filter={filter} people={people} choose={choose} />
      <Entries key={JSON.stringify(filter)} filter={filter} meet={meet} />
    </section>
  );
};
