// What the parts of a trace share: data that is shown when asked for, ids with their links, pages of long lists.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { shortId } from '../copying/copy.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Block } from '../parts/plain-text.tsx';
import { useNumber } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { idsIn, parsedJson } from './history.ts';

/** A text that is JSON as its fields, any other as it is. */
export const Data = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null ? (
    <JsonView value={value} label={label} />
  ) : (
    <Block text={text} label={label} />
  );
};

export const Ids = ({ text }: { readonly text: string }): ReactNode =>
  idsIn(text).map(({ id, place }) => (
    <Link key={id} href={place} title={id} className="trace-id">
      {shortId(id)}
    </Link>
  ));

export interface TableRow {
  readonly key: number;
  /** What it is the data of. */
  readonly name: string;
  readonly cells: ReactNode;
  readonly data: () => ReactNode;
}

/** A row whose data comes below it when asked for. */
const OpenableRow = ({
  of: { name, cells, data },
  label,
  columns,
}: {
  readonly of: TableRow;
  readonly label: string;
  readonly columns: number;
}): ReactNode => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        {cells}
        <td>
          <button
            type="button"
            className="quiet"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {label}
            <span className="for-ears"> {name}</span>
          </button>
        </td>
      </tr>
      {open ? (
        <tr>
          <td colSpan={columns} className="trace-data">
            {data()}
          </td>
        </tr>
      ) : null}
    </>
  );
};

interface Turned {
  readonly page: number;
  readonly pages: number;
  readonly turn: (page: number) => void;
  readonly range: string;
}

/** The items of one page. Later ones are added at the end, so nothing moves under the reader. */
const usePages = <Item,>(
  items: readonly Item[],
  perPage: number,
): Turned & { readonly shown: readonly Item[] } => {
  const later = useLater();
  const number = useNumber();
  const [wanted, turn] = useState(0);
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const page = Math.min(wanted, pages - 1);
  const from = page * perPage;
  const shown = items.slice(from, from + perPage);
  const range = later.trace.page(
    number(shown.length === 0 ? 0 : from + 1),
    number(from + shown.length),
    number(items.length),
  );
  return { page, pages, turn, range, shown };
};

/** Nothing when there is one page only. */
const Pager = ({ of, label }: { readonly of: Turned; readonly label: string }) => {
  const later = useLater();
  const { page, pages, turn, range } = of;
  const button = (name: string, to: number, disabled: boolean): ReactNode => (
    <button type="button" disabled={disabled} onClick={() => turn(to)}>
      {name}
    </button>
  );
  return pages === 1 ? null : (
    <nav className="row" aria-label={`${label}: ${later.trace.pages}`}>
      {button(later.trace.first, 0, page === 0)}
      {button(later.trace.previous, page - 1, page === 0)}
      <span className="hint" role="status">
        {range}
      </span>
      {button(later.trace.next, page + 1, page === pages - 1)}
      {button(later.trace.last, pages - 1, page === pages - 1)}
    </nav>
  );
};

/** A long list as a table, by pages; the data of each row is shown when asked for, by the last column. */
export const PagedTable = <Item,>({
  name,
  className,
  heads,
  opens,
  items,
  perPage,
  rowOf,
}: {
  readonly name: string;
  readonly className: string;
  readonly heads: readonly string[];
  /** The last column's head, and what its buttons say. */
  readonly opens: string;
  readonly items: readonly Item[];
  readonly perPage: number;
  readonly rowOf: (item: Item) => TableRow;
}): ReactNode => {
  const pages = usePages(items, perPage);
  const all = [...heads, opens];
  return (
    <>
      <Pager of={pages} label={name} />
      <div className="scroll-x">
        <table className={className}>
          <thead>
            <tr>
              {all.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pages.shown.map(rowOf).map((row) => (
              <OpenableRow key={row.key} of={row} label={opens} columns={all.length} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
