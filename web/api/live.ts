// The live side of one conversation: texts as they are written, and reading anew whatever an event says has changed.
// Owns: gathering what arrives, so that five hundred events a second cost a few reads and renders.
import { afterEvent, type LiveText } from '../../functions/core/turn/live-text.ts';
import { type Store, storeOf } from '../base/store.ts';
import {
  type Actions,
  cache,
  keys,
  putActions,
  putRun,
  readActions,
  requestIdsOf,
} from './cache.ts';
import * as calls from './calls.ts';
import { type Connection, followEvents } from './stream.ts';
import type { Action, EventBody, Snapshot, StoredEvent } from './types.ts';

export interface Live {
  readonly connection: Connection;
  /** Number of the last event handled. */
  readonly number: number;
  /** Unfinished and just finished texts, by run. */
  readonly texts: ReadonlyMap<string, LiveText>;
}

export const noLive: Live = { connection: 'connecting', number: 0, texts: new Map() };

interface Changed {
  messages: boolean;
  requests: boolean;
  everything: boolean;
  readonly runs: Set<string>;
  readonly steps: Set<string>;
  readonly actions: Map<string, string>;
  /** With the run of each. */
  readonly requestIds: Map<string, string>;
}

const nothing = (): Changed => ({
  messages: false,
  requests: false,
  everything: false,
  runs: new Set(),
  steps: new Set(),
  actions: new Map(),
  requestIds: new Map(),
});

/** Texts of stored steps are the steps' own; only the last few are kept until those are read. */
const keptTexts = 3;
const trimmed = (texts: LiveText): LiveText =>
  texts.size > keptTexts ? new Map([...texts].slice(-keptTexts)) : texts;

const note = (changed: Changed, body: EventBody): void => {
  if (body.type.startsWith('message.')) changed.messages = true;
  if ('runId' in body && (body.type.startsWith('run.') || body.type === 'step.stored'))
    changed.runs.add(body.runId);
  if (body.type === 'step.stored') changed.steps.add(body.runId);
  if ('actionId' in body && body.actionId !== undefined && 'runId' in body)
    changed.actions.set(body.actionId, body.runId);
  if ('requestId' in body) {
    changed.requests = true;
    changed.requestIds.set(body.requestId, body.runId);
  }
};

/** Above so many changed actions of a run they are read as a list. */
const singlyMax = 4;

/** What may still be done about a request depends on what became of its action. */
const againRequests = (action: Action): void => {
  for (const requestId of requestIdsOf(action))
    void cache.invalidateQueries({ queryKey: keys.request(requestId) });
};

const readOne = async (runId: string, id: string): Promise<void> => {
  const view = await calls.getAction(id);
  cache.setQueryData(keys.action(id), view);
  putActions(runId, [view.action]);
  againRequests(view.action);
  void cache.invalidateQueries({ queryKey: keys.result(id) });
};

const readList = async (runId: string, ids: readonly string[]): Promise<void> => {
  const known = cache.getQueryData<Actions>(keys.runActions(runId));
  const steps = ids.map((id) => known?.get(id)?.step);
  const first = steps.includes(undefined) ? 0 : Math.min(...steps.map(Number));
  const read = await readActions(runId, first);
  putActions(runId, [...read.values()]);
  for (const id of ids) {
    void cache.invalidateQueries({ queryKey: keys.action(id) });
    const action = read.get(id);
    if (action !== undefined) againRequests(action);
  }
};

const refreshActions = async (runId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length > singlyMax) return readList(runId, ids);
  const read = await Promise.allSettled(ids.map((id) => readOne(runId, id)));
  if (read.some(({ status }) => status === 'rejected')) await readList(runId, ids);
};

/** Reads anew. A first read under way may have looked before the change, so it is begun again too. */
const again = async (queryKey: readonly unknown[]): Promise<void> => {
  await cache.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await cache.invalidateQueries({ queryKey });
};

/** A list that was being read meanwhile would put the run back to what it was. */
const readRun = async (id: string, runId: string): Promise<void> => {
  putRun(await calls.getRun(runId));
  if (cache.isFetching({ queryKey: keys.runs(id) }) > 0) await again(keys.runs(id));
};

/** An answer changes its action too, which the event of a closed request does not name. */
const actionsAsked = (requestId: string, runId: string): readonly string[] =>
  [...(cache.getQueryData<Actions>(keys.runActions(runId))?.values() ?? [])].flatMap((action) =>
    action.requestId === requestId ? [action.actionId] : [],
  );

const everythingRead = ['run', 'runs', 'run-actions', 'steps', 'messages', 'request', 'action'];

