// What a person may decide about an action now: one pure function for the seven decisions, each allowed, or forbidden with the
// fact and the date behind it. Owns: those rules, for API, page and command line alike.
// Laws: L3, L4, L7, L9, L10.

import { skewMs } from '../base/limits.ts';
import { type Action, isSettled, mayDispose } from '../records/action.ts';
import { type Claim, isHeld } from '../records/claim.ts';
import type { Attempt, Observation } from '../records/evidence.ts';
import type { FoldedAction } from '../records/folded.ts';
import type { Contract } from '../registry/contract.ts';
import { keyCovers } from './look-up.ts';

export const decisionKinds = [
  'attach',
  'not_performed',
  'repeat',
  'wait',
  'suspend',
  'abandon',
  'reissue',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Why a decision is not allowed; `at` is the date of the fact, `until` when it ends by itself. */
export interface Forbidden {
  readonly because:
    | 'not_claimed'
    | 'claimed_by_other'
    | 'look_first'
    | 'attempt_running'
    | 'nothing_sent'
    | 'already_settled'
    | 'already_disposed'
    | 'no_key'
    | 'key_retention_passed'
    | 'mandate_revoked'
    | 'mandate_expired'
    | 'tool_barred'
    | 'recovery_over';
  /** A fact to show: a name, a state, a promise of the contract. */
  readonly fact: string;
  readonly at?: string;
  readonly until?: string;
}
export type Permission = { readonly allowed: true } | ({ readonly allowed: false } & Forbidden);

export interface DeskCase {
  readonly action: FoldedAction;
  readonly pinned: Contract;
  readonly current: Contract;
  readonly attempts: readonly Attempt[];
  readonly observations: readonly Observation[];
  readonly claim: Claim | undefined;
  readonly approval: { readonly expiresAtMs: number } | undefined;
  readonly mandateRevokedAt: string | undefined;
  readonly barredAt: string | undefined;
  readonly subject: string;
  readonly nowMs: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The claim: held by this person, and after a take-over backed by an observation of their own. */
const againstHolder = (desk: DeskCase): Forbidden | undefined => {
  const { claim, subject, nowMs } = desk;
  if (!claim || !isHeld(claim, nowMs))
    return { because: 'not_claimed', fact: 'Nobody holds the claim.' };
  if (claim.holder?.subject !== subject)
    return {
      because: 'claimed_by_other',
      fact: claim.holder?.name ?? '',
      at: claim.since,
      until: iso(claim.untilMs),
    };
  const looked = desk.observations.some(
    (seen) => seen.entry > claim.tookAtHead && seen.by === subject,
  );
  return claim.tookOver && !looked
    ? { because: 'look_first', fact: 'The claim before this one lapsed.', at: claim.since }
    : undefined;
};

/** L3: an attempt whose time is not over may still act. */
export const whileRunning = ({
  action,
  nowMs,
}: {
  readonly action: Pick<Action, 'engaged'>;
  readonly nowMs: number;
}): Forbidden | undefined => {
  const untilMs = action.engaged ? action.engaged.deadlineAtMs + skewMs : 0;
  return nowMs < untilMs
    ? {
        because: 'attempt_running',
        fact: `Attempt ${action.engaged?.attempt} may still be running.`,
        at: action.engaged?.engagedAt ?? iso(nowMs),
        until: iso(untilMs),
      }
    : undefined;
};

const settledFact = ({ action }: DeskCase): Forbidden => ({
  because: 'already_settled',
  fact: action.effect,
  at: action.settledAt ?? action.plannedAt,
});

const againstMandate = (desk: DeskCase): Forbidden | undefined => {
  if (desk.barredAt !== undefined)
    return { because: 'tool_barred', fact: desk.action.tool.name, at: desk.barredAt };
  if (desk.mandateRevokedAt !== undefined)
    return {
      because: 'mandate_revoked',
      fact: desk.action.mandate.kind,
      at: desk.mandateRevokedAt,
    };
  const expired = desk.approval !== undefined && desk.approval.expiresAtMs <= desk.nowMs;
  return expired
    ? { because: 'mandate_expired', fact: 'approval', at: iso(desk.approval?.expiresAtMs ?? 0) }
    : undefined;
};

/** The key must be honoured by both contracts and still cover the first attempt; every attempt disproved needs no key. */
const againstKey = (desk: DeskCase): Forbidden | undefined => {
  const { action, pinned, current, nowMs } = desk;
  if (action.effect === 'not_performed') return undefined;
  if (pinned.key.kind !== 'key' || current.key.kind !== 'key')
    return { because: 'no_key', fact: 'The contract promises no key.' };
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  if (keyCovers(pinned, firstMs, nowMs) && keyCovers(current, firstMs, nowMs)) return undefined;
  const endsMs = Math.min(
    firstMs + pinned.key.retentionMs - pinned.key.marginMs,
    firstMs + current.key.retentionMs - current.key.marginMs,
  );
  return { because: 'key_retention_passed', fact: pinned.key.scope, at: iso(endsMs) };
};

const disposed = ({ action }: DeskCase): Forbidden => ({
  because: 'already_disposed',
  fact: action.disposition.kind,
  ...('at' in action.disposition ? { at: action.disposition.at } : {}),
});

const isOpen = ({ action }: DeskCase): boolean =>
  action.disposition.kind === 'open' || action.disposition.kind === 'suspended';

type Rule = (desk: DeskCase) => Forbidden | undefined;

const unsettled: Rule = (desk) => (isSettled(desk.action.effect) ? settledFact(desk) : undefined);
const dispose =
  (to: 'suspended' | 'abandoned' | 'reissued'): Rule =>
  (desk) => {
    const { action } = desk;
    if (mayDispose(action.effect, action.disposition.kind, to)) return undefined;
    return isOpen(desk) && action.disposition.kind !== to ? settledFact(desk) : disposed(desk);
  };

/** What each decision needs beside the claim, in the order in which a refusal is told. */
const rules: { readonly [Kind in DecisionKind]: readonly Rule[] } = {
  attach: [
    ({ action, ...desk }) =>
      action.effect === 'confirmed' && !action.contradicted
        ? settledFact({ action, ...desk })
        : undefined,
  ],
  not_performed: [
    whileRunning,
    // What never left and may not go out (a look-alike is under way) waits for somebody to say that this is the end of it.
    ({ action, ...desk }) =>
      action.effect === 'not_performed' && !action.contradicted && action.told !== undefined
        ? settledFact({ action, ...desk })
        : undefined,
  ],
  repeat: [
    whileRunning,
    (desk) => (isOpen(desk) ? undefined : disposed(desk)),
    (desk) =>
      desk.action.effect === 'confirmed' || desk.action.effect === 'accepted'
        ? settledFact(desk)
        : undefined,
    againstMandate,
    againstKey,
  ],
  wait: [whileRunning, unsettled],
  suspend: [whileRunning, dispose('suspended')],
  abandon: [whileRunning, dispose('abandoned')],
  reissue: [
    whileRunning,
    dispose('reissued'),
    (desk) =>
      desk.barredAt === undefined
        ? undefined
        : { because: 'tool_barred', fact: desk.action.tool.name, at: desk.barredAt },
  ],
};

export const permissionFor = (desk: DeskCase, kind: DecisionKind): Permission => {
  if (desk.action.attempts === 0)
    return { allowed: false, because: 'nothing_sent', fact: desk.action.effect };
  const holder = againstHolder(desk);
  if (holder) return { allowed: false, ...holder };
  for (const rule of rules[kind]) {
    const forbidden = rule(desk);
    if (forbidden) return { allowed: false, ...forbidden };
  }
  return { allowed: true };
};

export const permissions = (desk: DeskCase): { readonly [Kind in DecisionKind]: Permission } => ({
  attach: permissionFor(desk, 'attach'),
  not_performed: permissionFor(desk, 'not_performed'),
  repeat: permissionFor(desk, 'repeat'),
  wait: permissionFor(desk, 'wait'),
  suspend: permissionFor(desk, 'suspend'),
  abandon: permissionFor(desk, 'abandon'),
  reissue: permissionFor(desk, 'reissue'),
});

/** A repeat this late needs a person's word that recipient, content and permission still stand. */
export const needsAffirmation = ({ action, pinned, nowMs }: DeskCase): boolean =>
  nowMs > Date.parse(action.firstEngagedAt ?? action.plannedAt) + pinned.repeatWindowMs;
