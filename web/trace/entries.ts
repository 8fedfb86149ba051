// What a history says of its states: every time one was entered, also in a Map's iterations, and how that ended.
// Owns: the fold from events to entries, and from entries to the graph's marks. Pure.
import { detailOf, type HistoryEvent } from './history.ts';

export type EntryStatus =
  | 'running'
  | 'waiting'
  | 'retrying'
  | 'succeeded'
  | 'caught'
  | 'failed'
  | 'stopped';

export interface Failure {
  readonly atMs: number;
  readonly error: string;
  readonly cause: string;
}
export interface Entry {
  /** Id of the event that entered it. */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** The Map or Parallel it was entered in. */
  readonly within: Entry | undefined;
  /** The state that led to it; undefined at the beginning of a block. */
  readonly from: string | undefined;
  /** Number of the Map's iteration, from 0. */
  readonly iteration: number | undefined;
  readonly startedMs: number;
  endedMs: number | undefined;
  status: EntryStatus;
  /** How often its work was begun: more than once when it was retried. */
  attempts: number;
  readonly failures: Failure[];
  readonly input: string | undefined;
  output: string | undefined;
}

/** Where an event stands: in which entry, and in which iteration what comes next is entered. */
interface Stand {
  readonly entry: Entry | undefined;
  readonly within: Entry | undefined;
  readonly iteration: number | undefined;
}
const outside: Stand = { entry: undefined, within: undefined, iteration: undefined };

const isOpen = ({ endedMs }: Entry): boolean => endedMs === undefined;

/** The entry of that name here or further out. */
const named = (stand: Stand, name: string | undefined): Entry | undefined => {
  let entry = stand.entry ?? stand.within;
  while (entry !== undefined && entry.name !== name) entry = entry.within;
  return entry;
};
const holder = (stand: Stand, type: string): Entry | undefined => {
  let entry = stand.entry ?? stand.within;
  while (entry !== undefined && (entry.type !== type || !isOpen(entry))) entry = entry.within;
  return entry;
};
const standOf = (entry: Entry): Stand => ({
  entry,
  within: entry.within,
  iteration: entry.iteration,
});

const isIn = (entry: Entry, outer: Entry): boolean =>
  entry.within !== undefined && (entry.within === outer || isIn(entry.within, outer));

class Fold {
  readonly entries: Entry[] = [];
  #stands = new Map<number, Stand>();
  #types = new Map<number, string>();
  #open = new Set<Entry>();

  take(event: HistoryEvent): void {
    const before = this.#stands.get(event.previousId) ?? outside;
    this.#stands.set(event.id, this.#after(event, before));
    this.#types.set(event.id, event.type);
  }

