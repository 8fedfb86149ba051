// Does what an outbox entry asks for: starts executions, wakes waits, puts events on the bus; then forgets the entry.
// Owns: the order, and what each answer of a service means. Used by publish and by the sweep, so that both are the same act.
// Laws: L12 (repeated until the run has moved), L17 (nothing is published that was not committed), L18 (tokens stay in here).

import { executionNameOf, recoveryNameOf } from '../core/base/ids.ts';
import { orderSegment } from '../core/pausing/waiting.ts';
import type { Outbox, Versioned } from '../core/records/change.ts';
import type { Run } from '../core/records/run.ts';
import type { EventsWorld } from '../wiring/events.ts';
import { noticesOf } from './notices.ts';

/** A parked run has no execution: the answer's wake-up orders its next segment. */
const startIfParked = async (
  world: EventsWorld,
  requestId: Outbox['wakes'][number],
): Promise<void> => {
  const { requests } = await world.store.read({ requests: [requestId] });
  const request = requests[0]?.item;
  if (!request) return;
  await world.decide<true>({
    round: async () => {
      const found = await world.store.read({
        run: request.runId,
        conversation: request.conversationId,
      });
      if (!found.run?.item.parked || !found.conversation) return { kind: 'answer', answer: true };
      return { kind: 'commit', change: unpark(found.run, found.conversation), answer: true };
    },
  });
};

const unpark = (
  run: Versioned<Run>,
  conversation: Parameters<EventsWorld['store']['commit']>[0]['conversation'],
) => {
  const ordered = orderSegment(run.item);
  return {
    conversation,
    events: [
      {
        type: 'run.continued' as const,
        runId: run.item.runId,
        segment: ordered.run.segment,
      },
    ],
    writes: [{ do: 'replace' as const, kind: 'run' as const, item: ordered.run, rev: run.rev }],
    starts: ordered.starts,
  };
};

const wake = async (world: EventsWorld, requestId: Outbox['wakes'][number]): Promise<void> => {
  const bound = await world.deliveries.tokenOf(requestId);
  if (bound) {
    const answer = await world.machine.answer(bound.token);
    if (answer === 'sent') return world.deliveries.clearToken(requestId, bound.token);
    // Answered, timed out or stopped already: that token is dead. A newer one may have taken its place.
    await world.deliveries.clearToken(requestId, bound.token);
    if ((await world.deliveries.tokenOf(requestId)) !== undefined) return wake(world, requestId);
  }
  await startIfParked(world, requestId);
};

export const deliver = async (world: EventsWorld, outbox: Outbox): Promise<void> => {
  await world.crash.at('publish.before-send');
  for (const { runId, segment } of outbox.starts)
    await world.machine.start(executionNameOf(runId, segment), {
      schema: 1,
      runId,
      conversationId: outbox.conversationId,
      segment,
    });
  for (const { actionId, round } of outbox.recoveries)
    await world.recoverMachine.start(recoveryNameOf(actionId, round), {
      schema: 1,
      actionId,
      round,
    });
  for (const requestId of outbox.wakes) await wake(world, requestId);
  if (outbox.events.length > 0) await world.bus.put(outbox, await noticesOf(world, outbox));
  await world.crash.at('publish.sent');
  await world.deliveries.done(outbox);
};
