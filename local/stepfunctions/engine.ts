// Runs executions: one mailbox each, one turn at a time, everything stored before it is acted upon.
// Owns: what is in memory. An execution is loaded when something happens to it and dropped when it only waits; what it waits
// for is a due time or a token in the store, never an object here.
import type { Machine, TaskResource } from './asl/types.ts';
import type { Json } from './json.ts';
import type { Surroundings } from './jsonata/functions.ts';
import { apply, type Stimulus } from './run/stimuli.ts';
import type { CallOutcome } from './run/task.ts';
import { type CallToMake, type Live, Turn, type World } from './run/turn.ts';
import type { Committer } from './store/committer.ts';
import type { ExecutionRow } from './store/rows.ts';
import type { ExecutionStore } from './store/store.ts';

/** Makes the call of a Task; never throws. */
export type MakeCall = (resource: TaskResource, request: Json) => Promise<CallOutcome>;

export interface EngineParts {
  readonly store: ExecutionStore;
  readonly committer: Committer;
  readonly world: World & Surroundings;
  machine(definition: number): Machine;
  readonly makeCall: MakeCall;
  /** Called after each commit that may have set a due time. */
  readonly dueChanged: (atMs: number | undefined) => void;
  readonly statusChanged: (row: ExecutionRow) => void;
}

interface Letter {
  readonly stimulus: Stimulus;
  /** The sender can be told that it was not stored. */
  readonly mayFail: boolean;
  readonly taken: (accepted: boolean) => void;
  readonly failed: (error: unknown) => void;
}

interface Mailbox {
  readonly letters: Letter[];
  isBusy: boolean;
  live: Live | undefined;
  callsOut: number;
  /** Set while the execution's row is not in the store yet. */
  isNew: boolean;
}

const nameIn = (machineArn: string): string => machineArn.split(':')[6] ?? '';

export class Engine {
  readonly #parts: EngineParts;
  readonly #mailboxes = new Map<number, Mailbox>();
  #isClosed = false;
  #lastNo: number;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#lastNo = parts.store.nextNo() - 1;
  }

  nextNo(): number {
    this.#lastNo += 1;
    return this.#lastNo;
  }

  /** How many executions are in memory. */
  get residents(): number {
    return this.#mailboxes.size;
  }

  /** Stores a new execution with its first events; resolves when they are on disk. */
  async begin(row: ExecutionRow): Promise<void> {
    const mailbox = this.#mailbox(row.no);
    mailbox.live = this.#live(row);
    mailbox.isNew = true;
    await this.submit(row.no, { kind: 'begin' }, true);
  }

  /** Resolves when what follows from the stimulus is on disk; false when it no longer concerned the execution. */
  submit(no: number, stimulus: Stimulus, mayFail: boolean): Promise<boolean> {
    if (this.#isClosed) return Promise.reject(new Error('The twin is closed.'));
    const mailbox = this.#mailbox(no);
    return new Promise((taken, failed) => {
      mailbox.letters.push({ stimulus, mayFail, taken, failed });
      if (!mailbox.isBusy) void this.#run(no, mailbox);
    });
  }

  /** Takes no more work. What is being worked on is finished or forgotten, as a crash would. */
  close(): void {
    this.#isClosed = true;
    for (const { letters } of this.#mailboxes.values()) {
      for (const { failed } of letters.splice(0)) failed(new Error('The twin is closed.'));
    }
  }

  #mailbox(no: number): Mailbox {
    const known = this.#mailboxes.get(no);
    if (known !== undefined) return known;
    const fresh = { letters: [], isBusy: false, live: undefined, callsOut: 0, isNew: false };
    this.#mailboxes.set(no, fresh);
    return fresh;
  }

  #live(row: ExecutionRow): Live {
    return {
      row,
      machine: this.#parts.machine(row.definition),
      machineName: nameIn(row.machine),
      input: JSON.parse(row.input),
      frames: new Map(),
      lastEventId: 0,
      lastFrameNo: -1,
    };
  }

  #load(no: number): Live | undefined {
    const { store } = this.#parts;
    const row = store.execution(no);
    if (row === undefined) return undefined;
    const live = this.#live(row);
    for (const frame of store.frames(no)) {
      live.frames.set(frame.no, frame);
      live.lastFrameNo = Math.max(live.lastFrameNo, frame.no);
    }
    live.lastEventId = store.lastEventId(no);
    return live;
  }

  async #run(no: number, mailbox: Mailbox): Promise<void> {
    mailbox.isBusy = true;
    // What arrives in the same breath (several clocks, several answers) is taken in one turn.
    await Promise.resolve();
    while (mailbox.letters.length > 0 && !this.#isClosed)
      await this.#turn(no, mailbox, mailbox.letters.splice(0));
    mailbox.isBusy = false;
    // Calls that are still out when the execution has ended concern nobody any more.
    const isOver = mailbox.live?.row.status !== 'RUNNING';
    if (mailbox.callsOut === 0 || isOver) this.#mailboxes.delete(no);
  }

  async #turn(no: number, mailbox: Mailbox, letters: readonly Letter[]): Promise<void> {
    try {
      const live = mailbox.live ?? this.#load(no);
      mailbox.live = live;
      if (live === undefined) {
        for (const { taken } of letters) taken(false);
        return;
      }
      const turn = new Turn(live, this.#parts.world);
      const accepted = await apply(
        turn,
        letters.map(({ stimulus }) => stimulus),
      );
      await this.#store(
        mailbox,
        turn,
        letters.every(({ mayFail }) => mayFail),
      );
      letters.forEach(({ taken }, index) => {
        taken(accepted[index] ?? false);
      });
      for (const row of turn.statusRows) this.#parts.statusChanged(row);
      for (const one of turn.calls()) this.#call(no, mailbox, one);
    } catch (error) {
      mailbox.live = undefined;
      this.#broken(mailbox, letters, error);
    }
  }

  async #store(mailbox: Mailbox, turn: Turn, mayFail: boolean): Promise<void> {
    const { committer, store, dueChanged } = this.#parts;
    const writes = turn.writes();
    const { isNew } = mailbox;
    if (writes.events.length + writes.frames.length + writes.removed.length > 0)
      await committer.commit(() => {
        if (isNew) store.insertExecution(writes.execution);
        store.apply(isNew ? { ...writes, executionChanged: false } : writes);
      }, mayFail);
    mailbox.isNew = false;
    dueChanged(turn.earliestDueMs());
  }

  /** A turn could not be computed or stored. Senders who can be told are told; the rest ends the execution. */
  #broken(mailbox: Mailbox, letters: readonly Letter[], error: unknown): void {
    const isStoring = mailbox.isNew || this.#isClosed;
    for (const { failed, mayFail, stimulus } of letters) {
      failed(error);
      if (mayFail || isStoring || stimulus.kind === 'broken') continue;
      const cause = error instanceof Error ? error.message : String(error);
      const ignore = (): void => undefined;
      const letter = { stimulus: { kind: 'broken', cause } as const, mayFail: false };
      mailbox.letters.push({ ...letter, taken: ignore, failed: ignore });
    }
  }

  #call(no: number, mailbox: Mailbox, { frame, call, resource, request }: CallToMake): void {
    if (this.#isClosed) return;
    mailbox.callsOut += 1;
    void this.#parts.makeCall(resource, request).then((outcome) => {
      mailbox.callsOut -= 1;
      if (this.#isClosed) return;
      const settled = { kind: 'settled', frame, call, outcome } as const;
      this.submit(no, settled, false).catch(() => undefined);
    });
  }
}
