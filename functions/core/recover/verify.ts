// Carries a verdict into the store: what each writes, and what the recover machine does next.
// Owns: that translation; looking up and polling are the handler's. Laws: L4, L12, L16.
// Tested in test/scenario/desk/waits.test.ts.

import { unreachable } from '../base/errors.ts';
import { authorise, callPerson, endRecovery, type RecoveryStand } from '../pausing/recovery.ts';
import { lostFinding } from '../perform/finding.ts';
import type { Finding } from '../perform/settle.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { FoldedAction } from '../records/folded.ts';
import { toldEffect } from '../records/told.ts';
import type { Verdict } from './verdict.ts';

export type Step =
  | { readonly step: 'commit'; readonly change: Change; readonly afterwards: 'again' | 'end' }
  | { readonly step: 'settle'; readonly finding: Finding }
  | { readonly step: 'look' }
  | { readonly step: 'poll' }
  | { readonly step: 'perform' }
  | { readonly step: 'wait'; readonly untilMs: number }
  | { readonly step: 'end' };

/** With its action folded. */
export interface Verifying extends RecoveryStand {
  readonly action: Versioned<FoldedAction>;
}

const whenDone = (stand: Verifying, because: string, nowIso: string): Step => {
  const { item } = stand.action;
  const closed = stand.recovery === undefined || stand.recovery.item.decision !== undefined;
  if ((item.told !== undefined && closed) || item.attempts === 0) return { step: 'end' };
  return {
    step: 'commit',
    change: endRecovery(stand, toldEffect(item, because), nowIso),
    afterwards: 'end',
  };
};

export const stepFor = (stand: Verifying, verdict: Verdict, nowIso: string): Step => {
  switch (verdict.verdict) {
    case 'done':
    case 'tell':
      return whenDone(stand, verdict.because, nowIso);
    case 'wait':
      return { step: 'wait', untilMs: verdict.untilMs };
    case 'close':
      return { step: 'settle', finding: lostFinding(stand.action.item.attempts) };
    case 'look':
      return { step: 'look' };
    case 'poll':
      return { step: 'poll' };
    case 'perform':
      return { step: 'perform' };
    case 'authorise': {
      const authorisation = { by: 'verdict', because: verdict.because } as const;
      const { writes } = authorise(stand, authorisation, 'verify', nowIso);
      return {
        step: 'commit',
        change: { conversation: stand.conversation, events: [], writes },
        afterwards: 'again',
      };
    }
    case 'person': {
      const change = callPerson(stand, verdict.because, nowIso);
      return change ? { step: 'commit', change, afterwards: 'end' } : { step: 'end' };
    }
    default:
      return unreachable(verdict);
  }
};
