// What the period cost: by agent and by day, in each currency; tokens where there is no price table.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addAmounts } from '../../functions/core/registry/usage.ts';
import type { OverviewView } from '../api/types.ts';
import { settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useNumber } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Bars, type Column } from './bars.tsx';

interface Line {
  /** A day or an agent. */
  readonly of: string;
  readonly currency: string | undefined;
  readonly amount: string | undefined;
  readonly runs: number;
  readonly input: number;
  readonly output: number;
}

type Spent = OverviewView['spent'];

/** Summed exactly, by what `nameOf` gives and by currency; in the order of their first appearance. */
const linesOf = (spent: Spent, nameOf: (line: Spent[number]) => string): readonly Line[] => {
  const groups = Map.groupBy(spent, (line) => `${nameOf(line)} ${line.currency ?? ''}`);
  return [...groups.values()].flatMap((of): Line[] => {
    const [first] = of;
    if (first === undefined) return [];
    const { currency } = first;
    return [
      {
        of: nameOf(first),
        currency,
        amount:
          currency === undefined
            ? undefined
            : of.map(({ amount }) => amount ?? '0').reduce(addAmounts, '0'),
        runs: of.reduce((sum, { runs }) => sum + runs, 0),
        input: of.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
        output: of.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
      },
    ];
  });
};

export const useMoney = (): ((amount: string, currency: string) => string) => {
  const { language } = useStore(settings);
  return (amount, currency) => {
    const plain = new Intl.NumberFormat(language, { maximumSignificantDigits: 6 });
    return `${plain.format(Number(amount))} ${currency}`;
  };
};

const useCostColumns = (): readonly Column<Line>[] => {
  const { overview: words } = useLater();
  const number = useNumber();
  const money = useMoney();
  return [
    {
      head: words.amount,
      cell: ({ amount, currency }) =>
        amount === undefined || currency === undefined ? words.noPrice : money(amount, currency),
      bar: ({ amount }) => Number(amount ?? 0),
    },
    { head: words.count, cell: ({ runs }) => number(runs) },
    { head: words.tokensIn, cell: ({ input }) => number(input) },
    { head: words.tokensOut, cell: ({ output }) => number(output) },
  ];
};

const Unpriced = ({ agents }: { readonly agents: OverviewView['runs']['byAgent'] }): ReactNode => {
  const { overview: words } = useLater();
  const without = agents.filter(({ priced }) => !priced);
  if (without.length === 0) return null;
  return (
    <p className="hint">
      {words.unpriced}{' '}
      {without.map(({ agentId, name }, index) => (
        <span key={agentId}>
          {index > 0 ? ', ' : ''}
          <Link href={`/agents/${agentId}`}>
            <Plain text={name} />
          </Link>
        </span>
      ))}
    </p>
  );
};

export const CostPlots = ({
  overview,
  dayName,
}: {
  readonly overview: OverviewView;
  readonly dayName: (day: string) => string;
}): ReactNode => {
  const { overview: words } = useLater();
  const columns = useCostColumns();
  const money = useMoney();
  const { spent, runs } = overview;
  const names = new Map<string, string>(runs.byAgent.map(({ agentId, name }) => [agentId, name]));
  const totals = linesOf(spent, () => '').filter(({ amount }) => amount !== undefined);
  const keyOf = ({ of, currency }: Line): string => `${of} ${currency ?? ''}`;
  return (
    <>
      <Bars
        title={words.cost}
        name={words.agent}
        nameOf={({ of }) => (
          <Link href={`/agents/${of}`}>
            <Plain text={names.get(of) ?? of} />
          </Link>
        )}
        keyOf={keyOf}
        rows={linesOf(spent, ({ agentId }) => agentId)}
        columns={columns}
        empty={words.noCost}
      >
        {totals.map(({ amount, currency }) => (
          <p key={currency}>
            {words.total}: <strong>{money(amount ?? '0', currency ?? '')}</strong>
          </p>
        ))}
        <Unpriced agents={runs.byAgent} />
      </Bars>
      <Bars
        title={words.costByDay}
        name={words.day}
        nameOf={({ of }) => dayName(of)}
        keyOf={keyOf}
        rows={linesOf(spent, ({ day }) => day)}
        columns={columns}
        empty={words.noCost}
      />
    </>
  );
};
