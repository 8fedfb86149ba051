// Counts as a table whose rows carry bars: a plot for the eye, a table for everybody.
import type { ReactNode } from 'react';
import { useNumber, useWords } from '../words/index.tsx';

export const countBy = <Item,>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(items, nameOf)].map(([name, of]) => [name, of.length]));

export const Bars = ({
  title,
  hint,
  name,
  counts,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly name: string;
  readonly counts: ReadonlyMap<string, number>;
}): ReactNode => {
  const words = useWords();
  const number = useNumber();
  const most = Math.max(1, ...counts.values());
  return (
    <section className="plot">
      <h2>{title}</h2>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {counts.size === 0 ? (
        <p className="hint">{words.none}</p>
      ) : (
        <table className="bar-table">
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col">{words.overview.count}</th>
            </tr>
          </thead>
          <tbody>
            {[...counts].map(([of, count]) => (
              <tr key={of}>
                <th scope="row">{of}</th>
                <td>
                  <span className="bar-cell">
                    <span className="bar-fill" style={{ width: `${(count / most) * 100}%` }} />
                    <span>{number(count)}</span>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
