// What the recovery desk stands before: one action with its conversation, run, recovery, journal, contracts, mandate, bar and
// claim, read together. Owns: that reading, for decisions, claims, observations and the sheet alike. Laws: L10.
// Tested in test/functions/api/desk/desk.test.ts.

import type { ActionId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { Versioned } from '../../core/records/change.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import { chainOf } from '../../core/records/duplicate.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Run } from '../../core/records/run.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { actionFor, ours } from '../http/found.ts';
import type { Caller } from '../identity/identity.ts';
import { type Desk, deskFor } from './desk.ts';

export interface DeskStand extends Desk {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  /** The action's newest request, of whatever kind. */
  readonly request: Versioned<PersonRequest> | undefined;
  /** The same when it is a recovery, open or closed. */
  readonly recovery: Versioned<PersonRequest> | undefined;
  /** The rest of its chain, where it was reissued or reissues another. */
  readonly twins: readonly Versioned<Action>[];
  readonly nowMs: number;
  readonly nowIso: string;
}

export const deskStandFor = async (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
): Promise<DeskStand> => {
  const action = await actionFor(world.store, caller, actionId);
  const { conversationId, runId, requestId } = action.item;
  const [found, desk, twins] = await Promise.all([
    world.store.read({
      conversation: conversationId,
      run: runId,
      ...(requestId === undefined ? {} : { requests: [requestId] }),
    }),
    deskFor(world, caller, action.item),
    chainOf(action.item, async (ids) => (await world.store.read({ actions: ids })).actions),
  ]);
  const request = found.requests[0];
  const { nowMs } = desk.desk;
  return {
    ...desk,
    conversation: ours(caller, found.conversation),
    run: ours(caller, found.run),
    action,
    request,
    recovery: request?.item.on === 'recovery' ? request : undefined,
    twins,
    nowMs,
    nowIso: new Date(nowMs).toISOString(),
  };
};
