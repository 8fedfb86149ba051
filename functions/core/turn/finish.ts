// Ends a run: one change that writes the reason and releases the conversation. It refuses to end while a message waits that
// this run can still read; at the step limit the waiting messages open the next run in the same change.
// Owns: that change. Laws: L11, L14, L16, L17.
// Tested in test/core/turn/runs.test.ts.

import type { MessageId, RunId } from '../base/ids.ts';
import { system } from '../pausing/close-request.ts';
import {
  type Released,
  type Releasing,
  releaseAlone,
  releaseRequests,
} from '../pausing/release.ts';
import type { Action } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation, Message } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run, RunEnd } from '../records/run.ts';
import { isEnded, stopRequested } from '../records/run.ts';
import { toldRunEnded } from '../records/told.ts';
import type { AgentRevision } from '../registry/agent.ts';
import { takenAtOnce } from './plan.ts';
import { newRun, startRun } from './post-message.ts';
import { startQueued } from './queue-message.ts';

export interface Finishing {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  /** Messages that wait, for the fates of a stopped or failed run. */
  readonly pending: readonly Versioned<Message>[];
  /** What the run's open calls still wait for: voided with it. */
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly actions: readonly Versioned<Action>[];
  /** Journals of those whose tool asked something, and of those with evidence that nobody has folded. */
  readonly known?: NonNullable<Releasing['known']>;
  /** Newest revision, for the next run at the step limit. */
  readonly agent: AgentRevision;
  readonly reason: RunEnd;
  /** What happened and what to do, for a failure. */
  readonly detail: string | undefined;
  readonly nextRunId: RunId;
  readonly nowIso: string;
}

export type Finished =
  | { readonly kind: 'change'; readonly change: Change; readonly run: Run }
  /** More messages are to be held than fit beside the end: these first, then ask again. */
  | { readonly kind: 'hold_first'; readonly change: Change }
  /** More calls are to get their result than fit beside the end: these first, then ask again. */
  | { readonly kind: 'release_first'; readonly change: Change }
  /** A message waits and a step is left: think once more. */
  | { readonly kind: 'one_more_step' }
  | { readonly kind: 'already'; readonly run: Run };

/** What happened and what to do, for an end that says nothing of its own run. */
export const endWords = {
  cut_off:
    'The answer was cut off: the model reached its limit of tokens before the end. What it said is kept. "Continue" asks it to go on; a larger limit in the agent’s model options avoids it.',
  withheld:
    'The provider’s content filter withheld the answer. Calls of the withheld answer were not made. Say it in other words, or change the agent’s prompt or model.',
  no_answer:
    'The model ended without an answer: it said nothing and called nothing. "Continue" asks it again; if that happens again, change the agent’s prompt or model.',
  withdrawn:
    'The message that began it was withdrawn before it was read. Nothing was done. Send a message to start a new run.',
} as const;

const detailOf = (finishing: Finishing, reason: RunEnd): string => {
  const { step, stepLimit } = finishing.run.item;
  switch (reason) {
    case 'done':
      return 'The agent gave its answer.';
    case 'step_limit':
      return `Step limit: ${step} of ${stepLimit} model calls were used, and there is no final answer. "Continue" starts a new run.`;
    case 'stopped':
      return finishing.run.item.state.status === 'stopping'
        ? `${finishing.run.item.state.by} stopped the run.`
        : 'The run was stopped.';
    case 'cut_off':
    case 'withheld':
    case 'no_answer':
    case 'withdrawn':
      return endWords[reason];
    case 'failed':
      return finishing.detail ?? 'The run failed. Send the message again to start a new run.';
  }
};

/** Messages held after a stop or a failure: they are offered to the person again. */
const held = (
  finishing: Finishing,
  messages: readonly Versioned<Message>[],
): { readonly writes: Write[]; readonly events: EventBody[] } => {
  const { runId } = finishing.run.item;
  return {
    writes: messages.map(({ item, rev }) => ({
      do: 'replace',
      kind: 'message',
      rev,
      item: { ...item, fate: { fate: 'held', runId } },
    })),
    events: messages.map(({ item }) => ({
      type: 'message.held',
      messageId: item.messageId,
      runId,
    })),
  };
};

