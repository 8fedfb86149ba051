// Whom an outbox entry's events ask: said with the events on the bus, from where people are told.
// Owns: that look-up. Laws: L18 (roles and ids, no texts).
import { type Notice, noticeOf } from '../core/answers/answerer.ts';
import type { Outbox } from '../core/records/change.ts';
import type { EventsWorld } from '../wiring/events.ts';

/** Notices by event number. */
export type Notices = ReadonlyMap<number, Notice>;

export const noticesOf = async ({ store }: EventsWorld, outbox: Outbox): Promise<Notices> => {
  const asking = outbox.events.flatMap(({ number, body }) =>
    body.type === 'request.opened' || body.type === 'request.expiring' ? [{ number, body }] : [],
  );
  if (asking.length === 0) return new Map();
  const { requests } = await store.read({ requests: asking.map(({ body }) => body.requestId) });
  const notices = new Map<number, Notice>();
  for (const { number, body } of asking) {
    const request = requests.find(({ item }) => item.requestId === body.requestId)?.item;
    // Decided before this was delivered: nobody is asked any more.
    if (request === undefined || request.decision !== undefined) continue;
    notices.set(number, noticeOf(request));
  }
  return notices;
};
