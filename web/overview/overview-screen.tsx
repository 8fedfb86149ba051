// The overview: runs by state and by day, what waits for people and how long, undetermined actions by tool and age, cost.
// Each plot is a table with bars in it, so that it can be read either way.
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keys } from '../api/cache.ts';
import { getRun } from '../api/calls.ts';
import { useConversations, useDesk, useInbox, useNewestActions } from '../api/queries.ts';
import type { ConversationSummary, RunView } from '../api/types.ts';
import { Loaded } from '../parts/notes.tsx';
import { useNow } from '../parts/time.tsx';
import { settings } from '../settings.ts';
import { useStore } from '../store.ts';
import { useLength, useNumber, useWords } from '../words/index.tsx';
import { Bars, countBy } from './bars.tsx';

const useNewestRuns = (conversations: readonly ConversationSummary[]): readonly RunView[] => {
  const ids = conversations.slice(0, 50).flatMap(({ activeRun, lastRun }) => {
    const id = activeRun ?? lastRun?.runId;
    return id === undefined ? [] : [id];
  });
  const asked = useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.run(id),
      queryFn: () => getRun(id),
      staleTime: 10_000,
    })),
  });
  return asked.flatMap(({ data }) => (data === undefined ? [] : [data]));
};

const Runs = ({ conversations }: { readonly conversations: readonly ConversationSummary[] }) => {
  const words = useWords();
  const { language } = useStore(settings);
  const runs = useNewestRuns(conversations);
  const state = ({ state: of }: RunView): string =>
    of.status === 'finished' ? words.runEnds[of.reason] : words.runStatus[of.status];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const byDay = countBy(
    runs.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt)),
    ({ startedAt }) => day.format(Date.parse(startedAt)),
  );
  return (
    <>
      <Bars
        title={words.overview.runs}
        hint={words.overview.ofLast(runs.length)}
        name={words.overview.state}
        counts={countBy(runs, state)}
      />
      <Bars title={words.overview.byDay} name={words.overview.day} counts={byDay} />
      <Costs runs={runs} />
    </>
  );
};

const Costs = ({ runs }: { readonly runs: readonly RunView[] }): ReactNode => {
  const words = useWords();
  const number = useNumber();
  const tokens = runs.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  const byCurrency = Map.groupBy(
    runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost])),
    ({ currency }) => currency,
  );
  return (
    <section className="plot">
      <h2>{words.overview.cost}</h2>
      <p>
        {words.overview.tokensTotal}: {number(tokens)}
      </p>
      {[...byCurrency].map(([currency, costs]) => (
        <p key={currency}>
          {number(costs.reduce((sum, { amount }) => sum + Number(amount), 0))} {currency}
        </p>
      ))}
    </section>
  );
};

const Waiting = (): ReactNode => {
  const words = useWords();
  const length = useLength();
  const now = useNow();
  const requests = useInbox().data ?? [];
  const oldest = Math.min(...requests.map(({ openedAt }) => Date.parse(openedAt)));
  return (
    <section className="plot">
      <h2>{words.overview.waiting}</h2>
      <p>
        <Link href="/inbox">{words.inbox.count(requests.length)}</Link>
        {requests.length === 0 ? null : `, ${words.overview.longest}: ${length(now - oldest)}`}
      </p>
    </section>
  );
};

const Unsettled = (): ReactNode => {
  const words = useWords();
  const length = useLength();
  const now = useNow();
  const entries = useDesk({ part: 'open' }).data ?? [];
  const byTool = Map.groupBy(entries, ({ tool }) => tool.name);
  return (
    <section className="plot">
      <h2>{words.overview.unsettled}</h2>
      {byTool.size === 0 ? (
        <p className="hint">{words.overview.noUnsettled}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.overview.tool}</th>
              <th scope="col">{words.overview.count}</th>
              <th scope="col">{words.overview.age}</th>
            </tr>
          </thead>
          <tbody>
            {[...byTool].map(([tool, of]) => {
              const since = of.map((entry) => Date.parse(entry.since));
              return (
                <tr key={tool}>
                  <th scope="row">
                    <Link href="/desk">{tool}</Link>
                  </th>
                  <td>{of.length}</td>
                  <td>{length(now - Math.min(now, ...since))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
};

const Actions = (): ReactNode => {
  const words = useWords();
  return (
    <Loaded asked={useNewestActions(5)}>
      {({ items }) => (
        <>
          <Bars
            title={words.overview.actions}
            hint={words.overview.ofLastActions(items.length)}
            name={words.overview.state}
            counts={countBy(items, ({ effect }) => words.effects[effect])}
          />
          <Unsettled />
        </>
      )}
    </Loaded>
  );
};

export const OverviewScreen = (): ReactNode => {
  const words = useWords();
  return (
    <section className="screen">
      <h1>{words.overview.title}</h1>
      <div className="plots">
        <Waiting />
        <Loaded asked={useConversations(1)}>{({ items }) => <Runs conversations={items} />}</Loaded>
        <Actions />
      </div>
    </section>
  );
};
