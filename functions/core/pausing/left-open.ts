// A call that was sent, and that the run stops waiting for before its outcome is known: what is known is told, and what is not is
// found out by a recovery that holds up nobody. Owns: that part of a change. Laws: L14 (nothing unknown without somebody who looks), L16, L20.
// Tested in test/core/margins-of-changes.test.ts.

import { derivedSuffix, RequestId } from '../base/ids.ts';
import type { Action, Told } from '../records/action.ts';
import { isSettled } from '../records/action.ts';
import type { Change, Write } from '../records/change.ts';
import { releaseOf } from '../records/effect-events.ts';
import type { FoldedAction } from '../records/folded.ts';
import { toldEffect } from '../records/told.ts';
import type { AskingContract } from './asked.ts';
import { openRecovery } from './recovery.ts';

export interface LeftOpen {
  readonly action: Action;
  readonly writes: Write[];
  readonly inward: NonNullable<Change['inward']>;
  readonly recoveries: NonNullable<Change['recoveries']>;
}

export interface Leaving {
  /** Stands before the fixed words: that nobody answered. */
  readonly said?: string;
  readonly because: string;
  /** The run waits for what a recovery finds out; else the agent is told what is known now. */
  readonly waits: boolean;
  /** A recovery is open for it already. */
  readonly recovering: boolean;
  readonly nowIso: string;
}

const toldOf = (action: FoldedAction, { said, because }: Leaving): Told => {
  if (said === undefined) return toldEffect(action, because);
  const { status, text } = toldEffect(action, '');
  return { status, text: `${said} ${text}` };
};

export const leftOpen = (
  action: FoldedAction,
  contract: AskingContract,
  leaving: Leaving,
): LeftOpen => {
  const over = isSettled(action.effect);
  const told = action.told ?? (over || !leaving.waits ? toldOf(action, leaving) : undefined);
  const after: Action = told === undefined ? action : { ...action, told };
  if (over || leaving.recovering || action.disposition.kind !== 'open')
    return { action: after, writes: releaseOf(action), inward: [], recoveries: [] };
  const suffix = derivedSuffix('left-open', action.actionId, `${action.attempts}`);
  const opened = openRecovery(contract, after, {
    requestId: RequestId.parse(`req_${suffix}`),
    because: leaving.because,
    nowIso: leaving.nowIso,
  });
  return {
    action: opened.action,
    writes: opened.closed.writes,
    // While the machine still looks, its first word goes to readers alone.
    inward: ['action.undetermined'],
    recoveries: opened.recoveries,
  };
};
