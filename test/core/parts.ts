// An action as it stands in the ledger, for tests of pure decisions: planned, standing permission, nothing sent.

import { ActionId, ConversationId, RunId } from '../../functions/core/base/ids.ts';
import { digestOf } from '../../functions/core/base/json.ts';
import { type Action, actionDigest } from '../../functions/core/records/action.ts';
import type { FoldedAction } from '../../functions/core/records/folded.ts';
import { foldedOf } from './samples.ts';

export const startMs = Date.parse('2026-12-01T09:00:00Z');
export const nowMs = startMs + 300_000;
export const at = (ms: number): string => new Date(ms).toISOString();

const zeros = '0'.repeat(26);
const tool = { name: 'note', version: 1 };
const destination = { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' };

export const anAction = (more: Partial<Action> = {}): FoldedAction =>
  foldedOf({
    schema: 1,
    workspace: 'acme',
    actionId: ActionId.parse(`act_${zeros}`),
    conversationId: ConversationId.parse(`cnv_${zeros}`),
    runId: RunId.parse(`run_${zeros}`),
    agentId: `agt_${zeros}`,
    step: 1,
    call: 0,
    tool,
    effectKind: 'write',
    destination,
    arguments: { text: 'Hello' },
    digest: actionDigest({ tool, destination, arguments: { text: 'Hello' } }),
    likeDigest: digestOf({ text: 'Hello' }),
    plannedAt: at(startMs),
    mandate: { kind: 'standing' },
    head: 1,
    authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
    effect: 'not_sent',
    contradicted: false,
    disposition: { kind: 'open' },
    attempts: 0,
    round: 0,
    ...more,
  });
