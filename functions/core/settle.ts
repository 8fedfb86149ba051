// Writes down what became of an attempt: its end, the observation, the folded effect, and what the run does next.
// Owns: that change. Competes with nobody for the truth: evidence is added, never replaced.
// Laws: L1, L4, L16, L17, L20 (the marker is released in the same transaction), L21.
import type { Action, Effect, Told } from './action.ts';
import type { Change, Versioned, Write } from './change.ts';
import { type Closed, closeRequests, system } from './close-request.ts';
import type { Contract } from './contract.ts';
import type { Conversation } from './conversation.ts';
import type { EventBody } from './event.ts';
import {
  type AttemptEnd,
  fold,
  type Known,
  type Observation,
  type ObservationSays,
} from './evidence.ts';
import type { ObservationId, RequestId } from './ids.ts';
import type { Json } from './json.ts';
import { isSettled } from './reply.ts';
import type { PersonRequest } from './request.ts';
import { isEnded, type Run, stopRequested } from './run.ts';
import { toldEffect } from './told.ts';
import { blockRun, replaceRun } from './waiting.ts';

/** What was learnt of attempt n. */
export interface Finding {
  readonly attempt: number;
  readonly how: AttemptEnd['how'];
  readonly milestone: AttemptEnd['milestone'];
  readonly milestoneIs: AttemptEnd['milestoneIs'];
  readonly says: ObservationSays;
  readonly source: Observation['source'];
  readonly because: string;
  readonly reference?: string;
  readonly status?: number;
  readonly excerpt?: Json;
  /** The result for the agent when the effect is settled; its text is added to the fixed words. */
  readonly result?: { readonly text: string; readonly blob?: NonNullable<Told['blob']> };
}

export interface Settling {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  readonly known: Known;
  /** The contract's word on undetermined outcomes. */
  readonly whenUndetermined: Contract['whenUndetermined'];
  readonly finding: Finding;
  readonly observationId: ObservationId;
  /** The recovery that is open for this action, if one is. */
  readonly recovery: Versioned<PersonRequest> | undefined;
  /** Used if a recovery has to be opened. */
  readonly requestId: RequestId;
  readonly by: string;
  readonly nowIso: string;
}

export interface Settled {
  readonly change: Change;
  readonly action: Action;
  readonly end: AttemptEnd | undefined;
  readonly observation: Observation;
}

/** The event that says what an effect became; none for "not sent", and one when evidence disagrees. */
export const effectEvents = (before: Action, after: Action, because: string): EventBody[] => {
  const { runId, actionId, reference } = after;
  const events: EventBody[] = [];
  if (after.effect !== before.effect || before.engaged !== undefined) {
    const said = effectEvent(after.effect, { runId, actionId }, because, reference);
    if (said) events.push(said);
  }
  if (after.contradicted && !before.contradicted)
    events.push({ type: 'action.contradicted', runId, actionId });
  return events;
};

const effectEvent = (
  effect: Effect,
  ids: Pick<Action, 'runId' | 'actionId'>,
  because: string,
  reference: string | undefined,
): EventBody | undefined => {
  switch (effect) {
    case 'confirmed':
      return {
        type: 'action.confirmed',
        ...ids,
        ...(reference === undefined ? {} : { reference }),
      };
    case 'accepted':
      return { type: 'action.accepted', ...ids };
    case 'in_progress':
      return { type: 'action.in_progress', ...ids };
    case 'undetermined':
      return { type: 'action.undetermined', ...ids, because };
    case 'not_performed':
      return { type: 'action.not_performed', ...ids, because };
    default:
      return undefined;
  }
};

const withResult = (told: Told, result: Finding['result']): Told =>
  result === undefined
    ? told
    : {
        ...told,
        text: `${told.text}\nResult: ${result.text}`,
        ...(result.blob === undefined ? {} : { blob: result.blob }),
      };

/** Releases the marker when nobody has to fear a repeat any more; an undetermined action keeps it. */
export const releaseOf = (action: Action): Write[] =>
  isSettled(action.effect)
    ? [
        {
          do: 'release-likeness',
          workspace: action.workspace,
          likeDigest: action.likeDigest,
          actionId: action.actionId,
        },
      ]
    : [];

const recordsOf = (settling: Settling) => {
  const { item } = settling.action;
  const { finding } = settling;
  const ended = settling.known.ends.some((end) => end.attempt === finding.attempt);
  const end: AttemptEnd | undefined = ended
    ? undefined
    : {
        schema: 1,
        actionId: item.actionId,
        attempt: finding.attempt,
        entry: item.head + 1,
        at: settling.nowIso,
        how: finding.how,
        milestone: finding.milestone,
        milestoneIs: finding.milestoneIs,
        because: finding.because,
      };
  const observation: Observation = {
    schema: 1,
    observationId: settling.observationId,
    actionId: item.actionId,
    entry: item.head + (ended ? 1 : 2),
    at: settling.nowIso,
    source: finding.source,
    by: settling.by,
    says: finding.says,
    about: finding.attempt,
    because: finding.because,
    account: item.destination.account,
    environment: item.destination.environment,
    ...(finding.reference === undefined ? {} : { reference: finding.reference }),
    ...(finding.status === undefined ? {} : { status: finding.status }),
    ...(finding.excerpt === undefined ? {} : { excerpt: finding.excerpt }),
  };
  return { end, observation };
};

