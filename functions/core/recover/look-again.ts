// A person asks for a look now: another round of the recover machine, which looks before anything else.
// Owns: when that makes sense, and the change. Laws: L3, L8 (what the look finds is judged as ever).
// Tested in test/functions/api/desk/desk.test.ts.
import type { Action } from '../records/action.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { FoldedAction } from '../records/folded.ts';
import type { Contract } from '../registry/contract.ts';
import { type Forbidden, whileRunning } from './desk.ts';

export interface LookingAgain {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<FoldedAction>;
  readonly contract: Contract;
  readonly nowMs: number;
}

export type LookAgainOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | { readonly kind: 'refused'; readonly forbidden: Forbidden }
  /** The contract declares no way to look. */
  | { readonly kind: 'blind' };

export const lookAgain = (looking: LookingAgain): LookAgainOutcome => {
  const { item, rev } = looking.action;
  const { nowMs } = looking;
  if (item.attempts === 0)
    return { kind: 'refused', forbidden: { because: 'nothing_sent', fact: item.effect } };
  if (looking.contract.lookUp === undefined) return { kind: 'blind' };
  const running = whileRunning({ action: item, nowMs });
  if (running) return { kind: 'refused', forbidden: running };
  if (item.effect === 'confirmed')
    return {
      kind: 'refused',
      forbidden: {
        because: 'already_settled',
        fact: item.effect,
        at: item.settledAt ?? item.plannedAt,
      },
    };
  const round = item.round + 1;
  const action: Action = { ...item, round, nextCheckAtMs: nowMs };
  return {
    kind: 'change',
    action,
    change: {
      conversation: looking.conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'action', item: action, rev }],
      recoveries: [{ actionId: item.actionId, round }],
    },
  };
};
