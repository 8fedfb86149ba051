// One routine: what it says and when, its next five times, its history; paused, resumed, run now, changed, deleted.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { deleteRoutine, getRoutine, switchRoutine } from '../api/calls.ts';
import { useAgents } from '../api/queries.ts';
import type { RoutineView } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { Loaded, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Occurrences } from './occurrences.tsx';
import { RoutineForm } from './routine-form.tsx';
import { SchedulePreview } from './schedule-preview.tsx';

const readAnew = (routineId: string) =>
  Promise.all(
    [keys.routines, keys.routine(routineId), keys.occurrences(routineId)].map((queryKey) =>
      cache.invalidateQueries({ queryKey }),
    ),
  );

const Remove = ({ routineId }: { readonly routineId: string }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [, go] = useLocation();
  const [sure, setSure] = useState(false);
  const removing = useMutation({
    mutationFn: () => deleteRoutine(routineId),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: keys.routines });
      go('/routines');
    },
  });
  if (!sure)
    return (
      <button type="button" onClick={() => setSure(true)}>
        {words.routines.remove}
      </button>
    );
  return (
    <>
      <button type="button" className="main" onClick={() => removing.mutate()}>
        {words.routines.removeSure}
      </button>
      <button type="button" onClick={() => setSure(false)}>
        {words.cancel}
      </button>
      {removing.error ? <ProblemNote cause={removing.error} /> : null}
    </>
  );
};

const Buttons = ({
  routine,
  edit,
}: {
  readonly routine: RoutineView;
  readonly edit: () => void;
}): ReactNode => {
  const words = useLater().routines;
  const { routineId, state } = routine;
  const switching = useMutation({
    mutationFn: (how: 'pause' | 'resume' | 'run') => switchRoutine(routineId, how),
    onSettled: () => readAnew(routineId),
  });
  const paused = state === 'paused';
  return (
    <div className="row">
      <button type="button" className="main" onClick={() => switching.mutate('run')}>
        {words.runNow}
      </button>
      <button type="button" onClick={() => switching.mutate(paused ? 'resume' : 'pause')}>
        {paused ? words.resume : words.pause}
      </button>
      <button type="button" onClick={edit}>
        {words.change}
      </button>
      <Remove routineId={routineId} />
      {switching.error ? <ProblemNote cause={switching.error} /> : null}
    </div>
  );
};

const Facts = ({ routine }: { readonly routine: RoutineView }): ReactNode => {
  const words = useLater().routines;
  const agent = useAgents().data?.find((one) => one.agentId === routine.agentId);
  const { state, nextAt, agentId, message, overlap, missed, conversation, scheduled } = routine;
  return (
    <dl className="facts">
      <div>
        <dt>{words.state}</dt>
        <dd>
          {words.states[state]} {scheduled ? null : words.notScheduled}
        </dd>
      </div>
      <div>
        <dt>{words.next}</dt>
        <dd>{nextAt === undefined ? words.never : <Time at={nextAt} exact />}</dd>
      </div>
      <div>
        <dt>{words.agent}</dt>
        <dd>
          <Link href={`/agents/${agentId}`}>
            <Plain text={agent?.configuration.name ?? agentId} />
          </Link>
        </dd>
      </div>
      <div>
        <dt>{words.message}</dt>
        <dd>
          <Plain text={message} />
        </dd>
      </div>
      <div>
        <dt>{words.conversation}</dt>
        <dd>
          {conversation.kind === 'own' ? (
            words.ownConversation
          ) : (
            <Link href={`/c/${conversation.conversationId}`}>{words.fixedConversation}</Link>
          )}
        </dd>
      </div>
      <div>
        <dt>{words.overlap}</dt>
        <dd>{words.overlaps[overlap]}</dd>
      </div>
      <div>
        <dt>{words.missed}</dt>
        <dd>{words.missedPolicies[missed.policy]}</dd>
      </div>
    </dl>
  );
};

const RoutinePage = ({ routine }: { readonly routine: RoutineView }): ReactNode => {
  const words = useLater().routines;
  const [editing, setEditing] = useState(false);
  const agents = useAgents().data ?? [];
  const { routineId, name, schedule, zone } = routine;
  return (
    <>
      <header className="screen-head">
        <h1>
          <Plain text={name} />
        </h1>
        <CopyMenu id={routineId} thing={{ kind: 'routine', of: routine }} />
      </header>
      {editing ? (
        <RoutineForm before={routine} agents={agents} done={() => setEditing(false)} />
      ) : (
        <>
          <Buttons routine={routine} edit={() => setEditing(true)} />
          <Facts routine={routine} />
          <SchedulePreview schedule={schedule} zone={zone} />
        </>
      )}
      <h2>{words.history}</h2>
      <Occurrences routineId={routineId} />
    </>
  );
};

export const RoutineScreen = (): ReactNode => {
  const { id = '' } = useParams<{ id: string }>();
  const asked = useQuery({ queryKey: keys.routine(id), queryFn: () => getRoutine(id) });
  return (
    <section className="screen">
      <Loaded asked={asked}>{(routine) => <RoutinePage routine={routine} />}</Loaded>
    </section>
  );
};
