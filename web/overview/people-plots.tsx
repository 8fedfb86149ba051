// Who was waited for and how long, and what is undetermined since when.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OverviewView } from '../api/types.ts';
import { Time } from '../parts/time.tsx';
import { useLength, useNumber } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Bars, type Column } from './bars.tsx';

type Waits = OverviewView['waits'];
type Kind = Waits['byKind'][number];
type Spread = NonNullable<Kind['open']>;
type Which = 'open' | 'answered';

const useSpreadColumns = (which: Which): readonly Column<Kind>[] => {
  const { overview: words } = useLater();
  const number = useNumber();
  const length = useLength();
  const spread = (row: Kind, of: (spread: Spread) => number): number | undefined => {
    const found = row[which];
    return found && of(found);
  };
  const lengthOf = (row: Kind, of: (spread: Spread) => number): string => {
    const ms = spread(row, of);
    return ms === undefined ? '–' : length(ms);
  };
  return [
    { head: words.requests, cell: (row) => number(spread(row, ({ count }) => count) ?? 0) },
    { head: words.median, cell: (row) => lengthOf(row, ({ medianMs }) => medianMs) },
    { head: words.ninth, cell: (row) => lengthOf(row, ({ p90Ms }) => p90Ms) },
    {
      head: words.longest,
      cell: (row) => lengthOf(row, ({ longestMs }) => longestMs),
      bar: (row) => spread(row, ({ longestMs }) => longestMs) ?? 0,
    },
  ];
};

const useKindWords = (): ((row: Kind) => string) => {
  const { requestKinds } = useLater();
  return ({ on }) => requestKinds[on];
};

export const WaitPlots = ({
  waits,
  dayName,
}: {
  readonly waits: Waits;
  readonly dayName: (at: string) => string;
}): ReactNode => {
  const { overview: words } = useLater();
  const number = useNumber();
  const kindOf = useKindWords();
  const [open, answered] = [useSpreadColumns('open'), useSpreadColumns('answered')];
  const closed = ({ answered: of, expired, voided }: Kind): boolean =>
    of !== undefined || expired + voided > 0;
  return (
    <>
      <Bars
        title={words.waitingNow}
        name={words.kind}
        nameOf={kindOf}
        keyOf={({ on }) => on}
        rows={waits.byKind.filter((row) => row.open !== undefined)}
        columns={open}
        empty={words.noWaiting}
      >
        <p className="hint">
          <Link href="/inbox">{words.toInbox}</Link> {waits.moreOpen ? words.cutOpen : null}
        </p>
      </Bars>
      <Bars
        title={words.answered}
        name={words.kind}
        nameOf={kindOf}
        keyOf={({ on }) => on}
        rows={waits.byKind.filter(closed)}
        columns={[
          ...answered,
          { head: words.expired, cell: ({ expired }) => number(expired) },
          { head: words.voided, cell: ({ voided }) => number(voided) },
        ]}
        empty={words.noAnswered}
      >
        {waits.closedFrom === undefined ? null : (
          <p className="hint">{words.cutClosed(dayName(waits.closedFrom))}</p>
        )}
      </Bars>
    </>
  );
};

const bands = ['underHour', 'underDay', 'underWeek', 'older'] as const;

export const UnknownPlot = ({ of }: { readonly of: OverviewView['undetermined'] }): ReactNode => {
  const { overview: words } = useLater();
  const number = useNumber();
  return (
    <Bars
      title={words.unknown}
      name={words.tool}
      nameOf={({ tool }) => <Link href={`/desk?tool=${encodeURIComponent(tool)}`}>{tool}</Link>}
      keyOf={({ tool }) => tool}
      rows={of.byTool}
      columns={[
        { head: words.total, cell: ({ count }) => number(count), bar: ({ count }) => count },
        ...bands.map((band) => ({
          head: words.ages[band],
          cell: ({ byAge }: (typeof of.byTool)[number]) => number(byAge[band]),
        })),
        { head: words.oldest, cell: ({ oldestSince }) => <Time at={oldestSince} /> },
      ]}
      empty={words.noUnknown}
    >
      <p className="hint">
        <Link href="/desk">{words.toDesk}</Link> {of.aside > 0 ? words.aside(of.aside) : null}{' '}
        {of.more ? words.cutUnknown : null}
      </p>
    </Bars>
  );
};
