// Where a conversation stands at one event number: what a reader who has seen nothing needs before the events that follow.
// Owns: that its texts hold exactly the events up to its number, so that nothing is read twice or missed. States of run and
// requests may be a little newer; the events that follow then say the same again.
// Tested in test/functions/api/stream/stream.test.ts.

import { Defect } from '../../core/base/errors.ts';
import type { ConversationId, RunId } from '../../core/base/ids.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { StoredEvent } from '../../core/records/event.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Run } from '../../core/records/run.ts';
import { afterEvent, type LiveStep, type LiveText } from '../../core/turn/live-text.ts';
import type { StreamWorld } from '../../wiring/stream.ts';
import type { Caller } from '../identity/identity.ts';
import { marksOf } from '../lists/marks.ts';
import type { Snapshot } from '../schemas/schemas.ts';
import { conversationView, isOpen, requestView, runView } from '../schemas/views.ts';

const windowFirst = 200;

/** Events of the run's last, unfinished step: those after its last stored one, up to `number`. */
const openStepEvents = async (
  { store }: StreamWorld,
  conversationId: ConversationId,
  runId: RunId,
  number: number,
): Promise<readonly StoredEvent[]> => {
  for (let size = windowFirst; ; size *= 2) {
    const from = Math.max(0, number - size);
    const read = await store.eventsAfter(conversationId, from, number - from);
    const events = read.filter((event) => event.number <= number);
    const boundary = events.findLastIndex(
      ({ body }) =>
        (body.type === 'step.stored' || body.type === 'run.started') && body.runId === runId,
    );
    if (boundary >= 0 || from === 0) return events.slice(boundary + 1);
  }
};

/** Numbers of the steps that were stored after event `number`: they are no part of a snapshot at it. */
const storedLater = async (
  { store }: StreamWorld,
  conversationId: ConversationId,
  runId: RunId,
  number: number,
): Promise<ReadonlySet<number>> => {
  const later = new Set<number>();
  for (let from = number; ; ) {
    const events = await store.eventsAfter(conversationId, from, 1_000);
    for (const { body } of events)
      if (body.type === 'step.stored' && body.runId === runId) later.add(body.step);
    const last = events.at(-1);
    if (last === undefined || events.length < 1_000) return later;
    from = last.number;
  }
};

const textsOf = async (
  world: StreamWorld,
  { conversationId, eventNumber }: Conversation,
  runId: RunId,
): Promise<LiveStep[]> => {
  const open = await openStepEvents(world, conversationId, runId, eventNumber);
  const stored = await world.store.stepsOf(runId, 0);
  // Read after the steps, so that every step that is too new is known to be.
  const later = await storedLater(world, conversationId, runId, eventNumber);
  const steps = stored
    .filter(({ step }) => !later.has(step))
    .map(({ step, attempt, text }): LiveStep => ({ step, attempt, text, stored: true }));
  const texts: LiveText = open.reduce<LiveText>(
    (before, event) => afterEvent(before, runId, event.body),
    new Map(steps.map((step) => [step.step, step])),
  );
  return [...texts.values()].toSorted((a, b) => a.step - b.step);
};

const requestsOf = async ({ store }: StreamWorld, run: Run): Promise<PersonRequest[]> => {
  const blocking =
    run.state.status === 'waiting' || run.state.status === 'stopping' ? run.state.blocking : [];
  if (blocking.length === 0) return [];
  const ids = blocking.map(({ requestId }) => requestId);
  const { requests } = await store.read({ requests: ids });
  return requests.map(({ item }) => requestView(item)).filter(isOpen);
};

export const snapshotOf = async (
  world: StreamWorld,
  conversation: Conversation,
  caller: Caller,
): Promise<Snapshot> => {
  const [marks] = await marksOf(world, caller, [conversation]);
  if (marks === undefined) throw new Defect('One conversation has one set of marks.');
  const { activeRun, eventNumber: number } = conversation;
  const run = activeRun && (await world.store.read({ run: activeRun })).run?.item;
  if (!run)
    return {
      number,
      conversation: conversationView(conversation, undefined, marks),
      steps: [],
      requests: [],
    };
  const [steps, requests, agent] = await Promise.all([
    textsOf(world, conversation, run.runId),
    requestsOf(world, run),
    world.registry.agent(run.workspace, run.agentId, run.revision),
  ]);
  return {
    number,
    conversation: conversationView(conversation, run, marks),
    run: runView(run, agent, world.traces),
    steps,
    requests,
  };
};
