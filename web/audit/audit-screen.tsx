// The audit: who decided what and when, as sentences, each with its reason and links to what it is about. The filters are in the
// address, so that a view is one link. Laws: L13.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { auditKinds } from '../../functions/api/audit-kinds.ts';
import { keys } from '../api/cache.ts';
import { listAudit } from '../api/calls.ts';
import { allPages, useTools } from '../api/queries.ts';
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

const Filters = ({
  filter,
  choose,
}: {
  readonly filter: Filter;
  readonly choose: (name: keyof Filter, value: string) => void;
}): ReactNode => {
  const words = useWords();
  const { audit } = useLater();
  const tools = useTools().data ?? [];
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
        options={[
          ['', audit.anybody],
          ['me', audit.me],
        ]}
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

const Entries = ({ filter }: { readonly filter: Filter }): ReactNode => {
  const { audit } = useLater();
  const [pages, setPages] = useState(1);
  const filtered = names.some((name) => filter[name] !== '');
  const asked = useQuery({
    queryKey: [...keys.audit, filter, pages],
    queryFn: () => allPages((cursor) => listAudit(filter, cursor), pages),
    placeholderData: (before) => before,
  });
  return (
    <Loaded asked={asked}>
      {({ items, more }) => (
        <>
          {items.length > 0 ? (
            <ol className="rows audit">
              {items.map((entry) => (
                <Entry key={`${entry.id}:${entry.at}`} entry={entry} />
              ))}
            </ol>
          ) : (
            <Empty title={more ? audit.noneYet : filtered ? audit.noneFits : audit.empty} />
          )}
          {more ? (
            <button type="button" onClick={() => setPages(pages + 1)}>
              {audit.further}
            </button>
          ) : null}
        </>
      )}
    </Loaded>
  );
};

export const AuditScreen = (): ReactNode => {
  const { audit } = useLater();
  const [filter, choose] = useFilter();
  return (
    <section className="screen">
      <h1>{audit.title}</h1>
      <p className="hint">{audit.hint}</p>
      <Filters filter={filter} choose={choose} />
      <Entries key={JSON.stringify(filter)} filter={filter} />
    </section>
  );
};
