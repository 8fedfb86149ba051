// What each of the seven decisions makes of an action. Owns: that, as parts of the decision's change. Laws: L4, L16, L20, L21.

import type { Author } from '../base/author.ts';
import type { ActionId, DecisionId, ObservationId, RequestId } from '../base/ids.ts';
import type { EffectStand } from '../pausing/recovery.ts';
import { authorise } from '../pausing/recovery.ts';
import type { Action, Told } from '../records/action.ts';
import { isSettled } from '../records/action.ts';
import type { Versioned, Write } from '../records/change.ts';
import { release, releaseOf } from '../records/effect-events.ts';
import type { EventBody } from '../records/event.ts';
import type { Observation, PersonsEvidence } from '../records/evidence.ts';
import { type FoldedAction, foldAction } from '../records/folded.ts';
import { toldEffect, toldReissued } from '../records/told.ts';
import type { DeskCase } from './desk.ts';
import { likeHeldUntilMs } from './disproved-twin.ts';
import { becauseOf } from './observe.ts';
import { reissueOf } from './reissue.ts';

/** What a decision makes of the action; the decision's own entry comes last. */
export interface Outcome {
  readonly action: Action;
  readonly writes: readonly Write[];
  /** Beside those of the decision itself. */
  readonly events: readonly EventBody[];
  /** The recovery is over for the run, and the claim ends. */
  readonly over: boolean;
  /** Another round of the machine begins. */
  readonly anotherRound: boolean;
}

const observationOf = (deciding: Deciding, evidence: PersonsEvidence): Observation => {
  const { item } = deciding.action;
  return {
    schema: 1,
    observationId: deciding.observationId,
    actionId: item.actionId,
    entry: item.head + 1,
    at: deciding.nowIso,
    source: 'person',
    by: deciding.by.subject,
    author: deciding.by,
    says: deciding.answer.kind === 'attach' ? 'confirms' : 'disproves',
    about: 'all',
    because: becauseOf(evidence),
    account: item.destination.account,
    environment: item.destination.environment,
    coverage: evidence.coverage,
    ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
  };
};

/** A person's look can be too early: an equal call asks until what is under way has landed or never will (L20). */
const heldOf = ({ answer, desk, nowMs }: Deciding, action: FoldedAction): FoldedAction =>
  answer.kind === 'not_performed' && action.effect === 'not_performed'
    ? { ...action, likeHeldUntilMs: likeHeldUntilMs(desk.pinned, desk.attempts, nowMs) }
    : action;

const withEvidence = (deciding: Deciding, evidence: PersonsEvidence): Outcome => {
  const before = deciding.action.item;
  const observation = observationOf(deciding, evidence);
  const { known, by } = deciding;
  const observations = [...known.observations, observation];
  const whole = foldAction(before, { ...known, observations }, deciding.nowIso);
  // Whatever is settled by a person's word, its attempt is waited for no more.
  const { engaged, ...rest } = whole;
  const keeps = engaged !== undefined && !isSettled(whole.effect);
  const bare: FoldedAction = keeps ? whole : rest;
  const after = heldOf(deciding, bare);
  const told = toldEffect(bare, `${by.name} states, with evidence: ${evidence.what}`);
  return {
    action: { ...after, told: before.told ?? told },
    writes: [{ do: 'put', kind: 'observation', item: observation }, ...releaseOf(after)],
    events: [],
    over: true,
    anotherRound: false,
  };
};

/** What a person set aside is not looked at again by itself. */
const withoutCheck = ({ nextCheckAtMs: _planned, ...action }: Action): Action => action;

/** A suspended action that is waited for or repeated is taken up again. */
const takenUp = (action: Action): Action =>
  action.disposition.kind === 'suspended' ? { ...action, disposition: { kind: 'open' } } : action;

