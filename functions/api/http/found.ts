// Reads things by id for a caller. What is not there and what belongs to another workspace are answered alike.
// Owns: that rule.
// Tested in test/functions/api/routes/routes.test.ts.

import type { ActionId, ConversationId, RequestId, RunId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { Versioned } from '../../core/records/change.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Run } from '../../core/records/run.ts';
import type { Store } from '../../ports/store.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';

/** The item if it is the caller's workspace's. Throws the problem `not-found`. */
export const ours = <Item extends { readonly workspace: string }>(
  caller: Caller,
  found: Versioned<Item> | undefined,
): Versioned<Item> => {
  if (found === undefined || found.item.workspace !== caller.workspace)
    throw problem('not-found', {});
  return found;
};

export const conversationFor = async (
  store: Store,
  caller: Caller,
  conversation: ConversationId,
): Promise<Versioned<Conversation>> =>
  ours(caller, (await store.read({ conversation })).conversation);

export const runFor = async (store: Store, caller: Caller, run: RunId): Promise<Versioned<Run>> =>
  ours(caller, (await store.read({ run })).run);

export const actionFor = async (
  store: Store,
  caller: Caller,
  actionId: ActionId,
): Promise<Versioned<Action>> =>
  ours(caller, (await store.read({ actions: [actionId] })).actions[0]);

export const requestFor = async (
  store: Store,
  caller: Caller,
  requestId: RequestId,
): Promise<Versioned<PersonRequest>> =>
  ours(caller, (await store.read({ requests: [requestId] })).requests[0]);
