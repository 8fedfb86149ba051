// Nobody answered in time: a decision too, with the consequence that was declared. Owns: that change, for requests of every
// kind, and the reminder before it. Laws: L12 (every pause has a limit), L13 (one decision), L16, L17.
// Tested in test/scenario/people/late-approvals.test.ts.

import type { ActionId } from '../base/ids.ts';
import { reminderLeadMsMax } from '../base/limits.ts';
import { system } from '../pausing/close-request.ts';
import { stopRun } from '../pausing/stop.ts';
import type { Action } from '../records/action.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { Known } from '../records/evidence.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { answerApproval } from './answer.ts';
import { answerQuestion } from './answer-question.ts';
import { answerSkill } from './skill.ts';

export interface Expiring {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  readonly request: Versioned<PersonRequest>;
  /** Everything the run waits for, this request among it; looked at when the declared consequence is to stop. */
  readonly open: {
    readonly requests: readonly Versioned<PersonRequest>[];
    readonly actions: readonly Versioned<Action>[];
    readonly known?: ReadonlyMap<ActionId, Known>;
  };
  /** The action's journal; wanted when a tool asked in mid-call. */
  readonly known?: Known;
  readonly nowMs: number;
  readonly nowIso: string;
}

export const isExpired = (request: PersonRequest, nowMs: number): boolean =>
  request.expiresAtMs !== undefined && nowMs >= request.expiresAtMs;

const decided = (expiring: Expiring): Change | undefined => {
  const given = { ...expiring, by: system, answer: { kind: 'expire' as const } };
  switch (expiring.request.item.on) {
    case 'approval': {
      const outcome = answerApproval(given);
      return outcome.kind === 'change' ? outcome.change : undefined;
    }
    case 'question': {
      const outcome = answerQuestion(given);
      return outcome.kind === 'change' ? outcome.change : undefined;
    }
    case 'skill': {
      const outcome = answerSkill(given);
      return outcome.kind === 'change' ? outcome.change : undefined;
    }
    case 'recovery':
      return undefined;
  }
};

/** The run stops as if a person had said so, in the change that records the expiry. */
const andStop = (expiring: Expiring, change: Change): Change => {
  const { run, request, action, open, nowIso } = expiring;
  const after = change.writes.flatMap((write) =>
    write.do === 'replace' && write.kind === 'run' ? [write.item] : [],
  );
  const stopped = stopRun({
    conversation: expiring.conversation,
    run: { item: after[0] ?? run.item, rev: run.rev },
    requests: open.requests.filter(({ item }) => item.requestId !== request.item.requestId),
    actions: open.actions.filter(({ item }) => item.actionId !== action.item.actionId),
    ...(open.known === undefined ? {} : { known: open.known }),
    by: system,
    nowIso,
  });
  if (stopped.kind === 'unchanged') return change;
  const others = change.writes.filter((write) => write.do !== 'replace' || write.kind !== 'run');
  return {
    ...stopped.change,
    events: [...change.events, ...stopped.change.events],
    writes: [...others, ...stopped.change.writes],
    wakes: [...(change.wakes ?? []), ...(stopped.change.wakes ?? [])],
    inward: [...(change.inward ?? []), ...(stopped.change.inward ?? [])],
    recoveries: [...(change.recoveries ?? []), ...(stopped.change.recoveries ?? [])],
    starts: [...(change.starts ?? []), ...(stopped.change.starts ?? [])],
  };
};

/** Undefined: it is decided, is not due, or cannot expire. */
export const expireRequest = (expiring: Expiring): Change | undefined => {
  const { item } = expiring.request;
  if (item.decision !== undefined || !isExpired(item, expiring.nowMs)) return undefined;
  const change = decided(expiring);
  const stops = item.on === 'question' && item.onExpiry === 'stop';
  return change !== undefined && stops ? andStop(expiring, change) : change;
};

/** When those who may answer are reminded: in the last quarter of its time, at most a day before the end. */
export const reminderAtMs = ({ openedAt, expiresAtMs }: PersonRequest): number | undefined =>
  expiresAtMs === undefined
    ? undefined
    : expiresAtMs - Math.min(reminderLeadMsMax, (expiresAtMs - Date.parse(openedAt)) / 4);

/** Undefined: it was said before, is not due yet, or there is nothing left to be reminded of. */
export const remind = (
  conversation: Versioned<Conversation>,
  { item, rev }: Versioned<PersonRequest>,
  nowMs: number,
): Change | undefined => {
  const atMs = reminderAtMs(item);
  if (atMs === undefined || item.expiresAtMs === undefined || nowMs < atMs) return undefined;
  if (item.decision !== undefined || item.remindedAt !== undefined || isExpired(item, nowMs))
    return undefined;
  const { runId, requestId, on } = item;
  const expiresAt = new Date(item.expiresAtMs).toISOString();
  const remindedAt = new Date(nowMs).toISOString();
  return {
    conversation,
    events: [{ type: 'request.expiring', runId, requestId, on, expiresAt }],
    writes: [{ do: 'replace', kind: 'request', item: { ...item, remindedAt }, rev }],
  };
};
