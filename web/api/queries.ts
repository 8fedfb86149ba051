// What a screen reads, as hooks. Owns: how often what has no event stream is asked for again.
import { useQuery } from '@tanstack/react-query';
import { type Actions, cache, keys, readActions, readRuns, readSteps } from './cache.ts';
import * as calls from './calls.ts';

/** Lists without a stream are looked at again this often, so that two people see the same soon. */
export const listMs = 3_000;
export const inboxMs = 1_000;

export const allPages = async <Item>(
  read: (cursor?: string) => Promise<{ items: readonly Item[]; next?: string | undefined }>,
  pages: number,
): Promise<{ readonly items: readonly Item[]; readonly more: boolean }> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const { items: found, next } = await read(cursor);
    items.push(...found);
    if (next === undefined) return { items, more: false };
    cursor = next;
  }
  return { items, more: true };
};

export const useConversation = (id: string) =>
  useQuery({ queryKey: keys.conversation(id), queryFn: () => calls.getConversation(id) });

/** Each holds what fits into one answer, thousands of ordinary things. */
const largePagesMax = 50;
const whole = async <Item>(read: Parameters<typeof allPages<Item>>[0]): Promise<readonly Item[]> =>
  (await allPages(read, largePagesMax)).items;

export const useMessages = (id: string) =>
  useQuery({
    queryKey: keys.messages(id),
    queryFn: () => whole((after) => calls.listMessages(id, after)),
  });

export const useRuns = (id: string) =>
  useQuery({ queryKey: keys.runs(id), queryFn: () => readRuns(id) });

export const useRun = (id: string) =>
  useQuery({ queryKey: keys.run(id), queryFn: () => calls.getRun(id) });

export const useSteps = (runId: string) =>
  useQuery({
    queryKey: keys.steps(runId),
    queryFn: () => readSteps(runId),
    structuralSharing: false,
  });

export const useActions = (runId: string) =>
  useQuery<Actions>({
    queryKey: keys.runActions(runId),
    queryFn: () => readActions(runId),
    structuralSharing: false,
  });

export const useAction = (id: string, enabled = true, refetchMs: number | false = false) =>
  useQuery({
    queryKey: keys.action(id),
    queryFn: () => calls.getAction(id),
    enabled,
    refetchInterval: refetchMs,
  });

/** Requests that are shown at once: together they are asked for as often as one alone. */
const shownRequests = (): number =>
  Math.max(1, cache.getQueryCache().findAll({ queryKey: ['request'], type: 'active' }).length);

export const useRequest = (id: string) =>
  useQuery({
    queryKey: keys.request(id),
    queryFn: () => calls.getRequest(id),
    refetchInterval: ({ state }) =>
      state.data?.request.decision === undefined ? inboxMs * shownRequests() : false,
  });

/** What needs this person, and what has ended unseen. */
export const useSummary = () =>
  useQuery({
    queryKey: keys.summary,
    queryFn: calls.summariseInbox,
    refetchInterval: listMs,
  });

/** `head` and `fence` are what it was made of: a new one is read when either moved. */
export const useSheet = (id: string, head: number, fence: number) =>
  useQuery({
    queryKey: [...keys.sheet(id), head, fence],
    queryFn: () => calls.getSheet(id),
    placeholderData: (before) => before,
  });

export const useSkills = () =>
  useQuery({ queryKey: keys.skills, queryFn: () => whole(calls.listSkills) });

export const useSkillVersion = (name: string, version: string) =>
  useQuery({
    queryKey: keys.skill(name, version),
    queryFn: () => calls.getSkillVersion(name, version),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useGrants = (agentId: string) =>
  useQuery({
    queryKey: keys.grants(agentId),
    queryFn: async () => (await calls.listGrants(agentId)).items,
  });

export const useAgents = () =>
  useQuery({
    queryKey: keys.agents,
    queryFn: () => whole(calls.listAgents),
    staleTime: 10_000,
  });

export const useRevisions = (id: string) =>
  useQuery({
    queryKey: keys.revisions(id),
    queryFn: () => whole((cursor) => calls.listRevisions(id, cursor)),
  });

export const useTools = () =>
  useQuery({
    queryKey: keys.tools,
    queryFn: () => whole(calls.listTools),
    staleTime: 10_000,
  });

export const useToolVersion = (name: string, version: string) =>
  useQuery({
    queryKey: keys.tool(name, version),
    queryFn: () => calls.getToolVersion(name, version),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useNewestTool = (name: string) =>
  useQuery({ queryKey: keys.newestTool(name), queryFn: () => calls.getTool(name) });

export const useNewestSkill = (name: string) =>
  useQuery({ queryKey: keys.newestSkill(name), queryFn: () => calls.getSkill(name) });
