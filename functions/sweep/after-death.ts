// What the store writes when an execution is found dead: a new segment, or the run's end. Used by the status event and the sweep.

import { RunId } from '../core/base/ids.ts';
import { afterDeath } from '../core/turn/death.ts';
import { finishRun } from '../core/turn/finish.ts';
import { openRequestsOf } from '../run/open-requests.ts';
import { type EventsWorld, nowIso } from '../wiring/events.ts';

type Did = 'nothing' | 'continued' | 'finished';

export const whenDead = async (
  world: EventsWorld,
  runId: RunId,
  segment: number,
  how: 'stopped' | 'failed',
): Promise<Did> => {
  for (;;) {
    const did = await attempt(world, runId, segment, how);
    if (did !== 'more') return did;
  }
};

/** `more`: some messages were held or some calls got their result, and more are left. */
const attempt = (
  world: EventsWorld,
  runId: RunId,
  segment: number,
  how: 'stopped' | 'failed',
): Promise<Did | 'more'> =>
  world.decide<Did | 'more'>({
    round: async () => {
      const first = await world.store.read({ run: runId });
      if (!first.run) return { kind: 'answer', answer: 'nothing' };
      const { conversationId, workspace, agentId } = first.run.item;
      const { conversation } = await world.store.read({ conversation: conversationId });
      const agent = await world.registry.newestAgent(workspace, agentId);
      if (!conversation || !agent) return { kind: 'answer', answer: 'nothing' };
      const after = afterDeath(conversation, first.run, segment, how);
      if (after.kind === 'nothing') return { kind: 'answer', answer: 'nothing' };
      if (after.kind === 'change')
        return { kind: 'commit', change: after.change, answer: 'continued' };
      const pending = await world.store.read({
        messages: conversation.item.pending.map((messageId) => ({ conversationId, messageId })),
      });
      const finished = finishRun({
        conversation,
        run: first.run,
        pending: pending.messages,
        ...(await openRequestsOf(world.store, first.run.item)),
        agent,
        reason: after.reason,
        detail: after.detail,
        nextRunId: RunId.parse(`run_${world.minter.suffix()}`),
        nowIso: nowIso(world.clock),
      });
      if (finished.kind === 'hold_first' || finished.kind === 'release_first')
        return { kind: 'commit', change: finished.change, answer: 'more' };
      return finished.kind === 'change'
        ? { kind: 'commit', change: finished.change, answer: 'finished' }
        : { kind: 'answer', answer: 'nothing' };
    },
  });