/** Holds the oldest alone; whoever arrives meanwhile waits as before. Undefined when all fit beside the end. */
const holdFirst = (finishing: Finishing): Change | undefined => {
  const batch = takenAtOnce(finishing.pending);
  if (batch.length === finishing.pending.length) return undefined;
  const ids = new Set(batch.map(({ item }) => item.messageId));
  const { conversation } = finishing;
  const pending = conversation.item.pending.filter((id) => !ids.has(id));
  return {
    conversation,
    conversationNext: { ...conversation.item, pending },
    ...held(finishing, batch),
  };
};

const successor = (finishing: Finishing, released: Conversation) => {
  const first: MessageId | undefined = released.pending[0];
  const run = newRun(released, finishing.agent, finishing.nextRunId, first, finishing.nowIso);
  const started = startRun(run);
  return {
    conversation: { ...released, activeRun: run.runId, runs: released.runs + 1 },
    writes: started.writes,
    events: [started.event],
    starts: [{ runId: run.runId, segment: 1 }],
  };
};

/** What became of the run, as its unsent calls and open requests say it. */
const endedBecause: { readonly [End in RunEnd]: string } = {
  done: 'The run ended.',
  step_limit: 'The run ended at its step limit.',
  stopped: 'The run was stopped.',
  failed: 'The run failed.',
  cut_off: 'The run ended with an answer that was cut off.',
  withheld: 'The run ended with an answer that was withheld.',
  no_answer: 'The run ended without an answer.',
  withdrawn: 'The run ended: its message was withdrawn.',
};

/** Every call that is open gets its one result with the end of its run (L16). */
const endingOf = (finishing: Finishing, reason: RunEnd): Released =>
  releaseRequests({
    ...finishing,
    by: system,
    because: endedBecause[reason],
    unsent: toldRunEnded,
  });

export const finishRun = (finishing: Finishing): Finished => {
  const before = finishing.run.item;
  if (isEnded(before)) return { kind: 'already', run: before };
  const reason: RunEnd = stopRequested(before) ? 'stopped' : finishing.reason;
  const waiting = finishing.conversation.item.pending.length > 0;
  const keeps = reason === 'stopped' || reason === 'failed';
  const limit = reason === 'step_limit' || before.step >= before.stepLimit;
  if (waiting && !keeps && !limit) return { kind: 'one_more_step' };
  const first = keeps ? holdFirst(finishing) : undefined;
  if (first) return { kind: 'hold_first', change: first };
  const ending = endingOf(finishing, reason);
  if (ending.more) return { kind: 'release_first', change: releaseAlone(finishing, ending) };
  const detail = detailOf(finishing, reason);
  const run: Run = {
    ...before,
    state: { status: 'finished', reason, detail, at: finishing.nowIso },
  };
  const { activeRun: _released, ...rest } = finishing.conversation.item;
  const released: Conversation = {
    ...rest,
    lastRun: { runId: run.runId, reason },
    pending: keeps ? [] : finishing.conversation.item.pending,
  };
  const holding = keeps ? held(finishing, finishing.pending) : { writes: [], events: [] };
  const next =
    waiting && !keeps
      ? successor(finishing, released)
      : startQueued(released, finishing.agent, finishing.nowIso);
  const finishedEvent: EventBody = {
    type: 'run.finished',
    runId: run.runId,
    reason,
    detail,
    steps: run.step,
  };
  return {
    kind: 'change',
    run,
    change: {
      conversation: finishing.conversation,
      conversationNext: ending.conversation(next?.conversation ?? released),
      events: [...holding.events, ...ending.events, finishedEvent, ...(next?.events ?? [])],
      writes: [
        { do: 'replace', kind: 'run', item: run, rev: finishing.run.rev },
        ...holding.writes,
        ...ending.writes,
        ...(next?.writes ?? []),
      ],
      starts: next?.starts ?? [],
      inward: ending.inward,
      recoveries: ending.recoveries,
    },
  };
};
