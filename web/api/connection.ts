// Whether the server answers. Owns: since when it does not, asking until it does, and what waits for that. Any answer counts,
// a refusal too; a request without one for long counts as unanswered though it still waits.
import { storeOf } from '../base/store.ts';

/** When the last answer came, epoch milliseconds, while none comes now; undefined while the server answers. */
export const lostSince = storeOf<number | undefined>(undefined);

let answeredAtMs = Date.now();

const answered = (): void => {
  answeredAtMs = Date.now();
  lostSince.set(undefined);
};

const unanswered = (): void => {
  if (lostSince.get() === undefined) lostSince.set(answeredAtMs);
};

const patienceMs = 10_000;

/** Rejects as `fetch` does. Of one that its own signal aborts nothing is said. */
export const watched = async (path: string, init: RequestInit): Promise<Response> => {
  const timer = setTimeout(unanswered, patienceMs);
  try {
    const response = await fetch(path, { ...init, cache: 'no-store' });
    answered();
    return response;
  } catch (cause) {
    if (init.signal?.aborted !== true) unanswered();
    throw cause;
  } finally {
    clearTimeout(timer);
  }
};

/** Calls back each time the answers come again. */
export const whenBack = (listener: () => void): (() => void) =>
  lostSince.follow(() => {
    if (lostSince.get() === undefined) listener();
  });

export const back = async (): Promise<void> => {
  if (lostSince.get() === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = whenBack(resolve);
  await promise;
  leave();
};

const askMs = 2_000;
const askPatienceMs = 5_000;

/** Finds out whether the server answers. */
export const ask = async (): Promise<unknown> =>
  watched('/v1/health', { signal: AbortSignal.timeout(askPatienceMs) }).catch(() => undefined);

let timer: ReturnType<typeof setInterval> | undefined;
lostSince.follow(() => {
  clearInterval(timer);
  if (lostSince.get() !== undefined) timer = setInterval(ask, askMs);
});
