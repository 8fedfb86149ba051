// The one timer of the twin: it stands at the earliest due time in the store, however many executions wait.
// Owns: when due frames and executions are told.
import type { CancelTimer, TwinClock } from '../base/clock.ts';
import type { Due, ExecutionStore } from './store/store.ts';

/** How many due things are told at once; the rest follow when these are done. */
const batchMax = 256;

export class DueTimer {
  readonly #store: ExecutionStore;
  readonly #clock: TwinClock;
  readonly #tell: (due: Due) => Promise<unknown>;
  #armedMs: number | undefined;
  #cancel: CancelTimer = () => undefined;
  #isClosed = false;
  #isTelling = false;

  constructor(store: ExecutionStore, clock: TwinClock, tell: (due: Due) => Promise<unknown>) {
    this.#store = store;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Something is due at this time: wakes then, unless something earlier does already. */
  note(atMs: number | undefined): void {
    if (atMs === undefined || this.#isClosed) return;
    if (this.#armedMs !== undefined && this.#armedMs <= atMs) return;
    this.#cancel();
    this.#armedMs = atMs;
    this.#cancel = this.#clock.at(atMs, () => void this.#fire());
  }

  /** Reads the next due time from the store. */
  rearm(): void {
    this.note(this.#store.nextDueMs());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #fire(): Promise<void> {
    this.#armedMs = undefined;
    if (this.#isTelling || this.#isClosed) return;
    this.#isTelling = true;
    const nowMs = this.#clock.now();
    const dues = this.#store.due(nowMs, batchMax);
    await Promise.allSettled(dues.map((due) => this.#tell(due)));
    this.#isTelling = false;
    if (!this.#isClosed) this.rearm();
  }
}
