// Fault marks as the page reads them, and how long what was read is good for. They have no events, since nothing follows from
// them: a list is looked at again now and then, and when somebody comes back to the tab.
import { useQuery } from '@tanstack/react-query';
import { after } from './calls.ts';
import { get } from './client.ts';
import { allPages } from './queries.ts';
import type { FaultMarkView, Page } from './types.ts';

export interface CallPlace {
  readonly runId: string;
  readonly step: number;
  readonly call: number;
}

/** Where a call is found in its thread, and its key wherever calls are told apart. */
export const callId = ({ runId, step, call }: CallPlace): string => `${runId}/${step}/${call}`;
export const callPlace = (of: CallPlace & { readonly conversationId: string }): string =>
  `/c/${of.conversationId}?at=${callId(of)}`;

export const faultsKey = ['faults'];
const againMs = 5_000;
const pagesMax = 10;

export const faultsPath = (...parts: readonly string[]): string =>
  `/v1/${parts.map(encodeURIComponent).join('/')}`;

const readAll = async (list: string): Promise<readonly FaultMarkView[]> => {
  const read = (cursor?: string) => get<Page<FaultMarkView>>(`${list}?limit=100${after(cursor)}`);
  return (await allPages(read, pagesMax)).items;
};

const useFaults = (list: string) =>
  useQuery({
    queryKey: [...faultsKey, list],
    queryFn: () => readAll(list),
    refetchInterval: againMs,
  });

export const useConversationFaults = (conversationId: string) =>
  useFaults(faultsPath('conversations', conversationId, 'fault-marks'));
/** Newest first. */
export const useAgentFaults = (agentId: string) =>
  useFaults(faultsPath('agents', agentId, 'fault-marks'));
