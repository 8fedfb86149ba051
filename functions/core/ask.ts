// Stops an action before it is sent and asks a person: because it looks like another one (L20), or because its outcome is not
// known and nobody was asked yet. Owns: opening those requests, as one change.
import type { Action } from './action.ts';
import type { Change, Versioned } from './change.ts';
import type { Conversation } from './conversation.ts';
import type { RequestId } from './ids.ts';
import type { PersonRequest } from './request.ts';
import type { Run } from './run.ts';
import { blockRun, replaceRun } from './waiting.ts';

export interface Asking {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  readonly requestId: RequestId;
  readonly ask:
    | {
        readonly on: 'approval';
        readonly role: string;
        readonly expiryMs: number;
        readonly likeness: { readonly rev: string; readonly holders: readonly string[] };
      }
    | { readonly on: 'recovery'; readonly because: string };
  readonly nowIso: string;
}

const requestOf = ({ action, requestId, ask, nowIso }: Asking): PersonRequest => {
  const { item } = action;
  const base = {
    schema: 1 as const,
    workspace: item.workspace,
    requestId,
    conversationId: item.conversationId,
    runId: item.runId,
    actionId: item.actionId,
    openedAt: nowIso,
  };
  return ask.on === 'recovery'
    ? { ...base, on: 'recovery', because: ask.because }
    : {
        ...base,
        on: 'approval',
        digest: item.digest,
        role: ask.role,
        expiresAtMs: Date.parse(nowIso) + ask.expiryMs,
        likeness: { rev: ask.likeness.rev, holders: [...ask.likeness.holders] },
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
    ...(request.on === 'approval'
      ? { mandate: { kind: 'approval' as const, requestId: request.requestId } }
      : {}),
  };
  const blocked = blockRun(asking.run.item, [request], [], asking.nowIso);
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
        ...replaceRun(asking.run, blocked.run),
      ],
    },
  };
};
