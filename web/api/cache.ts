// What the page knows of the server, and how an item that changed is put into it. Owns: the cache's keys, and that an older
// copy of an action never replaces a newer one.
import { QueryClient } from '@tanstack/react-query';
import { settings } from '../base/settings.ts';
import * as calls from './calls.ts';
import { worthRepeating, worthResending } from './client.ts';
import { lostSince, whenBack } from './connection.ts';
import type { Action, RunView, Step } from './types.ts';

export const keys = {
  conversations: ['conversations'],
  conversation: (id: string) => ['conversation', id],
  messages: (id: string) => ['messages', id],
  runs: (id: string) => ['runs', id],
  run: (id: string) => ['run', id],
  steps: (runId: string) => ['steps', runId],
  runActions: (runId: string) => ['run-actions', runId],
  action: (id: string) => ['action', id],
  result: (id: string) => ['result', id],
  requests: ['requests'],
  summary: ['summary'],
  desk: ['desk'],
  sheet: (id: string) => ['sheet', id],
  skills: ['skills'],
  routines: ['routines'],
  routine: (id: string) => ['routine', id],
  occurrences: (id: string) => ['occurrences', id],
  skill: (name: string, version: string) => ['skill', name, version],
  grants: (agentId: string) => ['grants', agentId],
  request: (id: string) => ['request', id],
  bar: (tool: string) => ['bar', tool],
  mandates: (agentId: string) => ['mandates', agentId],
  audit: ['audit'],
  newestTool: (name: string) => ['newest-tool', name],
  newestSkill: (name: string) => ['newest-skill', name],
  agents: ['agents'],
  revisions: (id: string) => ['revisions', id],
  tools: ['tools'],
  tool: (name: string, version: string) => ['tool', name, version],
} as const;

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // While no answer comes at all nothing waits for its own next try: all is read when the answers are back.
      retry: (tries, cause) => lostSince.get() === undefined && worthRepeating(tries, cause),
      staleTime: 2_000,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: worthResending },
  },
});

// What is shown dates from before the break: all of it is read anew at once.
whenBack(() => void cache.invalidateQueries());

// Refusals, sheets and reasons come in the language that was asked for: another one is another answer.
let { language } = settings.get();
settings.follow(() => {
  const next = settings.get().language;
  if (next === language) return;
  language = next;
  void cache.invalidateQueries();
});

/** An action's approval, and what it waits for or waited for last. */
export const requestIdsOf = ({ mandate, requestId }: Action): readonly string[] => {
  const approval = mandate.kind === 'approval' ? mandate.requestId : undefined;
  return [...new Set([approval, requestId])].filter((id) => id !== undefined);
};

export type Actions = ReadonlyMap<string, Action>;

const newer = (before: Action | undefined, next: Action): Action => {
  if (before === undefined || next.head > before.head) return next;
  if (next.head < before.head) return before;
  return before.told !== undefined && next.told === undefined ? before : next;
};

const merged = (before: Actions, items: readonly Action[]): Actions => {
  const all = new Map(before);
  for (const item of items) all.set(item.actionId, newer(all.get(item.actionId), item));
  return all;
};

const known = (runId: string): Actions =>
  cache.getQueryData<Actions>(keys.runActions(runId)) ?? new Map();

export const putActions = (runId: string, items: readonly Action[]): void => {
  cache.setQueryData<Actions>(keys.runActions(runId), merged(known(runId), items));
};

/** All actions of a run from a step on, put beside what is known. */
export const readActions = async (runId: string, fromStep = 0): Promise<Actions> => {
  const items: Action[] = [];
  let after: number | undefined = Math.max(0, fromStep - 1);
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof calls.listRunActions>> = await calls.listRunActions(
      runId,
      after,
    );
    items.push(...page.items);
    after = page.next === undefined ? undefined : Number(page.next);
  }
  return merged(known(runId), items);
};

/** Steps never change: only those after the last one known are asked for. */
export const readSteps = async (runId: string): Promise<readonly Step[]> => {
  const before = cache.getQueryData<readonly Step[]>(keys.steps(runId)) ?? [];
  const steps = [...before];
  let after: number | undefined = steps.at(-1)?.step ?? 0;
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof calls.listSteps>> = await calls.listSteps(runId, after);
    steps.push(...page.items);
    after = page.next === undefined ? undefined : Number(page.next);
  }
  return steps.length === before.length ? before : steps;
};

/** Runs of a conversation, oldest first. */
export const readRuns = async (id: string): Promise<readonly RunView[]> => {
  const { items } = await calls.listRuns(id);
  return items.toSorted((a, b) => a.number - b.number);
};

export const putRun = (run: RunView): void => {
  cache.setQueryData<RunView>(keys.run(run.runId), run);
  cache.setQueryData<readonly RunView[]>(keys.runs(run.conversationId), (runs) =>
    runs === undefined
      ? undefined
      : [...runs.filter(({ runId }) => runId !== run.runId), run].toSorted(
          (a, b) => a.number - b.number,
        ),
  );
};
