// A tool's question in mid-call becomes a request of the same action; its answer authorises the next attempt.
// Owns: opening it, as a part of the change that records what the tool answered. Laws: L12, L14, L17.
// Tested in test/scenario/effects/mcp-written-then-asked.test.ts.

import type { RequestId } from '../base/ids.ts';
import type { Asked, AskingContract } from '../pausing/asked.ts';
import { type Closed, nothingClosed } from '../pausing/close-request.ts';
import { blockRun, replaceRun } from '../pausing/waiting.ts';
import type { Action } from '../records/action.ts';
import type { Versioned } from '../records/change.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { questionExpiryMsDefault } from '../registry/ask-user.ts';

export const openToolQuestion = (
  run: Versioned<Run>,
  action: Action,
  { asked, ...words }: Asked,
  { asksBeforeActing, recoverer, whenUndetermined }: AskingContract,
  requestId: RequestId,
  nowIso: string,
): { readonly action: Action; readonly closed: Closed } => {
  const { runId, actionId } = action;
  const request: PersonRequest = {
    schema: 1,
    workspace: action.workspace,
    requestId,
    conversationId: action.conversationId,
    runId,
    actionId,
    openedAt: nowIso,
    expiresAtMs: Date.parse(nowIso) + questionExpiryMsDefault,
    on: 'question',
    onExpiry: 'continue',
    ...words,
    asked: {
      ...asked,
      contract: {
        ...(asksBeforeActing === undefined ? {} : { asksBeforeActing }),
        ...(recoverer === undefined ? {} : { recoverer }),
        ...(whenUndetermined === undefined ? {} : { whenUndetermined }),
      },
    },
  };
  const blocked = blockRun(run.item, [request], [], nowIso);
  return {
    action: { ...action, requestId },
    closed: {
      ...nothingClosed,
      writes: [{ do: 'put', kind: 'request', item: request }, ...replaceRun(run, blocked.run)],
      events: [
        { type: 'request.opened', runId, requestId, on: request.on, actionId },
        ...blocked.events,
      ],
    },
  };
};
