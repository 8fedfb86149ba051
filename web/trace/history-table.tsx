// Every event of an execution, in order, by pages; what an event holds is shown when asked for.
import type { ReactNode } from 'react';
import { JsonView } from '../parts/json-view.tsx';
import { Time } from '../parts/time.tsx';
import { useLength } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { type HistoryEvent, parsedJson } from './history.ts';
import { Ids, PagedTable } from './parts.tsx';

const perPage = 200;

/** What is JSON in a text, as its value, so that it can be read. */
const readable = ({ details }: HistoryEvent): HistoryEvent['details'] =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const parsed = typeof value === 'string' ? parsedJson(value) : undefined;
      return [name, typeof parsed === 'object' && parsed !== null ? parsed : (value ?? null)];
    }),
  );

const Cells = ({ event, startMs }: { readonly event: HistoryEvent; readonly startMs: number }) => {
  const length = useLength();
  return (
    <>
      <th scope="row">{event.id}</th>
      <td>{event.type}</td>
      <td>
        <Time at={event.atMs} exact />
      </td>
      <td>{length(event.atMs - startMs)}</td>
      <td>{event.previousId === 0 ? null : event.previousId}</td>
      <td>
        <Ids text={JSON.stringify(event.details)} />
      </td>
    </>
  );
};

const Details = ({ event, name }: { readonly event: HistoryEvent; readonly name: string }) => {
  const { trace } = useLater();
  return Object.keys(event.details).length === 0 ? (
    <p className="hint">{trace.noDetails}</p>
  ) : (
    <JsonView value={readable(event)} label={trace.dataOf(name)} />
  );
};

export const HistoryTable = ({
  events,
  startMs,
}: {
  readonly events: readonly HistoryEvent[];
  readonly startMs: number;
}): ReactNode => {
  const { trace } = useLater();
  return (
    <PagedTable
      name={trace.history}
      className="trace-history"
      heads={[trace.id, trace.type, trace.when, trace.elapsed, trace.after, trace.ids]}
      opens={trace.details}
      items={events}
      perPage={perPage}
      rowOf={(event) => {
        const name = `${trace.id} ${event.id}`;
        return {
          key: event.id,
          name,
          cells: <Cells event={event} startMs={startMs} />,
          data: () => <Details event={event} name={name} />,
        };
      }}
    />
  );
};
