// Requests whose time is running out or over: a reminder once, then the expiry as the decision it is, also where no execution
// waits for it (a parked run, a lost timer). Laws: L12 (a pause has a limit, and the run moves on), L13.
import { isExpired, remind, reminderAtMs } from '../core/answers/expire.ts';
import type { PersonRequest } from '../core/records/request.ts';
import { expire } from '../run/expire.ts';
import { standAt } from '../run/stand.ts';
import type { EventsWorld } from '../wiring/events.ts';

/** Requests of one round, and rounds of one sweep. */
const requestsMax = 200;
const roundsMax = 10;

const remindOnce = async (world: EventsWorld, found: PersonRequest): Promise<boolean> => {
  const { requestId, conversationId } = found;
  const { requests, conversation } = await world.store.read({
    requests: [requestId],
    conversation: conversationId,
  });
  const change =
    requests[0] && conversation && remind(conversation, requests[0], world.clock.now());
  return change !== undefined && (await world.store.commit(change)).kind === 'done';
};

const takeUp = async (world: EventsWorld, found: PersonRequest): Promise<boolean> => {
  if (!isExpired(found, world.clock.now())) return remindOnce(world, found);
  const stand = await standAt(world, found);
  // The action's newest request is another one: this one was decided meanwhile.
  if (stand.request?.item.requestId !== found.requestId) return false;
  return (await expire(world, stand)) === 'expired';
};

const isDue = (request: PersonRequest, nowMs: number): boolean =>
  request.on !== 'recovery' &&
  (isExpired(request, nowMs) || (reminderAtMs(request) ?? nowMs) <= nowMs);

export const sweepRequests = async (world: EventsWorld): Promise<number> => {
  let taken = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const nowMs = world.clock.now();
    const due = await world.deliveries.due('request', nowMs, requestsMax);
    const own = due.filter((request) => isDue(request, nowMs));
    let moved = 0;
    for (const request of own) if (await takeUp(world, request)) moved += 1;
    taken += moved;
    if (moved === 0) return taken;
  }
  return taken;
};
