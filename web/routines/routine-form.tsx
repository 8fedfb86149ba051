// Makes a routine or changes one: what is said, to whom, when, and what happens when it does not fit.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { changeRoutine, createRoutine } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import { useAgents } from '../api/queries.ts';
import type { AgentRevision, RoutineBody, RoutineView } from '../api/types.ts';
import { Loaded, ProblemNote } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';
import { type Draft, draftOf, firstDraft, scheduleOf } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { SchedulePreview } from './schedule-preview.tsx';

const overlaps = ['skip', 'steer', 'queue'] as const;
const hourMs = 3_600_000;

interface Given {
  readonly name: string;
  readonly agentId: string;
  readonly message: string;
  readonly draft: Draft;
  readonly zone: string;
  readonly overlap: (typeof overlaps)[number];
  readonly makeUp: boolean;
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const tomorrow = (): string =>
  `${new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)}T09:00`;

const givenFrom = (routine: RoutineView | undefined, agents: readonly AgentRevision[]): Given => {
  const base = firstDraft(tomorrow());
  return {
    name: routine?.name ?? '',
    agentId: routine?.agentId ?? agents[0]?.agentId ?? '',
    message: routine?.message ?? '',
    draft: routine === undefined ? base : draftOf(routine.schedule, base),
    zone: routine?.zone ?? ownZone(),
    overlap: routine?.overlap ?? 'skip',
    makeUp: routine?.missed.policy === 'one',
  };
};

const bodyOf = (given: Given, before: RoutineView | undefined): RoutineBody => {
  const { name, agentId, message, draft, zone, overlap, makeUp } = given;
  return {
    name,
    agentId,
    message,
    schedule: scheduleOf(draft),
    zone,
    overlap,
    missed: makeUp ? { policy: 'one', windowMs: hourMs } : { policy: 'skip' },
    conversation: before?.conversation ?? { kind: 'own' },
    ...(before?.startsAt === undefined ? {} : { startsAt: before.startsAt }),
    ...(before?.endsAt === undefined ? {} : { endsAt: before.endsAt }),
  };
};

type Change = (change: Partial<Given>) => void;

const What = ({
  given,
  change,
  agents,
}: {
  readonly given: Given;
  readonly change: Change;
  readonly agents: readonly AgentRevision[];
}): ReactNode => {
  const words = useLater().routines;
  return (
    <>
      <label>
        {words.name}
        <input
          type="text"
          required
          maxLength={200}
          value={given.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </label>
      <label>
        {words.agent}
        <select value={given.agentId} onChange={({ target }) => change({ agentId: target.value })}>
          {agents.map(({ agentId, configuration }) => (
            <option key={agentId} value={agentId}>
              {configuration.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.message}
        <textarea
          rows={3}
          required
          value={given.message}
          onChange={({ target }) => change({ message: target.value })}
        />
      </label>
    </>
  );
};

const Rules = ({
  given,
  change,
}: {
  readonly given: Given;
  readonly change: Change;
}): ReactNode => {
  const words = useLater().routines;
  return (
    <>
      <fieldset className="choices column">
        <legend>{words.overlap}</legend>
        {overlaps.map((overlap) => (
          <label key={overlap}>
            <input
              type="radio"
              name="overlap"
              checked={given.overlap === overlap}
              onChange={() => change({ overlap })}
            />
            {words.overlaps[overlap]}
          </label>
        ))}
      </fieldset>
      <fieldset className="choices column">
        <legend>{words.missed}</legend>
        {([false, true] as const).map((makeUp) => (
          <label key={String(makeUp)}>
            <input
              type="radio"
              name="missed"
              checked={given.makeUp === makeUp}
              onChange={() => change({ makeUp })}
            />
            {words.missedPolicies[makeUp ? 'one' : 'skip']}
          </label>
        ))}
      </fieldset>
    </>
  );
};

const useSaving = (before: RoutineView | undefined, done: (routineId: string) => void) =>
  useMutation({
    mutationFn: async ({ body, key }: { readonly body: RoutineBody; readonly key: string }) => {
      if (before === undefined) return (await createRoutine(body, key)).routineId;
      await changeRoutine(before.routineId, { ...body, rev: before.rev }, key);
      return before.routineId;
    },
    onSuccess: async (routineId) => {
      await cache.invalidateQueries({ queryKey: keys.routines });
      await cache.invalidateQueries({ queryKey: keys.routine(routineId) });
      done(routineId);
    },
  });

export const RoutineForm = ({
  before,
  agents,
  done,
}: {
  readonly before?: RoutineView;
  readonly agents: readonly AgentRevision[];
  readonly done: (routineId: string) => void;
}): ReactNode => {
  const words = useLater().routines;
  const [given, setGiven] = useState(() => givenFrom(before, agents));
  const saving = useSaving(before, done);
  const change: Change = (changes) => setGiven({ ...given, ...changes });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate({ body: bodyOf(given, before), key: newKey() });
  };
  return (
    <form className="stack routine-form" onSubmit={submit}>
      <What given={given} change={change} agents={agents} />
      <ScheduleFields
        draft={given.draft}
        change={(draft) => change({ draft })}
        zone={given.zone}
        setZone={(zone) => change({ zone })}
      />
      <SchedulePreview schedule={scheduleOf(given.draft)} zone={given.zone} />
      <Rules given={given} change={change} />
      {saving.error ? <ProblemNote cause={saving.error} /> : null}
      <div className="row">
        <button type="submit" className="main" disabled={saving.isPending}>
          {words.save}
        </button>
      </div>
    </form>
  );
};

export const NewRoutineScreen = (): ReactNode => {
  const words = useLater().routines;
  const [, go] = useLocation();
  return (
    <section className="screen">
      <h1>{words.new}</h1>
      <Loaded asked={useAgents()}>
        {(agents) => (
          <RoutineForm agents={agents} done={(routineId) => go(`/routines/${routineId}`)} />
        )}
      </Loaded>
    </section>
  );
};
