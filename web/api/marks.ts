// Which conversations this browser has read, and up to which event. Owns: the mark "finished while you were away".
// A run's end counts when nobody had the thread open here; a pause for a person is the other mark and never this one.
import { type Store, storeOf } from '../store.ts';
import type { ConversationSummary } from './types.ts';

const storageKey = 'reprise.read';

interface Read {
  /** Conversations begun before this browser first looked are taken as read. */
  readonly since: string;
  readonly upTo: Readonly<Record<string, number>>;
}

const kept = (): Read => {
  try {
    const value: Read | null = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (value !== null && typeof value.since === 'string') return value;
  } catch {
    // A value that is not ours is replaced.
  }
  return { since: new Date().toISOString(), upTo: {} };
};

export const reading: Store<Read> = storeOf<Read>(kept());

const keep = (next: Read): void => {
  localStorage.setItem(storageKey, JSON.stringify(next));
  reading.set(next);
};

export const beginReading = (): void => {
  keep(reading.get());
  addEventListener('storage', ({ key }) => {
    if (key === storageKey) reading.set(kept());
  });
};

/** The person has the thread before them, up to this event. */
export const markRead = (id: string, number: number): void => {
  const { since, upTo } = reading.get();
  if ((upTo[id] ?? -1) >= number) return;
  keep({ since, upTo: { ...upTo, [id]: number } });
};

export const finishedAway = (
  { conversationId, marks, eventNumber, createdAt }: ConversationSummary,
  { since, upTo }: Read,
): boolean => {
  if (!marks.finished) return false;
  const seen = upTo[conversationId];
  return seen === undefined ? createdAt > since : eventNumber > seen;
};
