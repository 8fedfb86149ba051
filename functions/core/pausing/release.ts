// Frees a run of the people it waits for: approvals, questions and skill requests are voided, a recovery stays open and only
// the run stops waiting for it. Every call gets its result in fixed words. Used by stop, supersede and the end of a run.
// Owns: that part of a change, and how much of it one transaction takes: what is left is freed by the next one, or by Perform.
// Laws: L7, L12, L13, L16, L17 (each call's share is whole: request, result, evidence and events).
// Tested in test/core/margins-of-changes.test.ts.

import type { Author } from '../base/author.ts';
import { Defect } from '../base/errors.ts';
import { type ActionId, derivedSuffix, ObservationId, type RequestId } from '../base/ids.ts';
import { releasedItemsMax } from '../base/limits.ts';
import { type Action, isAuthorised, type Told } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import { effectEvents } from '../records/effect-events.ts';
import type { EventBody } from '../records/event.ts';
import type { Known, Observation } from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import { type FoldedAction, foldAction, foldedAsStored } from '../records/folded.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { askedByTool, closeQuestion } from './asked.ts';
import { leftOpen } from './left-open.ts';
import { blockRun, orderSegment, replaceRun } from './waiting.ts';

export interface Releasing {
  /** The requests that the run's open calls wait for, with their actions. */
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly actions: readonly Versioned<Action>[];
  /** Journals of the actions whose tool asked something in mid-call, and of those with evidence that nobody has folded. */
  readonly known?: ReadonlyMap<ActionId, Known>;
  readonly by: Author;
  /** Why, as people read it: "Ana stopped the run." */
  readonly because: string;
  /** What a call that was never sent is told. */
  unsent(action: Action): Told;
  readonly nowIso: string;
}

export interface Released {
  /** Calls or requests are left that did not fit into this transaction. */
  readonly more: boolean;
  /** Requests of those that are left. */
  readonly left: readonly RequestId[];
  readonly writes: Write[];
  readonly events: EventBody[];
  readonly inward: NonNullable<Change['inward']>;
  /** Looks for what is not known of the calls that nobody waits for any more. */
  readonly recoveries: NonNullable<Change['recoveries']>;
  /** The requests that the run no longer waits for. */
  readonly wakes: RequestId[];
  /** The conversation with what its next model call must be told. */
  conversation(before: Conversation): Conversation;
}

interface After {
  readonly action: Action;
  readonly writes: Write[];
  readonly events: EventBody[];
  readonly inward?: NonNullable<Change['inward']>;
  readonly recoveries?: NonNullable<Change['recoveries']>;
}

const alone = (action: Action): After => ({ action, writes: [], events: [] });

/** What its journal gains, and why as the agent is told. */
interface ClosedCall {
  readonly action: FoldedAction;
  readonly observation?: Observation;
  readonly because: string;
}

/** What authorised a further attempt is no longer the journal's head: the entry that says so is. */
const takenBack = (action: FoldedAction, { because, by, nowIso }: Releasing): ClosedCall => {
  const { actionId, attempts, destination } = action;
  const entry = action.head + 1;
  return {
    action: { ...action, head: entry },
    because,
    observation: {
      schema: 1,
      observationId: ObservationId.parse(
        `obs_${derivedSuffix('taken-back', actionId, `${entry}`)}`,
      ),
      actionId,
      entry,
      at: nowIso,
      source: 'transport',
      by: by.subject,
      says: 'nothing',
      about: attempts,
      because: `${because} What had authorised the next attempt was taken back: it is not sent.`,
      account: destination.account,
      environment: destination.environment,
    },
  };
};

/** Its question is closed without an answer, or the answer that was given goes no further. */
const closedOf = (
  releasing: Releasing,
  before: Action,
  request: PersonRequest | undefined,
): ClosedCall => {
  const { because, by, nowIso } = releasing;
  const known = releasing.known?.get(before.actionId);
  const question = askedByTool(request);
  if (question !== undefined && known !== undefined) {
    const contract = question.asked.contract ?? {};
    const closed = closeQuestion(before, known, { contract, because, by: by.subject, nowIso });
    return { ...closed, because: closed.observation.because };
  }
  const action = known ? foldAction(before, known, nowIso) : foldedAsStored(before);
  if (question !== undefined || action === undefined)
    throw new Defect(`The journal of ${before.actionId} was not read with it.`);
  return isAuthorised(action) ? takenBack(action, releasing) : { action, because };
};

