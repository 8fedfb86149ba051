// Stops an action before it is sent and asks a person, because it looks like another one. Owns: opening that approval.
// Laws: L20.
// Tested in test/scenario/effects/equal-calls.test.ts.

import type { RequestId } from '../base/ids.ts';
import { blockRun, replaceRun } from '../pausing/waiting.ts';
import type { Action } from '../records/action.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import type { Policy } from '../registry/contract.ts';

export interface Asking {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  readonly requestId: RequestId;
  readonly policy: Pick<Policy, 'role' | 'expiryMs' | 'beginMs'>;
  readonly likeness: { readonly rev: string; readonly holders: readonly string[] };
  readonly nowIso: string;
}

const requestOf = (asking: Asking): PersonRequest => {
  const { item } = asking.action;
  const { policy } = asking;
  return {
    schema: 1,
    workspace: item.workspace,
    requestId: asking.requestId,
    conversationId: item.conversationId,
    runId: item.runId,
    actionId: item.actionId,
    openedAt: asking.nowIso,
    on: 'approval',
    digest: item.digest,
    role: policy.role,
    expiresAtMs: Date.parse(asking.nowIso) + policy.expiryMs,
    ...(policy.beginMs === undefined ? {} : { beginMs: policy.beginMs }),
    likeness: { rev: asking.likeness.rev, holders: [...asking.likeness.holders] },
  };
};

export const ask = (
  asking: Asking,
): { readonly change: Change; readonly request: PersonRequest } => {
  const request = requestOf(asking);
  const { item, rev } = asking.action;
  const action: Action = {
    ...item,
    requestId: request.requestId,
    mandate: { kind: 'approval', requestId: request.requestId },
  };
  // No call of the run waits for a reissue.
  const waits = item.reissueOf === undefined ? [request] : [];
  const blocked = blockRun(asking.run.item, waits, [], asking.nowIso);
  return {
    request,
    change: {
      conversation: asking.conversation,
      events: [
        {
          type: 'request.opened',
          runId: item.runId,
          requestId: request.requestId,
          on: request.on,
          actionId: item.actionId,
        },
        ...blocked.events,
      ],
      writes: [
        { do: 'replace', kind: 'action', item: action, rev },
        { do: 'put', kind: 'request', item: request },
        ...(waits.length > 0 ? replaceRun(asking.run, blocked.run) : []),
      ],
    },
  };
};
