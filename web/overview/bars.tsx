// Numbers as a table whose cells carry bars: a plot for the eye, a table for everybody.
import type { ReactNode } from 'react';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Drawn as a bar beside the cell, as long as its share of the column's largest. */
  readonly bar?: (row: Row) => number;
}

const Bar = ({ share, children }: { readonly share: number; readonly children: ReactNode }) => (
  <span className="bar-cell">
    {share > 0 ? <span className="bar-fill" style={{ width: `${share * 100}%` }} /> : null}
    <span>{children}</span>
  </span>
);

interface Table<Row> {
  readonly title: string;
  /** What the rows are, and each row's own name. */
  readonly name: string;
  readonly nameOf: (row: Row) => ReactNode;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

const BarTable = <Row,>({ title, name, nameOf, keyOf, columns, rows }: Table<Row>): ReactNode => {
  const most = columns.map(({ bar }) => Math.max(1, ...rows.map((row) => bar?.(row) ?? 0)));
  const heads = columns.map(({ head }) => head);
  return (
    <StackingTable className="bar-table" label={title} columns={[name, ...heads]}>
      {rows.map((row) => (
        <StackingRow key={keyOf(row)} name={nameOf(row)}>
          {columns.map(({ head, cell, bar }, index) =>
            bar === undefined ? (
              <span key={head}>{cell(row)}</span>
            ) : (
              <Bar key={head} share={bar(row) / (most[index] ?? 1)}>
                {cell(row)}
              </Bar>
            ),
          )}
        </StackingRow>
      ))}
    </StackingTable>
  );
};

/** So many columns need the whole width of the screen. */
const wideFrom = 5;

/** A plot; `children` stand above the table, `empty` in its place where there is nothing. */
export const Bars = <Row,>({
  empty,
  children,
  ...table
}: Table<Row> & {
  readonly empty: ReactNode;
  readonly children?: ReactNode;
}): ReactNode => (
  <section className="plot" data-wide={table.columns.length >= wideFrom}>
    <h2>{table.title}</h2>
    {children}
    {table.rows.length === 0 ? <div className="hint">{empty}</div> : <BarTable {...table} />}
  </section>
);
