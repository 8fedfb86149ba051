// Runs of the period: why they ended, by day, by agent.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OverviewView } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useNumber, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Bars, type Column } from './bars.tsx';

type Runs = OverviewView['runs'];
type Standing = keyof Runs['standings'];
const standings = [
  'running',
  'waiting',
  'stopping',
  'done',
  'step_limit',
  'stopped',
  'failed',
  'cut_off',
  'withheld',
  'no_answer',
  'withdrawn',
] as const satisfies readonly Standing[];

const useStandingWords = (): ((standing: Standing) => string) => {
  const { runEnds, runStatus } = useWords();
  return (standing) => ({ ...runStatus, ...runEnds })[standing];
};

interface Counted {
  readonly total: number;
  readonly standings: Runs['standings'];
}

/** The total with a bar, then every way that occurs at all. */
const useCountColumns = (of: Runs): readonly Column<Counted>[] => {
  const words = useLater().overview;
  const number = useNumber();
  const wordOf = useStandingWords();
  const occurring = standings.filter((standing) => of.standings[standing] > 0);
  return [
    { head: words.count, cell: ({ total }) => number(total), bar: ({ total }) => total },
    ...occurring.map((standing) => ({
      head: wordOf(standing),
      cell: (row: Counted) => number(row.standings[standing]),
    })),
  ];
};

const NoRuns = (): ReactNode => {
  const { overview: words } = useLater();
  const { conversations } = useWords();
  return (
    <>
      <p>{words.noRuns}</p>
      <p>
        <Link href="/new">{conversations.new}</Link>. {words.noRunsHint}{' '}
        <code>reprise send "…"</code>
      </p>
    </>
  );
};

export const RunPlots = ({
  runs,
  dayName,
}: {
  readonly runs: Runs;
  readonly dayName: (day: string) => string;
}): ReactNode => {
  const { overview: words } = useLater();
  const number = useNumber();
  const wordOf = useStandingWords();
  const columns = useCountColumns(runs);
  const occurring = standings.filter((standing) => runs.standings[standing] > 0);
  return (
    <>
      <Bars
        title={words.runs}
        name={words.state}
        nameOf={wordOf}
        keyOf={(standing) => standing}
        rows={occurring}
        columns={[
          {
            head: words.count,
            cell: (standing) => number(runs.standings[standing]),
            bar: (standing) => runs.standings[standing],
          },
        ]}
        empty={<NoRuns />}
      >
        <p className="hint">{words.runsHint}</p>
      </Bars>
      <Bars
        title={words.byAgent}
        name={words.agent}
        nameOf={({ agentId, name }) => (
          <Link href={`/agents/${agentId}`}>
            <Plain text={name} />
          </Link>
        )}
        keyOf={({ agentId }) => agentId}
        rows={runs.byAgent}
        columns={columns}
        empty={words.noRuns}
      />
      <Bars
        title={words.byDay}
        name={words.day}
        nameOf={({ day }) => dayName(day)}
        keyOf={({ day }) => day}
        rows={runs.total === 0 ? [] : runs.byDay.toReversed()}
        columns={columns}
        empty={words.noRuns}
      />
    </>
  );
};
