// Whether a run has come to rest on people: it waits, and nothing else of the strand is under way. Then a stream of a protocol
// whose runs end at a pause ends. Owns: that judgement, over what is stored now; nothing decides from it.
// Tested in test/functions/api/clients/strand.test.ts.

import { ActionId, type ConversationId, type RequestId } from '../../core/base/ids.ts';
import type { Store } from '../../ports/store.ts';
import { foldedOf } from '../../wiring/folded.ts';
import { type StandingStore, standingOf } from '../answers/standing.ts';
import { requestView } from '../schemas/views.ts';
import type { Waiting } from './beat.ts';
import { openCalls, type Strand } from './strand.ts';
import { isAtRest } from './strand-results.ts';

type Reading = StandingStore & Pick<Store, 'journal'>;

const blockingOf = async (
  store: Reading,
  conversationId: ConversationId,
  number: number,
): Promise<readonly RequestId[]> => {
  const { conversation } = await store.read({ conversation: conversationId });
  // What is not told yet may say otherwise.
  if (conversation === undefined || conversation.item.eventNumber !== number) return [];
  const { activeRun } = conversation.item;
  const run = (await store.read({ run: activeRun })).run?.item;
  if (run === undefined || run.state.status !== 'waiting') return [];
  return run.state.blocking.map(({ requestId }) => requestId);
};

/** What the run waits for, or undefined while it, or a call of the strand, goes on. `number`: the last event that was told. */
export const pauseOf = async (
  store: Reading,
  nowMs: number,
  strand: Strand,
  conversationId: ConversationId,
  number: number,
): Promise<readonly Waiting[] | undefined> => {
  const blocking = await blockingOf(store, conversationId, number);
  if (blocking.length === 0) return undefined;
  const requests = (await store.read({ requests: blocking })).requests.map(({ item }) => item);
  const calls = openCalls(strand).flatMap((callId) => ActionId.safeParse(callId).data ?? []);
  const wanted = new Set([...calls, ...requests.map(({ actionId }) => actionId)]);
  const stored = (await store.read({ actions: [...wanted] })).actions.map(({ item }) => item);
  const actions = await foldedOf(store, stored);
  const known = new Set<string>(blocking);
  if (actions.some((action) => strand.calls.has(action.actionId) && !isAtRest(action, known)))
    return undefined;
  const waiting = await Promise.all(
    requests.map(async (request): Promise<Waiting[]> => {
      const action = actions.find(({ actionId }) => actionId === request.actionId);
      const own = strand.calls.has(request.actionId);
      if (action === undefined) return [];
      const stood = await standingOf(store, request, action, nowMs);
      return [{ request: requestView(request), action, stood, own }];
    }),
  );
  return waiting.flat();
};
