// The attempts and requests behind a run's actions, read for its line of time. Owns: reading the journal only where there was
// more than one attempt.
import { useQueries } from '@tanstack/react-query';
import { keys, requestIdsOf } from '../api/cache.ts';
import { getAction, getRequest } from '../api/calls.ts';
import type { Action, JournalView, PersonRequest } from '../api/types.ts';

/** One try of an action; without `toMs` while nobody has closed it. */
export interface Tried {
  readonly attempt: number;
  readonly fromMs: number;
  readonly toMs: number | undefined;
}
export type Attempts = ReadonlyMap<string, readonly Tried[]>;

const triedIn = ({ attempts, ends }: JournalView): readonly Tried[] =>
  attempts.map(({ attempt, engagedAt }) => {
    const end = ends.find((one) => one.attempt === attempt);
    return {
      attempt,
      fromMs: Date.parse(engagedAt),
      toMs: end === undefined ? undefined : Date.parse(end.at),
    };
  });

/** Attempts by action, of those that needed several. */
export const useAttempts = (actions: Iterable<Action>): Attempts => {
  const asked = useQueries({
    queries: [...actions].flatMap(({ actionId, attempts }) =>
      attempts < 2 ? [] : [{ queryKey: keys.action(actionId), queryFn: () => getAction(actionId) }],
    ),
  });
  return new Map(
    asked.flatMap(({ data }) =>
      data === undefined ? [] : [[data.action.actionId, triedIn(data.journal)] as const],
    ),
  );
};

export const useRequests = (actions: Iterable<Action>): ReadonlyMap<string, PersonRequest> => {
  const asked = useQueries({
    queries: [...actions]
      .flatMap(requestIdsOf)
      .map((id) => ({ queryKey: keys.request(id), queryFn: () => getRequest(id) })),
  });
  return new Map(
    asked.flatMap(({ data }) => (data ? [[data.request.requestId, data.request] as const] : [])),
  );
};
