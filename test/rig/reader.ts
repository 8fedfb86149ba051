// A reader of a conversation's live events, as a browser tab is one. Owns: its connection, and what it has seen.
import { createParser } from 'eventsource-parser';
import { StoredEvent } from '../../functions/core/records/event.ts';
import type { Client } from './client.ts';

export interface Reader {
  readonly events: readonly StoredEvent[];
  /** Goes away as a closed tab does. */
  leave(): void;
}

/** Begins after event `after`; 0 reads everything. */
export const openReader = async (
  { url, token }: Client,
  conversationId: string,
  after = 0,
): Promise<Reader> => {
  const leaving = new AbortController();
  const events: StoredEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void events.push(StoredEvent.parse(JSON.parse(data))),
  });
  const response = await fetch(`${url}/v1/conversations/${conversationId}/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'last-event-id': String(after),
    },
    signal: leaving.signal,
  });
  const { body } = response;
  if (response.status !== 200 || body === null)
    throw new Error(`The event stream answered ${response.status}.`);
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  // A reader that leaves ends in an error of its own making.
  read().catch(() => undefined);
  return { events, leave: () => leaving.abort() };
};
