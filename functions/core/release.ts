// Frees a run of the people it waits for: approvals, questions and skill requests are voided, a recovery stays open and only
// the run stops waiting for it. Every call gets its result in fixed words. Used by stop, supersede and the end of a run.
// Owns: that part of a change. Laws: L7, L12, L13, L16.
import type { Action, Told } from './action.ts';
import { closeAsked, isAskedByTool } from './asked.ts';
import type { Versioned, Write } from './change.ts';
import type { Author, Conversation } from './conversation.ts';
import type { EventBody } from './event.ts';
import type { Known } from './evidence.ts';
import { remembered } from './facts.ts';
import type { ActionId, RequestId } from './ids.ts';
import type { PersonRequest } from './request.ts';
import { toldEffect } from './told.ts';

export interface Releasing {
  /** The requests that the run's open calls wait for, with their actions. */
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly actions: readonly Versioned<Action>[];
  /** Journals of the actions whose tool asked something in mid-call. */
  readonly known?: ReadonlyMap<ActionId, Known>;
  readonly by: Author;
  /** Why, as people read it: "Ana stopped the run." */
  readonly because: string;
  /** What a call that was never sent is told. */
  unsent(action: Action): Told;
  readonly nowIso: string;
}

export interface Released {
  readonly writes: Write[];
  readonly events: EventBody[];
  readonly wakes: RequestId[];
  /** The conversation with what its next model call must be told. */
  conversation(before: Conversation): Conversation;
}

interface After {
  readonly action: Action;
  readonly writes: Write[];
  readonly events: EventBody[];
}

const alone = (action: Action): After => ({ action, writes: [], events: [] });

const afterSent = (releasing: Releasing, action: Action): After => {
  const { because, by, nowIso, requests, known } = releasing;
  const request = requests.find(({ item }) => item.requestId === action.requestId);
  const closed = isAskedByTool(request?.item)
    ? closeAsked(action, known?.get(action.actionId), { because, by: by.subject, nowIso })
    : alone(action);
  const told = action.told ?? toldEffect(closed.action, because);
  return { ...closed, action: { ...closed.action, told } };
};

const actionAfter = (releasing: Releasing, action: Action): After =>
  action.attempts > 0
    ? afterSent(releasing, action)
    : alone({
        ...action,
        head: action.head + 1,
        disposition: {
          kind: 'stopped',
          because: releasing.because,
          by: releasing.by.subject,
          at: releasing.nowIso,
        },
        told: action.told ?? releasing.unsent(action),
      });

const requestAfter = (releasing: Releasing, request: PersonRequest): PersonRequest =>
  request.on === 'recovery'
    ? { ...request, released: true }
    : {
        ...request,
        decision: { kind: 'voided', because: releasing.because },
        decidedAt: releasing.nowIso,
        decidedBy: releasing.by,
      };

export const releaseRequests = (releasing: Releasing): Released => {
  const open = releasing.requests.filter(({ item }) => item.decision === undefined);
  const untold = releasing.actions
    .filter(({ item }) => item.told === undefined && item.engaged === undefined)
    .map((before) => ({ before, after: actionAfter(releasing, before.item) }));
  return {
    writes: [
      ...open.map(
        ({ item, rev }): Write => ({
          do: 'replace',
          kind: 'request',
          item: requestAfter(releasing, item),
          rev,
        }),
      ),
      ...untold.flatMap(({ before, after }): Write[] => [
        { do: 'replace', kind: 'action', item: after.action, rev: before.rev },
        ...after.writes,
      ]),
    ],
    events: [
      ...open
        .filter(({ item }) => item.on !== 'recovery')
        .map(
          ({ item }): EventBody => ({
            type: 'request.closed',
            runId: item.runId,
            requestId: item.requestId,
            decision: 'voided',
            by: releasing.by.name,
          }),
        ),
      ...untold.flatMap(({ after }) => after.events),
    ],
    wakes: open.map(({ item }) => item.requestId),
    conversation: (conversationBefore) =>
      untold.reduce(
        (conversation, { before: { item }, after }) => remembered(conversation, item, after.action),
        conversationBefore,
      ),
  };
};
