// How far this person has read each conversation: kept by the server, so that a mark cleared here is cleared everywhere.
// Owns: telling it, at most once a second per conversation, and only for a thread that is before somebody's eyes.
import type { Book } from './book.ts';
import { cache, keys } from './cache.ts';
import { readConversation } from './calls.ts';
import type { ConversationSummary } from './types.ts';

const tellMs = 1_000;

interface Reading {
  told: number;
  number: number;
  timer: number | undefined;
}
const readings = new Map<string, Reading>();

/** What the server says of the marks now, in every list that shows the conversation. */
const patch = (id: string, marks: ConversationSummary['marks']): void => {
  const marked = (row: ConversationSummary): ConversationSummary =>
    row.conversationId === id ? { ...row, marks } : row;
  cache.setQueriesData<Book<ConversationSummary>>({ queryKey: keys.conversations }, (book) =>
    book?.rows.some(({ conversationId }) => conversationId === id) === true
      ? { ...book, rows: book.rows.map(marked) }
      : book,
  );
};

const tell = async (id: string, reading: Reading): Promise<void> => {
  reading.timer = undefined;
  if (reading.number <= reading.told) return;
  const { number } = reading;
  try {
    const marks = await readConversation(id, number);
    reading.told = number;
    patch(id, marks);
  } catch {
    // The mark stays; the next event or visit tells it again.
    return;
  }
  await cache.invalidateQueries({ queryKey: keys.summary });
};

/** The person has the thread before them, up to this event. */
export const markRead = (id: string, number: number): void => {
  const reading = readings.get(id) ?? { told: 0, number: 0, timer: undefined };
  readings.set(id, reading);
  reading.number = Math.max(reading.number, number);
  reading.timer ??= window.setTimeout(
    () => void tell(id, reading),
    reading.told === 0 ? 0 : tellMs,
  );
};
