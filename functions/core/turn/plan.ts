// What a model answered becomes a step with its actions and requests: one change. Owns: that change, and how much one step takes.
// Laws: L2, L11 (messages are taken by the step that stores them), L16, L17.
// Tested in test/core/changes.test.ts.

import { jsonBytes } from '../base/cut.ts';
import type { ActionId } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';
import {
  callsPerStepMax,
  messageBytesAtOnceMax,
  messagesAtOnceMax,
  stepEvents,
} from '../base/limits.ts';
import { blockRun } from '../pausing/waiting.ts';
import type { Action } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation, Message } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import type { PersonRequest } from '../records/request.ts';
import { addUsage, type Run, type Usage } from '../records/run.ts';
import type { Step, StepCall } from '../records/step.ts';
import { toldSurplus, toldUnknownTool } from '../records/told.ts';
import { actionOf, type CheckedCall, requestOf } from './checked-call.ts';

export interface Answered {
  readonly step: number;
  readonly attempt: string;
  readonly text: string;
  readonly calls: readonly CheckedCall[];
  readonly end?: NonNullable<Step['end']>;
  /** Steps in a row with a cut call, this one included. */
  readonly cuts?: number;
  readonly took: readonly Versioned<Message>[];
  readonly facts: string | undefined;
  /** Actions whose outcome is told by these facts for good. */
  readonly factsTold: readonly ActionId[];
  /** How many were told by number alone. */
  readonly factsBeyondTold?: number;
  readonly results: Step['results'];
  readonly usage: Usage & { readonly callId: string; readonly model: string };
}

/** The oldest messages that one transaction can give their fate; at least one. */
export const takenAtOnce = (waiting: readonly Versioned<Message>[]): Versioned<Message>[] => {
  let bytes = 0;
  return waiting
    .toSorted((a, b) => a.item.number - b.item.number)
    .filter(({ item }, index) => {
      bytes += jsonBytes(item.text);
      return index === 0 || (index < messagesAtOnceMax && bytes <= messageBytesAtOnceMax);
    });
};

const planned = (run: Run, answered: Answered, nowIso: string) => {
  const firsts: Action[] = [];
  return answered.calls.map((call, index) => {
    if (call.kind === 'invalid' || index >= callsPerStepMax) return undefined;
    const plan = (equal: readonly ActionId[]) =>
      actionOf(run, answered.step, call, index, nowIso, equal);
    const alone = plan([]);
    const equal = firsts.filter(
      ({ likeDigest, effectKind }) => effectKind !== 'read' && likeDigest === alone.likeDigest,
    );
    const action = plan(equal.map(({ actionId }) => actionId));
    firsts.push(action);
    return { action, request: requestOf(action, call, nowIso) };
  });
};

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

/** The conversation without what this step took and told. */
const without = (
  { factsBeyond, ...conversation }: Conversation,
  answered: Answered,
  took: ReadonlySet<string>,
): Conversation => {
  const beyond = (factsBeyond ?? 0) - (answered.factsBeyondTold ?? 0);
  return {
    ...conversation,
    pending: conversation.pending.filter((id) => !took.has(id)),
    facts: conversation.facts.filter((id) => !answered.factsTold.includes(id)),
    ...(beyond > 0 ? { factsBeyond: beyond } : {}),
  };
};

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
    ...(answered.end === undefined ? {} : { end: answered.end }),
    ...(answered.cuts === undefined ? {} : { cuts: answered.cuts }),
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
    usage: addUsage(before.usage, answered.usage),
    deaths: 0,
    touchedAt: nowIso,
  };
  return {
    step,
    change: {
      conversation,
      conversationNext: without(conversation.item, answered, tookIds),
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
