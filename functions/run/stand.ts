// What Perform stands before: the action with its run, conversation and request, read together.

import { Defect } from '../core/base/errors.ts';
import type { ActionId, ConversationId, RunId } from '../core/base/ids.ts';
import type { Action } from '../core/records/action.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Claim } from '../core/records/claim.ts';
import type { Conversation } from '../core/records/conversation.ts';
import { chainOf } from '../core/records/duplicate.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { Run } from '../core/records/run.ts';
import type { Store } from '../ports/store.ts';

export interface Stand {
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  readonly conversation: Versioned<Conversation>;
  /** The action's newest request, while the action has no result. */
  readonly request: Versioned<PersonRequest> | undefined;
  readonly claim: Versioned<Claim> | undefined;
  /** The rest of its chain: what it reissues, what was reissued for it, and look-alikes that a person had disproved. */
  readonly twins: readonly Versioned<Action>[];
}

interface Where {
  readonly actionId: ActionId;
  readonly runId: RunId;
  readonly conversationId: ConversationId;
}

export const standAt = async (
  { store }: { readonly store: Store },
  where: Where,
): Promise<Stand> => {
  const found = await store.read({
    actions: [where.actionId],
    run: where.runId,
    conversation: where.conversationId,
    claims: [where.actionId],
  });
  const action = found.actions[0];
  const { run, conversation } = found;
  if (!action || !run || !conversation)
    throw new Defect(`Action ${where.actionId} of ${where.runId} is not in the ledger.`);
  const { requestId } = action.item;
  const stand = { action, run, conversation, claim: found.claims[0] };
  const [asked, twins] = await Promise.all([
    requestId === undefined ? undefined : store.read({ requests: [requestId] }),
    chainOf(action.item, async (ids) => (await store.read({ actions: ids })).actions),
  ]);
  if (asked === undefined) return { ...stand, request: undefined, twins };
  const { requests } = asked;
  if (!requests[0]) throw new Defect(`Request ${requestId} of ${where.actionId} is missing.`);
  return { ...stand, request: requests[0], twins };
};

export const standAgain = (world: { readonly store: Store }, stand: Stand): Promise<Stand> => {
  const { actionId, runId, conversationId } = stand.action.item;
  return standAt(world, { actionId, runId, conversationId });
};
