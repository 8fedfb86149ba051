// A recovery: opened with the unsettled outcome, looked at by the machine first, and put before a person only after a verdict
// that says so. Owns: those steps as parts of changes. Laws: L12, L14, L16, L17.
// Tested in test/adversary/who-is-told.test.ts.

import type { Author } from '../base/author.ts';
import type { RequestId } from '../base/ids.ts';
import { type Action, recovered, type Told } from '../records/action.ts';
import type { AuthorisationEntry, Change, Versioned, Write } from '../records/change.ts';
import type { Claim } from '../records/claim.ts';
import type { Conversation } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import type { Known } from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import type { PersonRequest } from '../records/request.ts';
import { isEnded, type Run } from '../records/run.ts';
import type { Contract } from '../registry/contract.ts';
import { endClaim } from './claiming.ts';
import { type Closed, closeRequests, nothingClosed, system } from './close-request.ts';
import { blockRun, replaceRun } from './waiting.ts';

export interface Opening {
  readonly requestId: RequestId;
  readonly because: string;
  readonly nowIso: string;
}

const recoveryOf = (
  { recoverer }: Pick<Contract, 'recoverer'>,
  { workspace, conversationId, runId, actionId }: Action,
  { requestId, because, nowIso }: Opening,
  needsPerson: boolean,
): PersonRequest => ({
  schema: 1,
  workspace,
  requestId,
  conversationId,
  runId,
  actionId,
  openedAt: nowIso,
  on: 'recovery',
  because,
  needsPerson,
  ...(recoverer === undefined ? {} : { recoverer }),
});

/** Opens the recovery and orders its first round. The run is not blocked yet: the machine looks first. */
export const openRecovery = (
  contract: Pick<Contract, 'recoverer'>,
  action: Action,
  opening: Opening,
): {
  readonly action: Action;
  readonly closed: Closed;
  readonly recoveries: NonNullable<Change['recoveries']>;
} => {
  const round = action.round + 1;
  const request = recoveryOf(contract, action, opening, false);
  const { requestId } = opening;
  return {
    action: { ...action, requestId, round, recovering: true },
    closed: { ...nothingClosed, writes: [{ do: 'put', kind: 'request', item: request }] },
    recoveries: [{ actionId: action.actionId, round }],
  };
};

/** Opens a recovery that is a person's at once: what is known waits for a decision, and no look would take its place. */
export const openForPerson = (
  contract: Pick<Contract, 'recoverer'>,
  action: Action,
  opening: Opening,
): { readonly action: Action; readonly writes: Write[]; readonly events: EventBody[] } => {
  const item = recoveryOf(contract, action, opening, true);
  const { runId, actionId } = action;
  const { requestId } = opening;
  return {
    action: { ...action, requestId, recovering: true },
    writes: [{ do: 'put', kind: 'request', item }],
    events: [{ type: 'request.opened', runId, requestId, on: 'recovery', actionId }],
  };
};

/** What a step of recovery stands before. */
export interface RecoveryStand {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  /** The recovery that is open for this action, if one is. */
  readonly recovery: Versioned<PersonRequest> | undefined;
  /** Ends with the recovery. */
  readonly claim: Versioned<Claim> | undefined;
}

/** What a change of its effect stands before: evidence that is added, or a person's decision. */
export interface EffectStand extends RecoveryStand {
  /** The action's newest request, of whatever kind: a question of its tool may be open. */
  readonly request?: Versioned<PersonRequest> | undefined;
  /** The rest of its chain, where it was reissued or reissues another. */
  readonly twins: readonly Versioned<Action>[];
  readonly known: Known;
}

const unknown = ({ effect, runId, actionId }: Action, because: string): EventBody[] =>
  effect === 'undetermined' ? [{ type: 'action.undetermined', runId, actionId, because }] : [];

/** A verdict asks for a person: the request shows in the inbox and, unless the agent was told, the run waits for it. */
export const callPerson = (
  stand: RecoveryStand,
  because: string,
  nowIso: string,
): Change | undefined => {
  const { recovery, run, action } = stand;
  if (recovery?.item.on !== 'recovery') return undefined;
  if (recovery.item.needsPerson || recovery.item.decision) return undefined;
  const waits = action.item.told === undefined && recovery.item.released !== true;
  const blocked = waits
    ? blockRun(run.item, [recovery.item], [], nowIso)
    : { run: run.item, events: [] };
  const opened: EventBody = {
    type: 'request.opened',
    runId: action.item.runId,
    requestId: recovery.item.requestId,
    on: 'recovery',
    actionId: action.item.actionId,
  };
  return {
    conversation: stand.conversation,
    // The first word of it went to readers alone, while the machine looked.
    events: [opened, ...unknown(action.item, because), ...blocked.events],
    writes: [
      {
        do: 'replace',
        kind: 'request',
        item: { ...recovery.item, needsPerson: true, because },
        rev: recovery.rev,
      },
      ...(waits ? replaceRun(run, blocked.run) : []),
    ],
  };
};

/** The recovery is over: the agent has its result, the run is woken. */
export const endRecovery = (stand: RecoveryStand, told: Told, nowIso: string): Change => {
  const { action, recovery, run } = stand;
  const open = recovery !== undefined && recovery.item.decision === undefined;
  const decision = { kind: 'settled' } as const;
  const closed = open
    ? closeRequests(run, [{ request: recovery, decision }], system, nowIso)
    : nothingClosed;
  const after: Action = { ...recovered(action.item), told: action.item.told ?? told };
  const ended = endClaim(stand.claim, action.item, nowIso);
  return {
    conversation: stand.conversation,
    conversationNext: remembered(stand.conversation.item, action.item, after, isEnded(run.item)),
    events: [...closed.events, ...ended.events],
    writes: [
      { do: 'replace', kind: 'action', item: after, rev: action.rev },
      ...closed.writes,
      ...ended.writes,
    ],
    wakes: closed.wakes,
    starts: closed.starts,
  };
};

/** Authorises attempt n+1 under the same identity: a journal entry that engage requires to be the head. */
export const authorise = (
  stand: Pick<RecoveryStand, 'action'>,
  authorisation: AuthorisationEntry['authorisation'],
  by: Author | 'verify',
  nowIso: string,
): { readonly action: Action; readonly writes: Write[] } => {
  const { item, rev } = stand.action;
  const entry = item.head + 1;
  const attempt = item.attempts + 1;
  const action: Action = {
    ...item,
    head: entry,
    authorised: { head: entry, attempt, authorisation },
  };
  return {
    action,
    writes: [
      {
        do: 'put',
        kind: 'authorisation',
        item: {
          schema: 1,
          actionId: item.actionId,
          entry,
          attempt,
          authorisation,
          at: nowIso,
          ...(by === 'verify' ? { by } : { by: by.subject, author: by }),
        },
      },
      { do: 'replace', kind: 'action', item: action, rev },
    ],
  };
};
