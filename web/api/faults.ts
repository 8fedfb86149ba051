// Fault marks as the page reads and writes them: the API's operations, and how long what was read is good for. They have no
// events, since nothing follows from them: a list is looked at again now and then, and when somebody comes back to the tab.
import { useMutation, useQuery } from '@tanstack/react-query';
import { cache } from './cache.ts';
import { get, post } from './client.ts';
import type { FaultMarkView, Page } from './types.ts';

export interface CallPlace {
  readonly runId: string;
  readonly step: number;
  readonly call: number;
}
export interface FaultSaying {
  readonly note: string;
  readonly kind?: FaultMarkView['kind'];
}
export type FaultKind = NonNullable<FaultMarkView['kind']>;

/** Where a call is found in its thread, and its key wherever calls are told apart. */
export const callId = ({ runId, step, call }: CallPlace): string => `${runId}/${step}/${call}`;
export const callPlace = (of: CallPlace & { readonly conversationId: string }): string =>
  `/c/${of.conversationId}?at=${callId(of)}`;

const faultsKey = ['faults'];
const againMs = 5_000;
const pagesMax = 10;

const path = (...parts: readonly string[]): string =>
  `/v1/${parts.map(encodeURIComponent).join('/')}`;

const readAll = async (list: string): Promise<readonly FaultMarkView[]> => {
  const items: FaultMarkView[] = [];
  let cursor = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const read = await get<Page<FaultMarkView>>(`${list}?limit=100${cursor}`);
    items.push(...read.items);
    if (read.next === undefined) break;
    cursor = `&cursor=${encodeURIComponent(read.next)}`;
  }
  return items;
};

const useFaults = (list: string) =>
  useQuery({
    queryKey: [...faultsKey, list],
    queryFn: () => readAll(list),
    refetchInterval: againMs,
  });

export const useConversationFaults = (conversationId: string) =>
  useFaults(path('conversations', conversationId, 'fault-marks'));
/** Newest first. */
export const useAgentFaults = (agentId: string) =>
  useFaults(path('agents', agentId, 'fault-marks'));

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
      post<FaultMarkView>(path('runs', runId, 'fault-marks'), { step, call, ...saying }, key),
    then,
  );

export const useRewording = ({ runId, markId }: FaultMarkView, then: () => void) =>
  useChange(
    (saying: FaultSaying, key) =>
      post<FaultMarkView>(path('runs', runId, 'fault-marks', markId), saying, key),
    then,
  );

export const useTakingBack = ({ runId, markId }: FaultMarkView, then: () => void) =>
  useChange(
    (given: { readonly erase: boolean }, key) =>
      post<FaultMarkView>(path('runs', runId, 'fault-marks', markId, 'take-back'), given, key),
    then,
  );