  #after(event: HistoryEvent, before: Stand): Stand {
    const { type } = event;
    if (type.endsWith('StateEntered')) return this.#enter(event, before);
    if (type.endsWith('StateExited')) return this.#exit(event, before);
    if (type.startsWith('Execution')) return this.#whole(event, before);
    if (type.startsWith('MapIteration')) return this.#iteration(event, before);
    const group = /^(Map|Parallel)State(Started|Succeeded|Failed)$/.exec(type);
    const entry = group === null ? before.entry : holder(before, group[1] ?? '');
    if (entry === undefined) return before;
    if (group?.[2] === 'Failed') this.#failWithin(before.entry, entry, event.atMs);
    this.#work(event, entry);
    return standOf(entry);
  }

  #enter(event: HistoryEvent, before: Stand): Stand {
    const inBranch = this.#types.get(event.previousId) === 'ParallelStateStarted';
    const entry: Entry = {
      id: event.id,
      name: detailOf(event, 'name') ?? '',
      type: event.type.slice(0, -'StateEntered'.length),
      within: inBranch ? before.entry : before.within,
      from: inBranch ? undefined : before.entry?.name,
      iteration: inBranch ? undefined : before.iteration,
      startedMs: event.atMs,
      endedMs: undefined,
      status: event.type.startsWith('Wait') ? 'waiting' : 'running',
      attempts: 0,
      failures: [],
      input: detailOf(event, 'input'),
      output: undefined,
    };
    this.entries.push(entry);
    this.#open.add(entry);
    return standOf(entry);
  }

  #exit(event: HistoryEvent, before: Stand): Stand {
    const entry = named(before, detailOf(event, 'name'));
    if (entry === undefined) return before;
    this.#stopWithin(entry, event.atMs);
    entry.output = detailOf(event, 'output');
    this.#close(entry, event.atMs, entry.status === 'retrying' ? 'caught' : 'succeeded');
    return standOf(entry);
  }

  #iteration(event: HistoryEvent, before: Stand): Stand {
    const map = named(before, detailOf(event, 'name'));
    const { index } = event.details;
    if (map === undefined) return before;
    if (event.type === 'MapIterationFailed') this.#failWithin(before.entry, map, event.atMs);
    if (event.type !== 'MapIterationStarted') return standOf(map);
    return {
      entry: undefined,
      within: map,
      iteration: typeof index === 'number' ? index : undefined,
    };
  }

  /** What a task, a Map or a Parallel tells of its own work. */
  #work(event: HistoryEvent, entry: Entry): void {
    const { type, atMs } = event;
    if (type.endsWith('StateAborted')) return;
    if (/(Scheduled|MapStateStarted|ParallelStateStarted)$/.test(type)) {
      entry.attempts += 1;
      this.#reopen(entry);
    } else if (/(Failed|TimedOut)$/.test(type)) {
      if (type === 'MapStateFailed' || type === 'ParallelStateFailed')
        this.#stopWithin(entry, atMs);
      const error = detailOf(event, 'error') ?? '';
      entry.failures.push({ atMs, error, cause: detailOf(event, 'cause') ?? '' });
      // Unless something follows, it waits to be tried again.
      entry.status = 'retrying';
    } else if (type.endsWith('Submitted')) entry.status = 'waiting';
    else if (type.endsWith('Succeeded')) entry.status = 'running';
  }

  #whole({ type, atMs }: HistoryEvent, before: Stand): Stand {
    if (type === 'ExecutionStarted' || type === 'ExecutionRedriven') return before;
    if (type === 'ExecutionFailed')
      for (let entry = before.entry; entry !== undefined; entry = entry.within)
        if (isOpen(entry)) this.#close(entry, atMs, 'failed');
    for (const entry of this.#open) this.#stop(entry, atMs);
    return before;
  }

  /** A redriven execution takes up where it failed. */
  #reopen(entry: Entry): void {
    for (let one: Entry | undefined = entry; one !== undefined; one = one.within) {
      one.status = 'running';
      one.endedMs = undefined;
      this.#open.add(one);
    }
  }

  /** What failed took along everything between it and `outer`. */
  #failWithin(from: Entry | undefined, outer: Entry, atMs: number): void {
    for (let entry = from; entry !== undefined && entry !== outer; entry = entry.within)
      if (isOpen(entry)) this.#close(entry, atMs, 'failed');
  }

  #stopWithin(outer: Entry, atMs: number): void {
    for (const entry of this.#open) if (isIn(entry, outer)) this.#stop(entry, atMs);
  }

  #stop(entry: Entry, atMs: number): void {
    this.#close(entry, atMs, entry.status === 'retrying' ? 'failed' : 'stopped');
  }

  #close(entry: Entry, atMs: number, status: EntryStatus): void {
    entry.status = status;
    entry.endedMs = atMs;
    this.#open.delete(entry);
  }
}

/** Every entry of a state, in the order of their beginnings. */
export const entriesOf = (events: readonly HistoryEvent[]): readonly Entry[] => {
  const fold = new Fold();
  for (const event of events) fold.take(event);
  return fold.entries;
};

/** How a state stands in the graph. */
export type Mark = 'here' | 'failed' | 'stopped' | 'caught' | 'passed' | 'unreached';

export interface Marked {
  readonly mark: Mark;
  /** How often it was entered. */
  readonly count: number;
  /** How often its work was tried again. */
  readonly retries: number;
  /** Entries that are open now. */
  readonly open: number;
}

const marks: { readonly [S in EntryStatus]: Mark } = {
  running: 'here',
  waiting: 'here',
  retrying: 'here',
  failed: 'failed',
  stopped: 'stopped',
  caught: 'caught',
  succeeded: 'passed',
};
const strongest: readonly Mark[] = ['here', 'failed', 'stopped', 'caught', 'passed'];

/** What is worth knowing first about each state that was entered, by its name. */
export const marksOf = (entries: readonly Entry[]): ReadonlyMap<string, Marked> =>
  new Map(
    [...Map.groupBy(entries, ({ name }) => name)].map(([name, of]) => {
      const found = new Set(of.map(({ status }) => marks[status]));
      return [
        name,
        {
          mark: strongest.find((mark) => found.has(mark)) ?? 'unreached',
          count: of.length,
          retries: of.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0),
          open: of.filter(isOpen).length,
        },
      ];
    }),
  );
