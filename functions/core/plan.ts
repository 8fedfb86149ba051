// From a model's answer to a stored step: every call becomes an action (identity, frozen arguments, digest, gate) or gets a
// fixed result. Owns: that translation, as one change with the step itself.
// Laws: L2, L5, L6, L15 (tool versions are the revision's), L16 (each call has an action or a fixed result), L17.
import { type Action, actionDigest, type Told } from './action.ts';
import { type AskUserArguments, questionExpiryMsDefault } from './ask-user.ts';
import type { Change, Versioned, Write } from './change.ts';
import type { Conversation, Message } from './conversation.ts';
import type { EventBody } from './event.ts';
import type { ActionId, RequestId } from './ids.ts';
import type { JsonObject } from './json.ts';
import { likeDigestOf } from './likeness.ts';
import { callsPerStepMax, stepEvents } from './limits.ts';
import type { PersonRequest } from './request.ts';
import type { Run, Usage } from './run.ts';
import type { SkillVersion } from './skill.ts';
import type { Step, StepCall } from './step.ts';
import { toldSurplus, toldUnknownTool } from './told.ts';
import type { ToolVersion } from './tool.ts';
import { blockRun } from './waiting.ts';

/** What a call waits for before it may run. */
export type Gate =
  | { readonly on: 'nothing'; readonly mandate: Action['mandate'] }
  | { readonly on: 'approval' }
  | { readonly on: 'question'; readonly question: AskUserArguments }
  | { readonly on: 'skill'; readonly skill: SkillVersion; readonly reason: string };

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
    }
  | {
      readonly kind: 'invalid';
      readonly name: string;
      readonly arguments: JsonObject;
      readonly told: Told;
    };

export interface Answered {
  readonly step: number;
  readonly attempt: string;
  readonly text: string;
  readonly calls: readonly CheckedCall[];
  readonly took: readonly Versioned<Message>[];
  readonly facts: string | undefined;
  /** Actions whose outcome is told by these facts for good. */
  readonly factsTold: readonly ActionId[];
  readonly results: Step['results'];
  readonly usage: Usage & { readonly callId: string; readonly model: string };
}

const mandateOf = (call: Valid): Action['mandate'] =>
  call.gate.on === 'nothing'
    ? call.gate.mandate
    : call.gate.on === 'approval'
      ? { kind: 'approval', requestId: call.requestId }
      : { kind: 'standing' };

type Valid = Extract<CheckedCall, { kind: 'valid' }>;

const actionOf = (run: Run, step: number, call: Valid, index: number, nowIso: string): Action => {
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
    round: 0,
  };
};