const recoveryRequest = (settling: Settling, action: Action): PersonRequest => ({
  schema: 1,
  workspace: action.workspace,
  requestId: settling.requestId,
  conversationId: action.conversationId,
  runId: action.runId,
  actionId: action.actionId,
  openedAt: settling.nowIso,
  on: 'recovery',
  because: settling.finding.because,
});

const foldedAction = (settling: Settling, entry: number, known: Known): Action => {
  const { item } = settling.action;
  const folded = fold(known);
  const { engaged, ...rest } = item;
  const stillOpen = engaged !== undefined && engaged.attempt !== settling.finding.attempt;
  const action: Action = {
    ...rest,
    ...(stillOpen ? { engaged } : {}),
    head: entry,
    effect: folded.effect,
    contradicted: item.contradicted || folded.contradicted,
    ...(folded.reference === undefined ? {} : { reference: folded.reference }),
    ...(isSettled(folded.effect) ? { settledAt: item.settledAt ?? settling.nowIso } : {}),
  };
  return action;
};

/** What the agent is told now, or undefined while a person or a look-up must say more. */
const toldNow = (settling: Settling, action: Action): Told | undefined => {
  if (settling.action.item.told) return settling.action.item.told;
  const { finding } = settling;
  if (isSettled(action.effect))
    return withResult(toldEffect(action, finding.because), finding.result);
  const goesOn =
    settling.whenUndetermined === 'tell' ||
    stopRequested(settling.run.item) ||
    isEnded(settling.run.item);
  return goesOn ? toldEffect(action, finding.because) : undefined;
};

/** Asks a person when the outcome stays open and nobody was asked; frees the run when it no longer is. */
const requestsOf = (settling: Settling, bare: Action, told: Told | undefined) => {
  const { recovery, run, nowIso } = settling;
  const isOpen = recovery !== undefined && recovery.item.decision === undefined;
  if (isOpen && isSettled(bare.effect)) {
    const decision = { kind: 'settled' } as const;
    return {
      opened: undefined,
      closed: closeRequests(run, [{ request: recovery, decision }], system, nowIso),
    };
  }
  const unsettled = !isSettled(bare.effect) && bare.engaged === undefined;
  const asksAnew = unsettled && !isOpen && settling.action.item.told === undefined;
  if (!asksAnew) return { opened: undefined, closed: nothingClosed };
  const opened = recoveryRequest(settling, bare);
  const openedEvent: EventBody = {
    type: 'request.opened',
    runId: bare.runId,
    requestId: opened.requestId,
    on: 'recovery',
    actionId: bare.actionId,
  };
  // With `tell`, or when the run is over, the recovery is open but nothing waits for it.
  const blocked =
    told === undefined ? blockRun(run.item, [opened], [], nowIso) : { run: run.item, events: [] };
  return {
    opened,
    closed: {
      ...nothingClosed,
      writes: [
        { do: 'put' as const, kind: 'request' as const, item: opened },
        ...(told === undefined ? replaceRun(run, blocked.run) : []),
      ],
      events: [openedEvent, ...blocked.events],
    },
  };
};

const nothingClosed: Closed = { writes: [], events: [], wakes: [], starts: [] };

export const settle = (settling: Settling): Settled => {
  const { end, observation } = recordsOf(settling);
  const known: Known = {
    attempts: settling.known.attempts,
    ends: end ? [...settling.known.ends, end] : settling.known.ends,
    observations: [...settling.known.observations, observation],
  };
  const before = settling.action.item;
  const bare = foldedAction(settling, observation.entry, known);
  const told = toldNow(settling, bare);
  const { opened, closed } = requestsOf(settling, bare, told);
  const action: Action = {
    ...bare,
    ...(told === undefined ? {} : { told }),
    ...(opened === undefined ? {} : { requestId: opened.requestId }),
  };
  return {
    action,
    end,
    observation,
    change: {
      conversation: settling.conversation,
      events: [...effectEvents(before, action, settling.finding.because), ...closed.events],
      writes: [
        ...(end ? [{ do: 'put' as const, kind: 'end' as const, item: end }] : []),
        { do: 'put', kind: 'observation', item: observation },
        { do: 'replace', kind: 'action', item: action, rev: settling.action.rev },
        ...releaseOf(action),
        ...closed.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
    },
  };
};
