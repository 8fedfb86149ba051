// Every event of an execution, in order, by pages; what an event holds is shown when asked for.
import type { ReactNode } from 'react';
import { JsonView } from '../parts/json-view.tsx';
import { Time } from '../parts/time.tsx';
import { useLength } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { type HistoryEvent, parsedJson } from './history.ts';
import { Ids, OpenableRow, Pager, usePages } from './parts.tsx';

const perPage = 200;
const columns = 7;

/** What is JSON in a text, as its value, so that it can be read. */
const readable = ({ details }: HistoryEvent): HistoryEvent['details'] =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const parsed = typeof value === 'string' ? parsedJson(value) : undefined;
      return [name, typeof parsed === 'object' && parsed !== null ? parsed : (value ?? null)];
    }),
  );

const Row = ({ event, startMs }: { readonly event: HistoryEvent; readonly startMs: number }) => {
  const later = useLater();
  const length = useLength();
  const name = `${later.trace.id} ${event.id}`;
  const isBare = Object.keys(event.details).length === 0;
  return (
    <OpenableRow
      name={name}
      label={later.trace.details}
      columns={columns}
      data={() =>
        isBare ? (
          <p className="hint">{later.trace.noDetails}</p>
        ) : (
          <JsonView value={readable(event)} label={later.trace.dataOf(name)} />
        )
      }
    >
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
    </OpenableRow>
  );
};

export const HistoryTable = ({
  events,
  startMs,
}: {
  readonly events: readonly HistoryEvent[];
  readonly startMs: number;
}): ReactNode => {
  const later = useLater();
  const pages = usePages(events, perPage);
  const heads = [
    later.trace.id,
    later.trace.type,
    later.trace.when,
    later.trace.elapsed,
    later.trace.after,
    later.trace.ids,
    later.trace.details,
  ];
  return (
    <>
      <Pager of={pages} label={later.trace.history} />
      <div className="scroll-x">
        <table className="trace-history">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pages.shown.map((event) => (
              <Row key={event.id} event={event} startMs={startMs} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
