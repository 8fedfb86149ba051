// All routines, with when each is due next.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { keys } from '../api/cache.ts';
import { listRoutines } from '../api/calls.ts';
import { useAgents } from '../api/queries.ts';
import type { RoutineView } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { Time } from '../parts/time.tsx';
import { useLater } from '../words/later.ts';
import { scheduleWords } from './schedule-words.ts';

const lookMs = 5_000;

const useRoutines = () =>
  useQuery({
    queryKey: keys.routines,
    queryFn: async () => (await listRoutines()).items,
    refetchInterval: lookMs,
  });

const Row = ({ routine }: { readonly routine: RoutineView }): ReactNode => {
  const later = useLater();
  const words = later.routines;
  const { routineId, name, agentId, state, schedule, zone, nextAt } = routine;
  const agent = useAgents().data?.find((one) => one.agentId === agentId);
  return (
    <StackingRow
      name={
        <Link href={`/routines/${routineId}`}>
          <Plain text={name} />
        </Link>
      }
    >
      <Plain text={agent?.configuration.name ?? agentId} />
      <span>
        {scheduleWords(schedule, later)} <span className="hint">{zone}</span>
      </span>
      {nextAt === undefined ? words.never : <Time at={nextAt} />}
      {words.states[state]}
    </StackingRow>
  );
};

export const RoutinesScreen = (): ReactNode => {
  const words = useLater().routines;
  return (
    <section className="screen">
      <div className="screen-head">
        <h1>{words.title}</h1>
        <Link href="/routines/new" className="button main">
          <Icon name="plus" />
          {words.new}
        </Link>
      </div>
      <p className="hint">{words.hint}</p>
      <Loaded asked={useRoutines()}>
        {(routines) =>
          routines.length === 0 ? (
            <Empty title={words.empty}>
              <p>{words.emptyHint}</p>
            </Empty>
          ) : (
            <StackingTable columns={[words.name, words.agent, words.when, words.next, words.state]}>
              {routines.map((routine) => (
                <Row key={routine.routineId} routine={routine} />
              ))}
            </StackingTable>
          )
        }
      </Loaded>
    </section>
  );
};
