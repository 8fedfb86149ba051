// Every time a state was entered, in order: when, for how long, how often tried, how it ended, and what went in and out.
import { type ReactNode, useMemo, useState } from 'react';
import { Plain } from '../parts/plain-text.tsx';
import { Badge } from '../parts/state.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { useLength, useNumber } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import type { Entry, Failure } from './entries.ts';
import { Data, Ids, PagedTable } from './parts.tsx';
import { entryShown } from './shown.ts';

const perPage = 100;

const SoFar = ({ fromMs }: { readonly fromMs: number }): ReactNode =>
  useLength()(Math.max(0, useNow() - fromMs));

const Lasted = ({ entry }: { readonly entry: Entry }): ReactNode => {
  const length = useLength();
  const { startedMs, endedMs } = entry;
  return endedMs === undefined ? <SoFar fromMs={startedMs} /> : length(endedMs - startedMs);
};

const Failures = ({ of }: { readonly of: readonly Failure[] }): ReactNode => {
  const later = useLater();
  return (
    <>
      <h3>{later.trace.failures}</h3>
      <ol className="trace-failures">
        {of.map(({ atMs, error, cause }) => (
          <li key={atMs}>
            <Time at={atMs} exact /> <strong>{error}</strong> <Plain text={cause} />
          </li>
        ))}
      </ol>
    </>
  );
};

const EntryData = ({ entry }: { readonly entry: Entry }): ReactNode => {
  const later = useLater();
  const { input, output, failures } = entry;
  return (
    <div className="stack">
      {failures.length === 0 ? null : <Failures of={failures} />}
      {input === undefined ? null : (
        <div>
          <h3>{later.trace.input}</h3>
          <Data text={input} label={later.trace.input} />
        </div>
      )}
      <div>
        <h3>{later.trace.output}</h3>
        {output === undefined ? (
          <p className="hint">{later.trace.noOutput}</p>
        ) : (
          <Data text={output} label={later.trace.output} />
        )}
      </div>
    </div>
  );
};

const Cells = ({ entry, startMs }: { readonly entry: Entry; readonly startMs: number }) => {
  const later = useLater();
  const length = useLength();
  const number = useNumber();
  const { name, within, iteration } = entry;
  return (
    <>
      <th scope="row">
        <Plain text={name} />
        {within === undefined ? null : (
          <div className="hint">
            {iteration === undefined
              ? later.trace.within(within.name)
              : later.trace.iteration(within.name, iteration + 1)}
          </div>
        )}
      </th>
      <td>{entry.type}</td>
      <td>
        <span title={new Date(entry.startedMs).toISOString()}>
          {length(entry.startedMs - startMs)}
        </span>
      </td>
      <td>
        <Lasted entry={entry} />
      </td>
      <td>
        {entry.attempts === 0 ? null : number(entry.attempts)}
        {entry.attempts > 1 ? (
          <div className="hint">{later.trace.retried(entry.attempts - 1)}</div>
        ) : null}
      </td>
      <td>
        <Badge shown={entryShown(entry.status, later)} />
      </td>
      <td>
        <Ids text={`${entry.input ?? ''} ${entry.output ?? ''}`} />
      </td>
    </>
  );
};

export const States = ({
  entries,
  startMs,
}: {
  readonly entries: readonly Entry[];
  readonly startMs: number;
}): ReactNode => {
  const { trace } = useLater();
  const [only, setOnly] = useState('');
  const names = useMemo(() => [...new Set(entries.map(({ name }) => name))], [entries]);
  const wanted = only === '' ? entries : entries.filter(({ name }) => name === only);
  return (
    <>
      <div className="row trace-filter">
        <label>
          {trace.stateEntered}{' '}
          <select value={only} onChange={({ target }) => setOnly(target.value)}>
            <option value="">{trace.allStates}</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        key={only}
        name={trace.states}
        className="trace-states"
        heads={[
          trace.stateEntered,
          trace.type,
          trace.elapsed,
          trace.duration,
          trace.attempts,
          trace.state,
          trace.ids,
        ]}
        opens={trace.data}
        items={wanted}
        perPage={perPage}
        rowOf={(entry) => ({
          key: entry.id,
          name: `${entry.name}, ${trace.id} ${entry.id}`,
          cells: <Cells entry={entry} startMs={startMs} />,
          data: () => <EntryData entry={entry} />,
        })}
      />
    </>
  );
};
