// An action whose effect is not plain, as a client of another protocol is shown it: the facts, and where a person recovers it.
// Owns: that note, the same in each protocol. Laws: L16 (facts; never a guess), L18 (no arguments, no evidence, no credential).
// Tested in test/functions/api/clients/strand.test.ts.

import type { FoldedAction } from '../../core/records/folded.ts';

export interface ActionNote {
  readonly actionId: string;
  readonly tool: string;
  readonly effect: string;
  readonly disposition: string;
  readonly contradicted: boolean;
  readonly because: string;
  readonly duplicateOf?: string;
  /** Path on this origin: the action's page with its sheet. It is decided there, by whoever claims it, and nowhere else. */
  readonly href: string;
}

export const actionNote = (action: FoldedAction, because: string): ActionNote => ({
  actionId: action.actionId,
  tool: action.tool.name,
  effect: action.effect,
  disposition: action.disposition.kind,
  contradicted: action.contradicted,
  because,
  ...(action.duplicateOf === undefined ? {} : { duplicateOf: action.duplicateOf }),
  href: `/action/${action.actionId}`,
});