const disposedOf = (
  deciding: Deciding,
  kind: 'suspended' | 'abandoned',
  reason: string,
): Outcome => {
  const before = deciding.action.item;
  const { by, nowIso } = deciding;
  const word = kind === 'suspended' ? 'suspended it' : 'gave it up';
  const told: Told = toldEffect(before, `${by.name} ${word}: ${reason}`);
  return {
    action: {
      ...withoutCheck(before),
      disposition: { kind, because: reason, by: by.subject, author: by, at: nowIso },
      told: before.told ?? told,
    },
    writes: kind === 'abandoned' ? [release(before)] : [],
    events: [],
    over: true,
    anotherRound: false,
  };
};

const reissued = (deciding: Deciding, reason: string): Outcome => {
  const before = deciding.action.item;
  const made = reissueOf(before, {
    actionId: deciding.newActionId,
    requestId: deciding.newRequestId,
    policy: deciding.desk.current.policy,
    marker: deciding.marker,
    nowIso: deciding.nowIso,
  });
  const { runId, step, tool } = before;
  const { newActionId: actionId, newRequestId: requestId } = deciding;
  return {
    action: {
      ...withoutCheck(before),
      disposition: {
        kind: 'reissued',
        as: deciding.newActionId,
        because: reason,
        by: deciding.by.subject,
        author: deciding.by,
        at: deciding.nowIso,
      },
      told: before.told ?? toldReissued(before, deciding.newActionId, reason),
    },
    writes: made.writes,
    events: [
      { type: 'action.planned', runId, actionId, step, tool: tool.name, gate: 'approval' },
      { type: 'request.opened', runId, requestId, on: 'approval', actionId },
    ],
    over: true,
    anotherRound: false,
  };
};

export const outcomeOf = (deciding: Deciding): Outcome => {
  const { answer, action, by, nowIso } = deciding;
  switch (answer.kind) {
    case 'attach':
    case 'not_performed':
      return withEvidence(deciding, answer.evidence);
    case 'suspend':
      return disposedOf(deciding, 'suspended', answer.reason);
    case 'abandon':
      return disposedOf(deciding, 'abandoned', answer.reason);
    case 'reissue':
      return reissued(deciding, answer.reason);
    case 'wait':
      return {
        action: { ...takenUp(action.item), nextCheckAtMs: answer.untilMs },
        writes: [],
        events: [],
        over: false,
        anotherRound: true,
      };
    case 'repeat': {
      // The decision is the authorisation: its entry is written below as the head that engage requires.
      const { decisionId, claimFence } = deciding;
      const authorisation = { by: 'decision', decisionId, claimFence } as const;
      const made = authorise(deciding, authorisation, by, nowIso);
      const writes = made.writes.filter((write) => write.do === 'put');
      return {
        action: takenUp(made.action),
        writes,
        events: [],
        over: false,
        anotherRound: true,
      };
    }
  }
};

export type DecisionAnswer =
  | { readonly kind: 'attach'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'not_performed'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'repeat'; readonly affirmed: boolean }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'suspend'; readonly reason: string }
  | { readonly kind: 'abandon'; readonly reason: string }
  | { readonly kind: 'reissue'; readonly reason: string; readonly riskAccepted: string };

/** What a decision is about, as it was stored. */
export interface Giving extends EffectStand {
  readonly desk: DeskCase;
  readonly answer: DecisionAnswer;
  /** The journal head and the claim's fence the person saw. */
  readonly seenHead: number;
  readonly claimFence: number;
  readonly by: Author;
  readonly decisionId: DecisionId;
  readonly observationId: ObservationId;
  /** For a reissue. */
  readonly newActionId: ActionId;
  readonly newRequestId: RequestId;
  /** The look-alike marker as it stands, for a reissue. */
  readonly marker: { readonly rev: string; readonly holders: readonly string[] } | undefined;
  readonly nowMs: number;
  readonly nowIso: string;
}

/** The same with the action folded. */
export interface Deciding extends Giving {
  readonly action: Versioned<FoldedAction>;
}
