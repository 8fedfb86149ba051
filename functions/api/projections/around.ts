// The items that events refer to: an event says that something happened, the item says what. Owns: which are needed, and reading
// them. Nothing is written here.
// Tested in test/functions/api/clients/results.test.ts.

import { ActionId, type ConversationId } from '../../core/base/ids.ts';
import type { Message } from '../../core/records/conversation.ts';
import type { EventBody, StoredEvent } from '../../core/records/event.ts';
import type { FoldedAction } from '../../core/records/folded.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Step } from '../../core/records/step.ts';
import type { Store, Wanted } from '../../ports/store.ts';
import { foldedOf } from '../../wiring/folded.ts';
import { type StandingStore, type Stood, standingOf } from '../answers/standing.ts';
import { requestView } from '../schemas/views.ts';

/** As they are now, which may be a little newer than the event. */
export interface Around {
  readonly steps: readonly Step[];
  readonly actions: ReadonlyMap<string, FoldedAction>;
  readonly requests: ReadonlyMap<string, PersonRequest>;
  readonly messages: ReadonlyMap<string, Message>;
  /** How the approvals among the requests stand, by request. */
  readonly stood: ReadonlyMap<string, Stood>;
}

export const nothingAround: Around = {
  steps: [],
  actions: new Map(),
  requests: new Map(),
  messages: new Map(),
  stood: new Map(),
};

const byId = <Item>(items: readonly Item[], idOf: (item: Item) => string) =>
  new Map(items.map((item) => [idOf(item), item]));

const wantedBy = (
  conversationId: ConversationId,
  bodies: readonly EventBody[],
  calls: readonly string[],
): Wanted => ({
  steps: bodies.flatMap((body) =>
    body.type === 'step.stored' ? [{ runId: body.runId, step: body.step }] : [],
  ),
  messages: bodies.flatMap((body) =>
    body.type === 'message.received' ? [{ conversationId, messageId: body.messageId }] : [],
  ),
  requests: bodies.flatMap((body) =>
    body.type === 'request.opened' || body.type === 'request.closed' ? [body.requestId] : [],
  ),
  actions: [
    ...new Set([
      ...bodies.flatMap((body) =>
        'actionId' in body && body.actionId !== undefined ? [body.actionId] : [],
      ),
      ...calls.flatMap((callId) => ActionId.safeParse(callId).data ?? []),
    ]),
  ],
});

/** Reads what the events refer to, and the actions of the calls that have no result yet. */
export const readAround = async (
  store: StandingStore & Pick<Store, 'journal'>,
  nowMs: number,
  conversationId: ConversationId,
  events: readonly StoredEvent[],
  calls: readonly string[],
): Promise<Around> => {
  const bodies = events.map(({ body }) => body);
  const found = await store.read(wantedBy(conversationId, bodies, calls));
  const stood = await Promise.all(
    found.requests.flatMap(({ item }) => {
      const action = found.actions.find((one) => one.item.actionId === item.actionId)?.item;
      if (action === undefined || item.decision !== undefined) return [];
      return [standingOf(store, item, action, nowMs).then((at) => [item.requestId, at] as const)];
    }),
  );
  return {
    stood: new Map(stood),
    steps: found.steps,
    actions: byId(
      await foldedOf(
        store,
        found.actions.map(({ item }) => item),
      ),
      ({ actionId }) => actionId,
    ),
    requests: byId(
      found.requests.map(({ item }) => requestView(item)),
      ({ requestId }) => requestId,
    ),
    messages: byId(
      found.messages.map(({ item }) => item),
      ({ messageId }) => messageId,
    ),
  };
};