const requestOf = (action: Action, call: Valid, nowIso: string): PersonRequest | undefined => {
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

const planned = (run: Run, answered: Answered, nowIso: string) =>
  answered.calls.map((call, index) => {
    if (call.kind === 'invalid' || index >= callsPerStepMax) return undefined;
    const action = actionOf(run, answered.step, call, index, nowIso);
    return { action, request: requestOf(action, call, nowIso) };
  });

type Planned = NonNullable<ReturnType<typeof planned>[number]>;

const stepCall = (
  run: Run,
  answered: Answered,
  call: CheckedCall,
  index: number,
  plan: Planned | undefined,
): StepCall => {
  if (plan)
    return {
      kind: 'action',
      actionId: plan.action.actionId,
      name: call.name,
      arguments: call.arguments,
    };
  return {
    kind: 'fixed',
    callId: `fix_${run.runId.slice(4, 16)}_${answered.step}_${index}`,
    name: call.name,
    arguments: call.arguments,
    told: call.kind === 'invalid' ? call.told : toldSurplus(),
  };
};

const messageWrites = (run: Run, answered: Answered): Write[] =>
  answered.took.map(({ item, rev }) => ({
    do: 'replace',
    kind: 'message',
    rev,
    item: {
      ...item,
      fate:
        item.messageId === run.firstMessageId
          ? { fate: 'started', runId: run.runId }
          : { fate: 'taken', runId: run.runId, step: answered.step },
    },
  }));

const gateOf = (request: PersonRequest | undefined) => {
  if (request === undefined) return 'perform';
  return request.on === 'recovery' ? 'perform' : request.on;
};

const eventsOf = (
  run: Run,
  answered: Answered,
  step: Step,
  plans: readonly Planned[],
): EventBody[] => [
  ...answered.took.map(
    ({ item }): EventBody => ({
      type: 'message.taken',
      messageId: item.messageId,
      runId: run.runId,
      step: answered.step,
    }),
  ),
  {
    type: 'step.stored',
    runId: run.runId,
    step: answered.step,
    text: answered.text,
    attempt: answered.attempt,
    calls: step.calls.map((call) =>
      call.kind === 'action' ? { name: call.name, actionId: call.actionId } : { name: call.name },
    ),
  },
  ...plans.flatMap(({ action, request }): EventBody[] => [
    {
      type: 'action.planned',
      runId: run.runId,
      actionId: action.actionId,
      step: answered.step,
      tool: action.tool.name,
      gate: gateOf(request),
    },
    ...(request
      ? [
          {
            type: 'request.opened' as const,
            runId: run.runId,
            requestId: request.requestId,
            on: request.on,
            actionId: action.actionId,
          },
        ]
      : []),
  ]),
];

const added = (run: Run, usage: Usage): Usage => ({
  inputTokens: run.usage.inputTokens + usage.inputTokens,
  outputTokens: run.usage.outputTokens + usage.outputTokens,
  cachedInputTokens: run.usage.cachedInputTokens + usage.cachedInputTokens,
});

/** The change that stores a step with all that follows from it. The caller keeps the ids, so a second try is the same change. */
export const storeStep = (
  conversation: Versioned<Conversation>,
  run: Versioned<Run>,
  answered: Answered,
  nowIso: string,
): { readonly change: Change; readonly step: Step } => {
  const before = run.item;
  const all = planned(before, answered, nowIso);
  const plans = all.filter((plan) => plan !== undefined);
  const step: Step = {
    schema: 1,
    runId: before.runId,
    step: answered.step,
    attempt: answered.attempt,
    text: answered.text,
    calls: answered.calls.map((call, index) => stepCall(before, answered, call, index, all[index])),
    took: answered.took.map(({ item }) => item.messageId),
    ...(answered.facts === undefined ? {} : { facts: answered.facts }),
    results: answered.results,
    usage: answered.usage,
    at: nowIso,
  };
  const requests = plans.flatMap(({ request }) => (request ? [request] : []));
  const blocked = blockRun(before, requests, [], nowIso);
  const tookIds = new Set(step.took);
  const next: Run = {
    ...blocked.run,
    step: answered.step,
    segmentEvents: before.segmentEvents + stepEvents(plans.length),
    usage: added(before, answered.usage),
    deaths: 0,
  };
  return {
    step,
    change: {
      conversation,
      conversationNext: {
        ...conversation.item,
        pending: conversation.item.pending.filter((id) => !tookIds.has(id)),
        facts: conversation.item.facts.filter((id) => !answered.factsTold.includes(id)),
      },
      events: [...eventsOf(before, answered, step, plans), ...blocked.events],
      writes: [
        { do: 'put', kind: 'step', item: step },
        { do: 'replace', kind: 'run', item: next, rev: run.rev },
        ...messageWrites(before, answered),
        ...plans.map(({ action }): Write => ({ do: 'put', kind: 'action', item: action })),
        ...requests.map((item): Write => ({ do: 'put', kind: 'request', item })),
      ],
    },
  };
};

export const unknownTool = (
  name: string,
  known: readonly string[],
  args: JsonObject,
): CheckedCall => ({
  kind: 'invalid',
  name,
  arguments: args,
  told: toldUnknownTool(name, known),
});
