// What a recovery sheet is made of, read together before it is built. Owns: that list. Laws: L18 (nothing secret is in it).
// Tested in test/functions/api/desk/sheet.test.ts.

import type { Author } from '../base/author.ts';
import type {
  ApprovalMandate,
  AuthorisationEntry,
  Decision,
  Versioned,
} from '../records/change.ts';
import type { Claim } from '../records/claim.ts';
import type { Conversation, Message } from '../records/conversation.ts';
import type { Attempt, AttemptEnd, Observation } from '../records/evidence.ts';
import type { FoldedAction } from '../records/folded.ts';
import type { MandateChange } from '../records/mandate.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import type { Contract } from '../registry/contract.ts';

export interface SheetInput {
  readonly action: FoldedAction;
  readonly conversation: Conversation;
  /** The newest message that the run had taken when it proposed the action: what asked for it. */
  readonly message: Message | undefined;
  readonly run: Run;
  readonly recovery: Extract<PersonRequest, { on: 'recovery' }> | undefined;
  readonly pinned: Contract;
  readonly currentVersion: number;
  readonly agentName: string;
  readonly journal: {
    readonly attempts: readonly Attempt[];
    readonly ends: readonly AttemptEnd[];
    readonly observations: readonly Observation[];
    readonly authorisations: readonly AuthorisationEntry[];
    readonly decisions: readonly Decision[];
  };
  readonly leave: {
    readonly approval: ApprovalMandate | undefined;
    readonly mandateRevokedAt: string | undefined;
    readonly barredAt: string | undefined;
    readonly changes: readonly MandateChange[];
    readonly claim: Versioned<Claim> | undefined;
  };
  /** Addresses of the page. */
  readonly links: {
    action(actionId: string): string;
    run(runId: string): string;
    conversation(conversationId: string): string;
  };
  /** Who asked for the sheet. */
  readonly generatedBy: Author;
  readonly nowMs: number;
}