const afterSent = (releasing: Releasing, before: Action): After => {
  const { nowIso, requests } = releasing;
  const request = requests.find(({ item }) => item.requestId === before.requestId)?.item;
  const { action, observation, because } = closedOf(releasing, before, request);
  const contract = (request?.on === 'question' ? request.asked?.contract : undefined) ?? {};
  const left = leftOpen(action, contract, {
    because,
    waits: false,
    recovering: request?.on === 'recovery' && request.decision === undefined,
    nowIso,
  });
  // An answer that was to be carried on had left its say to the attempt that never came.
  const unsaid =
    request?.on === 'question' && request.asked !== undefined && request.decision !== undefined;
  const said: Action = unsaid ? { ...before, effect: 'in_progress' } : before;
  return {
    ...left,
    writes: [
      ...(observation
        ? [{ do: 'put' as const, kind: 'observation' as const, item: observation }]
        : []),
      ...left.writes,
    ],
    events: effectEvents(said, action, because),
  };
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
          author: releasing.by,
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

/** One call's share: what its request, if one is open, and its action become. */
interface Share {
  readonly request: Versioned<PersonRequest> | undefined;
  readonly before: Versioned<Action> | undefined;
  readonly after: After | undefined;
}

const sharesOf = (releasing: Releasing): Share[] => {
  const open = releasing.requests.filter(({ item }) => item.decision === undefined);
  const untold = releasing.actions.filter(
    ({ item }) => item.told === undefined && item.engaged === undefined,
  );
  const ofCalls = untold.map((before) => ({
    request: open.find(({ item }) => item.requestId === before.item.requestId),
    before,
    after: actionAfter(releasing, before.item),
  }));
  const others = open.filter((request) => !ofCalls.some((share) => share.request === request));
  return [
    ...ofCalls,
    ...others.map((request) => ({ request, before: undefined, after: undefined })),
  ];
};

const writesOf = (releasing: Releasing, { request, before, after }: Share): Write[] => [
  ...(request === undefined
    ? []
    : [
        {
          do: 'replace' as const,
          kind: 'request' as const,
          item: requestAfter(releasing, request.item),
          rev: request.rev,
        },
      ]),
  ...(before === undefined || after === undefined
    ? []
    : [
        { do: 'replace' as const, kind: 'action' as const, item: after.action, rev: before.rev },
        ...after.writes,
      ]),
];

const eventsOf = ({ by }: Releasing, { request, after }: Share): EventBody[] => [
  ...(request === undefined || request.item.on === 'recovery'
    ? []
    : [
        {
          type: 'request.closed' as const,
          runId: request.item.runId,
          requestId: request.item.requestId,
          decision: 'voided',
          by: by.name,
        },
      ]),
  ...(after?.events ?? []),
];

/** As many calls as one transaction takes beside its other writes. */
export const releaseRequests = (releasing: Releasing): Released => {
  const shares = sharesOf(releasing);
  const writes: Write[] = [];
  const events: EventBody[] = [];
  let taken = 0;
  for (const share of shares) {
    const ofShare = { writes: writesOf(releasing, share), events: eventsOf(releasing, share) };
    const items = writes.length + events.length + ofShare.writes.length + ofShare.events.length;
    if (items > releasedItemsMax) break;
    writes.push(...ofShare.writes);
    events.push(...ofShare.events);
    taken += 1;
  }
  const done = shares.slice(0, taken);
  return {
    more: taken < shares.length,
    wakes: done.flatMap(({ request }) => request?.item.requestId ?? []),
    left: shares.slice(taken).flatMap(({ request }) => request?.item.requestId ?? []),
    writes,
    events,
    inward: [...new Set(done.flatMap(({ after }) => after?.inward ?? []))],
    recoveries: done.flatMap(({ after }) => after?.recoveries ?? []),
    conversation: (conversationBefore) =>
      done.reduce(
        (conversation, { before, after }) =>
          before === undefined || after === undefined
            ? conversation
            : remembered(conversation, before.item, after.action),
        conversationBefore,
      ),
  };
};

/**
 * A part of what frees the run, as a change of its own: the rest comes with the next one. The run waits for less each time, and
 * a parked one goes on with it, as after any answer: should nobody bring the rest, it is not left without an execution.
 */
export const releaseAlone = (
  {
    conversation,
    run,
    nowIso,
  }: {
    readonly conversation: Versioned<Conversation>;
    readonly run: Versioned<Run>;
    readonly nowIso: string;
  },
  released: Released,
): Change => {
  const freed = blockRun(run.item, [], released.wakes, nowIso);
  const ordered = orderSegment(freed.run);
  return {
    conversation,
    conversationNext: released.conversation(conversation.item),
    events: [...released.events, ...freed.events],
    writes: [...released.writes, ...replaceRun(run, ordered.run)],
    wakes: released.wakes,
    inward: released.inward,
    recoveries: released.recoveries,
    starts: run.item.state.status === 'finished' ? [] : ordered.starts,
  };
};
