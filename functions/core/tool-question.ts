// A tool's question in mid-call becomes a request of the same action; its answer authorises the next attempt.
// Owns: opening it, as a part of the change that records what the tool answered. Laws: L12, L14, L17.
import type { Action } from './action.ts';
import { questionExpiryMsDefault } from './ask-user.ts';
import type { Asked, AskingContract } from './asked.ts';
import type { Versioned } from './change.ts';
import { type Closed, nothingClosed } from './close-request.ts';
import type { RequestId } from './ids.ts';
import type { PersonRequest } from './request.ts';
import type { Run } from './run.ts';
import { blockRun, replaceRun } from './waiting.ts';

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
