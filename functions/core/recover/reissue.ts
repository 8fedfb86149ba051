// A reissue: a new intention with the same content, chosen by a person in spite of the uncertainty. It has an identity of its
// own and waits for an approval that shows the original. Laws: L5 (a new intention has a new key), L6, L20.
// Tested in test/scenario/desk/desk.test.ts.

import type { ActionId, RequestId } from '../base/ids.ts';
import type { Action } from '../records/action.ts';
import type { Write } from '../records/change.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Policy } from '../registry/contract.ts';

export interface Reissuing {
  readonly actionId: ActionId;
  readonly requestId: RequestId;
  readonly policy: Policy;
  readonly marker: { readonly rev: string; readonly holders: readonly string[] } | undefined;
  readonly nowIso: string;
}

export const reissueOf = (
  original: Action,
  { actionId, requestId, policy, marker, nowIso }: Reissuing,
): { readonly action: Action; readonly request: PersonRequest; readonly writes: Write[] } => {
  const action: Action = {
    schema: 1,
    workspace: original.workspace,
    actionId,
    conversationId: original.conversationId,
    runId: original.runId,
    agentId: original.agentId,
    step: original.step,
    call: original.call,
    tool: original.tool,
    effectKind: original.effectKind,
    destination: original.destination,
    arguments: original.arguments,
    digest: original.digest,
    likeDigest: original.likeDigest,
    plannedAt: nowIso,
    mandate: { kind: 'approval', requestId },
    head: 1,
    authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
    effect: 'not_sent',
    contradicted: false,
    disposition: { kind: 'open' },
    attempts: 0,
    requestId,
    round: 0,
    reissueOf: original.actionId,
  };
  const request: PersonRequest = {
    schema: 1,
    workspace: original.workspace,
    requestId,
    conversationId: original.conversationId,
    runId: original.runId,
    actionId,
    openedAt: nowIso,
    expiresAtMs: Date.parse(nowIso) + policy.expiryMs,
    ...(policy.beginMs === undefined ? {} : { beginMs: policy.beginMs }),
    on: 'approval',
    digest: action.digest,
    role: policy.role,
    likeness: {
      rev: marker?.rev ?? '',
      holders: [...(marker?.holders ?? [original.actionId])],
    },
  };
  return {
    action,
    request,
    writes: [
      { do: 'put', kind: 'action', item: action },
      { do: 'put', kind: 'request', item: request },
    ],
  };
};
