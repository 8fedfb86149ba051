// The overview's figures, before its plots: what waits, what is undetermined, how many runs, what they cost.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addAmounts } from '../../functions/core/registry/usage.ts';
import type { OverviewView } from '../api/types.ts';
import { useNumber, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { useMoney } from './cost-plots.tsx';

const Figure = ({
  name,
  pressing = false,
  children,
}: {
  readonly name: ReactNode;
  readonly pressing?: boolean;
  readonly children: ReactNode;
}): ReactNode => (
  <div className="figure" data-pressing={pressing}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Exact sums, one for each currency. */
const costsOf = (spent: OverviewView['spent']): ReadonlyMap<string, string> => {
  const costs = new Map<string, string>();
  for (const { currency, amount } of spent)
    if (currency !== undefined && amount !== undefined)
      costs.set(currency, addAmounts(costs.get(currency) ?? '0', amount));
  return costs;
};

export const Figures = ({ of }: { readonly of: OverviewView }): ReactNode => {
  const { overview: words } = useLater();
  const { nav } = useWords();
  const number = useNumber();
  const money = useMoney();
  const { runs, waits, undetermined, spent } = of;
  const open = waits.byKind.reduce((sum, row) => sum + (row.open?.count ?? 0), 0);
  const unknown = undetermined.byTool.reduce((sum, { count }) => sum + count, 0);
  const costs = [...costsOf(spent)];
  return (
    <dl className="figures">
      <Figure name={<Link href="/inbox">{nav.inbox}</Link>} pressing={open > 0}>
        {number(open)}
        {waits.moreOpen ? '+' : null}
      </Figure>
      <Figure name={<Link href="/desk">{words.undetermined}</Link>} pressing={unknown > 0}>
        {number(unknown)}
        {undetermined.more ? '+' : null}
      </Figure>
      <Figure name={words.count}>{number(runs.total)}</Figure>
      <Figure name={words.amount}>
        {costs.length === 0 ? '–' : costs.map(([of, sum]) => money(sum, of)).join(' + ')}
      </Figure>
    </dl>
  );
};
