// A person settles an action whose outcome is not known: attaches a result, states with proof that nothing happened, or
// gives it up. Owns: that change. Laws: L3 (only settling until the deadline plus skew), L4, L10 (the head that was seen),
// L16, L21.
import type { Action, Told } from './action.ts';
import { mayDispose } from './action.ts';
import type { Change, Decision, Versioned, Write } from './change.ts';
import { closeRequests } from './close-request.ts';
import type { Author, Conversation } from './conversation.ts';
import type { EventBody } from './event.ts';
import { fold, type Known, type Observation, type PersonsEvidence } from './evidence.ts';
import type { DecisionId, ObservationId } from './ids.ts';
import { skewMs } from './limits.ts';
import { isSettled } from './reply.ts';
import type { PersonRequest } from './request.ts';
import type { Run } from './run.ts';
import { effectEvents, releaseOf } from './settle.ts';
import { toldEffect } from './told.ts';

export type RecoveryAnswer =
  | { readonly kind: 'attach'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'not_performed'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'abandon'; readonly reason: string };

export interface Recovering {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  /** The open recovery of the action, if there is one. */
  readonly recovery: Versioned<PersonRequest> | undefined;
  readonly known: Known;
  readonly answer: RecoveryAnswer;
  readonly seenHead: number;
  readonly by: Author;
  readonly decisionId: DecisionId;
  readonly observationId: ObservationId;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type RecoveryRefusal =
  /** The journal moved since the person looked. */
  | { readonly because: 'head_moved'; readonly head: number }
  /** An attempt may still be running until then. */
  | { readonly because: 'attempt_running'; readonly untilMs: number }
  | { readonly because: 'nothing_to_recover'; readonly effect: Action['effect'] };

export type RecoveryOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | ({ readonly kind: 'refused' } & RecoveryRefusal);

const refusalOf = (recovering: Recovering): RecoveryRefusal | undefined => {
  const { item } = recovering.action;
  if (recovering.seenHead !== item.head) return { because: 'head_moved', head: item.head };
  if (item.attempts === 0) return { because: 'nothing_to_recover', effect: item.effect };
  // Evidence of the effect is welcome at any time; everything else waits for the attempt's end.
  if (recovering.answer.kind === 'attach') return undefined;
  const untilMs = item.engaged ? item.engaged.deadlineAtMs + skewMs : 0;
  if (recovering.nowMs < untilMs) return { because: 'attempt_running', untilMs };
  if (recovering.answer.kind === 'not_performed' && item.effect === 'confirmed') return undefined;
  const gone =
    recovering.answer.kind === 'abandon'
      ? !mayDispose(item.effect, item.disposition.kind, 'abandoned')
      : isSettled(item.effect) && item.effect !== 'accepted';
  return gone ? { because: 'nothing_to_recover', effect: item.effect } : undefined;
};

const observationOf = (
  recovering: Recovering,
  evidence: PersonsEvidence,
  entry: number,
): Observation => {
  const { item } = recovering.action;
  return {
    schema: 1,
    observationId: recovering.observationId,
    actionId: item.actionId,
    entry,
    at: recovering.nowIso,
    source: 'person',
    by: recovering.by.subject,
    says: recovering.answer.kind === 'attach' ? 'confirms' : 'disproves',
    about: 'all',
    because: `${evidence.what} Seen at ${evidence.where}, ${evidence.when}.`,
    account: item.destination.account,
    environment: item.destination.environment,
    coverage: evidence.coverage,
    ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
  };
};

const decisionOf = (recovering: Recovering, entry: number): Decision => {
  const { answer } = recovering;
  return {
    schema: 1,
    decisionId: recovering.decisionId,
    actionId: recovering.action.item.actionId,
    entry,
    at: recovering.nowIso,
    by: recovering.by,
    kind: answer.kind,
    seenHead: recovering.seenHead,
    ...(answer.kind === 'abandon' ? { reason: answer.reason } : { evidence: answer.evidence }),
  };
};

const toldAfter = (action: Action, recovering: Recovering): Told => {
  const { answer, by } = recovering;
  const said =
    answer.kind === 'abandon'
      ? `${by.name} gave it up: ${answer.reason}`
      : `${by.name} states, with evidence: ${answer.evidence.what}`;
  return toldEffect(action, said);
};

const actionAfter = (recovering: Recovering, observation: Observation | undefined): Action => {
  const before = recovering.action.item;
  const { answer } = recovering;
  const folded = observation
    ? fold({ ...recovering.known, observations: [...recovering.known.observations, observation] })
    : { effect: before.effect, contradicted: false, reference: undefined };
  const { engaged, ...rest } = before;
  const bare: Action = {
    ...rest,
    ...(engaged !== undefined && !isSettled(folded.effect) ? { engaged } : {}),
    head: before.head + (observation ? 2 : 1),
    effect: folded.effect,
    contradicted: before.contradicted || folded.contradicted,
    ...(folded.reference === undefined ? {} : { reference: folded.reference }),
    ...(isSettled(folded.effect) ? { settledAt: before.settledAt ?? recovering.nowIso } : {}),
    ...(answer.kind === 'abandon'
      ? {
          disposition: {
            kind: 'abandoned',
            because: answer.reason,
            by: recovering.by.subject,
            at: recovering.nowIso,
          },
        }
      : {}),
  };
  return { ...bare, told: before.told ?? toldAfter(bare, recovering) };
};

const release = (action: Action): Write[] =>
  action.disposition.kind === 'abandoned'
    ? [
        {
          do: 'release-likeness',
          workspace: action.workspace,
          likeDigest: action.likeDigest,
          actionId: action.actionId,
        },
      ]
    : releaseOf(action);

export const decideRecovery = (recovering: Recovering): RecoveryOutcome => {
  const refusal = refusalOf(recovering);
  if (refusal) return { kind: 'refused', ...refusal };
  const before = recovering.action.item;
  const { answer, by } = recovering;
  const observation =
    answer.kind === 'abandon'
      ? undefined
      : observationOf(recovering, answer.evidence, before.head + 1);
  const action = actionAfter(recovering, observation);
  const closed = closeRequests(
    recovering.run,
    recovering.recovery ? [{ request: recovering.recovery, decision: { kind: 'settled' } }] : [],
    by,
    recovering.nowIso,
  );
  const decided: EventBody = {
    type: 'action.decided',
    runId: action.runId,
    actionId: action.actionId,
    decision: answer.kind,
    by: by.name,
  };
  return {
    kind: 'change',
    action,
    change: {
      conversation: recovering.conversation,
      events: [decided, ...effectEvents(before, action, `${by.name} decided.`), ...closed.events],
      writes: [
        ...(observation
          ? [{ do: 'put' as const, kind: 'observation' as const, item: observation }]
          : []),
        { do: 'put', kind: 'decision', item: decisionOf(recovering, action.head) },
        { do: 'replace', kind: 'action', item: action, rev: recovering.action.rev },
        ...release(action),
        ...closed.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
    },
  };
};
