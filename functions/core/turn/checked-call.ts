// A model's call once it was checked: the gate it stands at, and the action and request that it becomes.
// Owns: that translation, one call at a time. Laws: L2, L5, L6, L20 (asked once, with what looks alike on view).
// Tested in test/core/changes.test.ts.

import type { SkillVersion } from '../answers/skill.ts';
import type { ActionId, RequestId } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';
import { type Action, actionDigest, type Told } from '../records/action.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { type AskUserArguments, questionExpiryMsDefault } from '../registry/ask-user.ts';
import { likeDigestOf } from '../registry/likeness.ts';
import type { ToolVersion } from '../registry/tool.ts';

/** What a call waits for before it may run. */
export type Gate =
  | { readonly on: 'nothing'; readonly mandate: Action['mandate'] }
  | { readonly on: 'approval' }
  | { readonly on: 'question'; readonly question: AskUserArguments }
  | { readonly on: 'skill'; readonly skill: SkillVersion; readonly reason: string };

export interface Likeness {
  readonly rev: string;
  readonly holders: readonly ActionId[];
}

/** One call after its arguments were checked against the tool's schema. */
export type CheckedCall =
  | {
      readonly kind: 'valid';
      readonly name: string;
      readonly arguments: JsonObject;
      readonly tool: ToolVersion;
      readonly gate: Gate;
      readonly actionId: ActionId;
      readonly requestId: RequestId;
      /** What looked alike when it was asked about, and the look-alike marker's revision then. */
      readonly likeness?: Likeness;
    }
  | {
      readonly kind: 'invalid';
      readonly name: string;
      readonly arguments: JsonObject;
      readonly told: Told;
    };

const mandateOf = (call: Valid): Action['mandate'] =>
  call.gate.on === 'nothing'
    ? call.gate.mandate
    : call.gate.on === 'approval'
      ? { kind: 'approval', requestId: call.requestId }
      : { kind: 'standing' };

export type Valid = Extract<CheckedCall, { kind: 'valid' }>;

export const actionOf = (
  run: Run,
  step: number,
  call: Valid,
  index: number,
  nowIso: string,
  equal: readonly ActionId[] = [],
): Action => {
  const { registration } = call.tool;
  const { contract } = registration;
  const tool = { name: registration.name, version: call.tool.version };
  return {
    schema: 1,
    workspace: run.workspace,
    actionId: call.actionId,
    conversationId: run.conversationId,
    runId: run.runId,
    agentId: run.agentId,
    step,
    call: index,
    tool,
    effectKind: contract.effect,
    destination: contract.destination,
    arguments: call.arguments,
    digest: actionDigest({ tool, destination: contract.destination, arguments: call.arguments }),
    likeDigest: likeDigestOf(run.workspace, registration.name, contract, call.arguments),
    plannedAt: nowIso,
    mandate: mandateOf(call),
    head: 1,
    authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
    effect: 'not_sent',
    contradicted: false,
    disposition: { kind: 'open' },
    attempts: 0,
    ...(call.gate.on === 'nothing' ? {} : { requestId: call.requestId }),
    // L20: two equal calls of one step are two only if a person who saw both says so.
    ...(equal.length === 0 ? {} : { alike: [...equal] }),
    round: 0,
  };
};

export const requestOf = (
  action: Action,
  call: Valid,
  nowIso: string,
): PersonRequest | undefined => {
  const { policy } = call.tool.registration.contract;
  const after = (ms: number): number => Date.parse(nowIso) + ms;
  const base = {
    schema: 1 as const,
    workspace: action.workspace,
    requestId: call.requestId,
    conversationId: action.conversationId,
    runId: action.runId,
    actionId: action.actionId,
    openedAt: nowIso,
  };
  const { gate } = call;
  const shown = [...(call.likeness?.holders ?? []), ...(action.alike ?? [])];
  switch (gate.on) {
    case 'nothing':
      return undefined;
    case 'approval':
      return {
        ...base,
        on: 'approval',
        expiresAtMs: after(policy.expiryMs),
        digest: action.digest,
        role: policy.role,
        ...(policy.beginMs === undefined ? {} : { beginMs: policy.beginMs }),
        ...(shown.length === 0
          ? {}
          : { likeness: { rev: call.likeness?.rev ?? '', holders: [...new Set(shown)] } }),
      };
    case 'question':
      return {
        ...base,
        on: 'question',
        expiresAtMs: after(gate.question.expiresInMs ?? questionExpiryMsDefault),
        message: gate.question.message,
        form: gate.question.form,
        onExpiry: gate.question.onExpiry,
      };
    case 'skill':
      return {
        ...base,
        on: 'skill',
        expiresAtMs: after(questionExpiryMsDefault),
        skill: gate.skill.content.name,
        version: gate.skill.version,
        reason: gate.reason,
        tools: gate.skill.content.tools.map(({ name }) => name),
      };
  }
};
