// What the parts of a trace share: data that is shown when asked for, ids with their links, pages of long lists.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { shortId } from '../parts/copy.tsx';
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

/** A row whose data comes below it when asked for. */
export const OpenableRow = ({
  name,
  label,
  columns,
  children,
  data,
}: {
  /** What it is the data of. */
  readonly name: string;
  readonly label: string;
  readonly columns: number;
  readonly children: ReactNode;
  readonly data: () => ReactNode;
}): ReactNode => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        {children}
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
export const usePages = <Item,>(
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
export const Pager = ({ of, label }: { readonly of: Turned; readonly label: string }) => {
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