/** True when everything that changed was read. */
const refresh = async (id: string, changed: Changed): Promise<boolean> => {
  const work: Promise<unknown>[] = [];
  if (changed.everything) for (const key of everythingRead) work.push(again([key]));
  if (changed.messages) work.push(again(keys.messages(id)));
  if (changed.requests) work.push(again(keys.requests));
  for (const [requestId, runId] of changed.requestIds) {
    work.push(again(keys.request(requestId)));
    for (const actionId of actionsAsked(requestId, runId)) changed.actions.set(actionId, runId);
  }
  for (const runId of changed.steps) work.push(again(keys.steps(runId)));
  for (const runId of changed.runs) work.push(readRun(id, runId));
  const byRun = Map.groupBy(changed.actions, ([, runId]) => runId);
  for (const [runId, entries] of byRun)
    work.push(
      refreshActions(
        runId,
        entries.map(([actionId]) => actionId),
      ),
    );
  if (changed.runs.size > 0 || changed.requests || changed.messages || changed.everything) {
    work.push(again(keys.conversation(id)));
    work.push(again(keys.conversations));
    work.push(again(keys.summary));
  }
  const read = await Promise.allSettled(work);
  return read.every(({ status }) => status === 'fulfilled');
};

const fromSnapshot = ({ run, steps }: Snapshot): ReadonlyMap<string, LiveText> =>
  run === undefined
    ? new Map()
    : new Map([[run.runId, trimmed(new Map(steps.map((step) => [step.step, step])))]]);

const withEvents = (before: Live, events: readonly StoredEvent[]): Live => {
  const texts = new Map(before.texts);
  let { number } = before;
  for (const { body, number: next } of events) {
    number = next;
    if (!('runId' in body)) continue;
    if (body.type === 'run.finished') texts.delete(body.runId);
    else if (body.type.startsWith('text.') || body.type === 'step.stored')
      texts.set(
        body.runId,
        trimmed(afterEvent(texts.get(body.runId) ?? new Map(), body.runId, body)),
      );
  }
  return { ...before, number, texts };
};

/** Events are shown this often; what they changed is read at most every `readMs`. */
const showMs = 80;
const readMs = 200;
const failedMs = 2_000;
const failuresMax = 5;

class LiveConversation {
  readonly state: Store<Live> = storeOf(noLive);
  readonly id: string;
  private readonly leaving = new AbortController();
  private waiting: StoredEvent[] = [];
  private changed = nothing();
  private showTimer: number | undefined;
  private reading = false;
  private followers = 0;
  private failures = 0;

  constructor(id: string) {
    this.id = id;
  }

  private show(): void {
    this.showTimer = undefined;
    const events = this.waiting;
    this.waiting = [];
    if (events.length > 0) this.state.set(withEvents(this.state.get(), events));
  }

  private async read(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    while (!this.leaving.signal.aborted) {
      const changed = this.changed;
      this.changed = nothing();
      const whole = await refresh(this.id, changed);
      this.failures = whole ? 0 : this.failures + 1;
      // What could not be read is read anew, all of it, a few times; after that the person's own reload is left.
      if (!whole && this.failures <= failuresMax) this.changed.everything = true;
      await new Promise((resolve) => setTimeout(resolve, whole ? readMs : failedMs));
      const { messages, requests, everything, runs, steps, actions } = this.changed;
      const more = runs.size + steps.size + actions.size > 0;
      if (!messages && !requests && !everything && !more) break;
    }
    this.reading = false;
  }

  begin(): void {
    const { signal } = this.leaving;
    const follower = {
      snapshot: (snapshot: Snapshot): void => {
        this.waiting = [];
        const texts = fromSnapshot(snapshot);
        this.state.set({ ...this.state.get(), number: snapshot.number, texts });
        // Also after the first one: what was read before it may be older, and no event will tell.
        this.changed.everything = true;
        if (snapshot.run) putRun(snapshot.run);
        void this.read();
      },
      event: (event: StoredEvent): void => {
        this.waiting.push(event);
        this.showTimer ??= window.setTimeout(() => this.show(), showMs);
        note(this.changed, event.body);
        if (!event.body.type.startsWith('text.')) void this.read();
      },
      connection: (connection: Connection): void =>
        this.state.set({ ...this.state.get(), connection }),
    };
    void followEvents(this.id, follower, signal);
  }

  join(): void {
    this.followers += 1;
  }

  /** True when the last follower left and the stream was closed. */
  leave(): boolean {
    this.followers -= 1;
    if (this.followers > 0) return false;
    this.leaving.abort();
    clearTimeout(this.showTimer);
    return true;
  }
}

const open = new Map<string, LiveConversation>();

/** Follows a conversation as long as somebody looks at it. */
export const joinLive = (
  id: string,
): { readonly state: Store<Live>; readonly leave: () => void } => {
  const live = open.get(id) ?? new LiveConversation(id);
  if (!open.has(id)) {
    open.set(id, live);
    live.begin();
  }
  live.join();
  return {
    state: live.state,
    leave: () => {
      if (live.leave()) open.delete(id);
    },
  };
};
