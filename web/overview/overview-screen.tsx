// The overview of a period: runs, who is waited for and how long, what is undetermined, cost. The server counts; each plot is a
// table with bars in it, so that it can be read either way.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { getOverview } from '../api/calls.ts';
import type { OverviewView } from '../api/types.ts';
import { regionOf, settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { Loaded } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';
import { CostPlots } from './cost-plots.tsx';
import { Figures } from './figures.tsx';
import { UnknownPlot, WaitPlots } from './people-plots.tsx';
import { RunPlots } from './runs-plots.tsx';

const periods = [7, 30, 90] as const;
const usual = 30;
/** Counting a long period reads much: it is looked at again this often. */
const lookMs = 60_000;

const zoneFor = (style: string): string =>
  style === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Days are shown as they are counted, whatever the zone. */
const useDayName = (): ((day: string) => string) => {
  const { language } = useStore(settings);
  const format = new Intl.DateTimeFormat(regionOf(language), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
  return (day) => format.format(Date.parse(day.slice(0, 10)));
};

const Plots = ({ overview }: { readonly overview: OverviewView }): ReactNode => {
  const { overview: words } = useLater();
  const dayName = useDayName();
  const { from, to, zone, runs, waits, undetermined } = overview;
  return (
    <>
      <p className="hint" role="status">
        {words.range(dayName(from), dayName(to), zone)}
      </p>
      {runs.countedFrom === undefined ? null : (
        <p className="note">{words.cutRuns(dayName(runs.countedFrom))}</p>
      )}
      <Figures of={overview} />
      <div className="plots">
        <WaitPlots waits={waits} dayName={dayName} />
        <UnknownPlot of={undetermined} />
        <RunPlots runs={runs} dayName={dayName} />
        <CostPlots overview={overview} dayName={dayName} />
      </div>
    </>
  );
};

export const OverviewScreen = (): ReactNode => {
  const { overview: words } = useLater();
  const { times } = useStore(settings);
  const [parameters, setParameters] = useSearchParams();
  const days = periods.find((of) => String(of) === parameters.get('days')) ?? usual;
  const zone = zoneFor(times);
  const asked = useQuery({
    queryKey: ['overview', days, zone],
    queryFn: () => getOverview(days, zone),
    refetchInterval: lookMs,
    placeholderData: (before) => before,
  });
  return (
    <section className="screen">
      <h1>{words.title}</h1>
      <fieldset className="filters">
        <legend className="for-ears">{words.period}</legend>
        {periods.map((of) => (
          <button
            key={of}
            type="button"
            aria-pressed={of === days}
            onClick={() => setParameters({ days: String(of) }, { replace: true })}
          >
            {words.days(of)}
          </button>
        ))}
      </fieldset>
      <Loaded asked={asked}>{(overview) => <Plots overview={overview} />}</Loaded>
    </section>
  );
};
