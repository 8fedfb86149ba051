// A table whose rows are stacked, each cell beside its column's name, where there is too little width for columns.
// Owns: that it stays a table for assistive technology: some browsers drop what a table is once its parts are laid out as blocks,
// so each part says its role again, and the column's name beside a cell is for the eye only.
import { Children, createContext, type ReactNode, type Ref, useContext } from 'react';
import { focusable } from './plain-text.tsx';

const Columns = createContext<readonly string[]>([]);

const as = (role: string): { readonly role: string } => ({ role });

export const StackingTable = ({
  columns,
  className = 'stacking',
  label,
  children,
}: {
  /** Names of the columns, the one of the row's own name first; '' for one of buttons only. */
  readonly columns: readonly string[];
  /** How it is stacked: `stacking` as cards, `bar-table` as lines. */
  readonly className?: string;
  /** Where nothing in the table takes the focus: the name of the region that takes it, so that the keyboard can scroll it. */
  readonly label?: string;
  readonly children: ReactNode;
}): ReactNode => {
  const table = (
    <table {...as('table')} className={className}>
      <thead {...as('rowgroup')}>
        <tr {...as('row')}>
          {columns.map((column) =>
            column === '' ? (
              <td key={column} {...as('cell')} />
            ) : (
              <th key={column} scope="col" {...as('columnheader')}>
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody {...as('rowgroup')}>
        <Columns value={columns}>{children}</Columns>
      </tbody>
    </table>
  );
  return label === undefined ? (
    <div className="scroll-x stacks">{table}</div>
  ) : (
    <section className="scroll-x stacks" aria-label={label} {...focusable}>
      {table}
    </section>
  );
};

/** A row: its own name, and one child for each of the other columns, null where there is nothing to say. */
export const StackingRow = ({
  name,
  children,
  ...attributes
}: {
  readonly name: ReactNode;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLTableRowElement>;
  readonly tabIndex?: -1;
  readonly 'aria-current'?: 'location';
}): ReactNode => {
  const [, ...columns] = useContext(Columns);
  return (
    <tr {...as('row')} {...attributes}>
      <th scope="row" {...as('rowheader')}>
        {name}
      </th>
      {Children.map(children, (cell, index) => (
        <td {...as('cell')} data-column={columns[index]}>
          {cell === null ? null : <div className="cell">{cell}</div>}
        </td>
      ))}
    </tr>
  );
};
