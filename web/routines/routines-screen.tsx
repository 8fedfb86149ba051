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
    <tr>
      <th scope="row">
        <Link href={`/routines/${routineId}`}>
          <Plain text={name} />
        </Link>
      </th>
      <td>
        <Plain text={agent?.configuration.name ?? agentId} />
      </td>
      <td>
        {scheduleWords(schedule, later)} <span className="hint">{zone}</span>
      </td>
      <td>{nextAt === undefined ? words.never : <Time at={nextAt} />}</td>
      <td>{words.states[state]}</td>
    </tr>
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
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.name}</th>
                    <th scope="col">{words.agent}</th>
                    <th scope="col">{words.when}</th>
                    <th scope="col">{words.next}</th>
                    <th scope="col">{words.state}</th>
                  </tr>
                </thead>
                <tbody>
                  {routines.map((routine) => (
                    <Row key={routine.routineId} routine={routine} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </section>
  );
};
