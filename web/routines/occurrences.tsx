// A routine's history: every due time with the run it became, or the reason why it became none. Laws: L19.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { listOccurrences, retryOccurrence } from '../api/calls.ts';
import type { OccurrenceView } from '../api/types.ts';
import { CopyMenu, shortId } from '../copying/copy.tsx';
import { useAnchor } from '../parts/anchor.ts';
import { Loaded, ProblemNote } from '../parts/notes.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { Badge, runShown } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const lookMs = 3_000;

const Outcome = ({ of }: { readonly of: OccurrenceView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { outcome, run } = of;
  switch (outcome.kind) {
    case 'fired':
      return (
        <>
          {words.routines.how[outcome.how]}{' '}
          <Link href={`/c/${outcome.conversationId}`}>{shortId(outcome.runId)}</Link>{' '}
          {run === undefined ? null : <Badge shown={runShown(run.state, words)} />}
        </>
      );
    case 'skipped':
      return words.routines.skipped(words.routines.because[outcome.because]);
    case 'missed':
      return words.routines.missedOut;
  }
};

const Row = ({ of }: { readonly of: OccurrenceView }): ReactNode => {
  const words = useLater().routines;
  const { routineId, occurrenceId, dueAt, cause, retryable } = of;
  const anchor = useAnchor<HTMLTableRowElement>(occurrenceId);
  const retrying = useMutation({
    mutationFn: () => retryOccurrence(routineId, occurrenceId),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.occurrences(routineId) }),
  });
  return (
    <StackingRow
      {...anchor}
      name={
        <>
          <Time at={dueAt} exact />{' '}
          <CopyMenu compact id={occurrenceId} thing={{ kind: 'occurrence', of }} />
        </>
      }
    >
      {words.causes[cause]}
      <div>
        <Outcome of={of} />
        {retrying.error ? <ProblemNote cause={retrying.error} /> : null}
      </div>
      {retryable ? (
        <button type="button" disabled={retrying.isPending} onClick={() => retrying.mutate()}>
          {words.retry}
        </button>
      ) : null}
    </StackingRow>
  );
};

export const Occurrences = ({ routineId }: { readonly routineId: string }): ReactNode => {
  const words = useLater().routines;
  const asked = useQuery({
    queryKey: keys.occurrences(routineId),
    queryFn: async () => (await listOccurrences(routineId)).items,
    refetchInterval: lookMs,
  });
  return (
    <Loaded asked={asked}>
      {(occurrences) =>
        occurrences.length === 0 ? (
          <p className="hint">{words.historyEmpty}</p>
        ) : (
          <StackingTable
            className="stacking occurrences"
            columns={[words.due, words.cause, words.outcome, '']}
          >
            {occurrences.map((one) => (
              <Row key={one.occurrenceId} of={one} />
            ))}
          </StackingTable>
        )
      }
    </Loaded>
  );
};
