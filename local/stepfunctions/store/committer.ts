// Group commit: what several executions want to write in one turn of the event loop becomes one SQLite transaction, so that
// its fsync is paid once. Nobody acts on what it wrote before the commit.
// Owns: the moment of commit, and what happens when the disk refuses.
import type { TwinClock } from '../../base/clock.ts';
import type { ExecutionStore } from './store.ts';

interface Pending {
  readonly write: () => void;
  /** Somebody waits for an answer and can be told that it failed; otherwise the write is tried again until it succeeds. */
  readonly mayFail: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const retryAfterMs = 1000;

export class Committer {
  readonly #store: ExecutionStore;
  readonly #clock: TwinClock;
  #pending: Pending[] = [];
  #isScheduled = false;
  #isClosed = false;

  constructor(store: ExecutionStore, clock: TwinClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Resolves when `write` is on disk. Rejects only where `mayFail`, or when the twin closes first. */
  commit(write: () => void, mayFail: boolean): Promise<void> {
    return new Promise((done, failed) => {
      this.#pending.push({ write, mayFail, done, failed });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }

  /** Commits what is pending now. */
  flush(): void {
    this.#isScheduled = false;
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      this.#store.transaction(() => {
        for (const { write } of batch) write();
      });
    } catch (error) {
      if (batch.length === 1) this.#refused(batch, error);
      else this.#oneByOne(batch);
      return;
    }
    for (const { done } of batch) done();
  }

  /** One of several writes failed: each on its own, so that only the guilty one does. */
  #oneByOne(batch: readonly Pending[]): void {
    for (const one of batch) {
      try {
        this.#store.transaction(one.write);
        one.done();
      } catch (error) {
        this.#refused([one], error);
      }
    }
  }

  #refused(batch: readonly Pending[], error: unknown): void {
    const again = batch.filter(({ mayFail }) => !mayFail && !this.#isClosed);
    for (const one of batch) {
      if (!again.includes(one)) one.failed(error);
    }
    if (again.length === 0) return;
    this.#clock.at(this.#clock.now() + retryAfterMs, () => {
      this.#pending.push(...again);
      this.#schedule();
    });
  }

  /** Writes what is pending, once; after that nothing is tried again. */
  close(): void {
    this.#isClosed = true;
    this.flush();
  }
}
