// Marking a call, rewording a mark, taking it back: the API's operations, loaded with the forms that use them.
import { useMutation } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { post } from '../api/client.ts';
import { type CallPlace, faultsKey, faultsPath } from '../api/faults.ts';
import type { FaultMarkView } from '../api/types.ts';

export interface FaultSaying {
  readonly note: string;
  readonly kind?: FaultMarkView['kind'];
}
export type FaultKind = NonNullable<FaultMarkView['kind']>;

/** One change of a mark, with the key that makes a repeat harmless. */
const useChange = <Given>(
  send: (given: Given, key: string) => Promise<FaultMarkView>,
  then: () => void,
) =>
  useMutation({
    mutationFn: ({ given, key }: { readonly given: Given; readonly key: string }) =>
      send(given, key),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: faultsKey });
      then();
    },
  });

export const useMarking = ({ runId, step, call }: CallPlace, then: () => void) =>
  useChange(
    (saying: FaultSaying, key) =>
      post<FaultMarkView>(faultsPath('runs', runId, 'fault-marks'), { step, call, ...saying }, key),
    then,
  );

export const useRewording = ({ runId, markId }: FaultMarkView, then: () => void) =>
  useChange(
    (saying: FaultSaying, key) =>
      post<FaultMarkView>(faultsPath('runs', runId, 'fault-marks', markId), saying, key),
    then,
  );

export const useTakingBack = ({ runId, markId }: FaultMarkView, then: () => void) =>
  useChange(
    (given: { readonly erase: boolean }, key) =>
      post<FaultMarkView>(
        faultsPath('runs', runId, 'fault-marks', markId, 'take-back'),
        given,
        key,
      ),
    then,
  );
