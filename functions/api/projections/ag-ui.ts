// A strand in the words of AG-UI 1.0. Their run is one stream of ours: it ends at a pause, ours does not. Pure.
// Laws: L14 (why it ended or waits), L16 (one TOOL_CALL_RESULT for each call, in the fixed words).
// Tested in test/functions/api/clients/strand.test.ts.
import type { Json, JsonObject } from '../../core/base/json.ts';
import { actionNote } from './action-note.ts';
import { interruptOf } from './ag-ui-interrupts.ts';
import { type AgUiEvent, activityType, errorCodes, protocolVersion } from './ag-ui-wire.ts';
import type { Beat, StepOf, TellersOf } from './beat.ts';

/** A message as the client holds it; only what is needed to show the list again without a part of it. */
export type Shown = JsonObject & { readonly id: string; readonly role: string };

/** Messages of other people are shown under such ids, so that they are never taken for the client's own. */
export const saidPrefix = 'said_';

export interface AgUi {
  readonly threadId: string;
  readonly runId: string;
  readonly reprise: JsonObject;
  /** What the client shows so far: needed only to take a text back, for which the protocol has no event of its own. */
  readonly shown: readonly Shown[];
}

export const messageIdOf = ({ runId, step }: StepOf): string => `${runId}-${step}`;
const nameOf = ({ step }: StepOf): string => `step ${step}`;
const resultIdOf = (callId: string): string => `result-${callId}`;

const snapshot = (shown: readonly Shown[]): AgUiEvent => ({
  type: 'MESSAGES_SNAPSHOT',
  // The client's own messages, as it sent them, and ours: all of the protocol's shape.
  messages: JSON.parse(JSON.stringify(shown)),
});

/** The beginning of every stream. With `rewound` the client drops what it had of this strand: it is told again. */
export const agUiOpening = (state: AgUi, rewound: boolean): readonly AgUiEvent[] => [
  {
    type: 'RUN_STARTED',
    threadId: state.threadId,
    runId: state.runId,
    protocolVersion,
    metadata: { reprise: state.reprise },
  },
  ...(rewound ? [snapshot(state.shown)] : []),
];

const finished = ({ threadId, runId }: AgUi, reason: string, detail: string) =>
  ({ type: 'RUN_FINISHED', threadId, runId, result: { reason, detail } }) as const;

const tellers: TellersOf<AgUi, AgUiEvent> = {
  'step-began': (_, { step }) => [{ type: 'STEP_STARTED', stepName: nameOf(step) }],
  'step-ended': (_, { step }) => [{ type: 'STEP_FINISHED', stepName: nameOf(step) }],
  text: (_, { step, delta, first }) => {
    const messageId = messageIdOf(step);
    const content: AgUiEvent = { type: 'TEXT_MESSAGE_CONTENT', messageId, delta };
    return first
      ? [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }, content]
      : [content];
  },
  'text-ended': (_, { step }) => [{ type: 'TEXT_MESSAGE_END', messageId: messageIdOf(step) }],
  'text-dropped': ({ shown }, { step }) => {
    const messageId = messageIdOf(step);
    return [
      { type: 'TEXT_MESSAGE_END', messageId },
      snapshot(shown.filter(({ id }) => id !== messageId)),
    ];
  },
  call: (_, { step, callId, name, arguments: args }) => [
    {
      type: 'TOOL_CALL_START',
      toolCallId: callId,
      toolCallName: name,
      parentMessageId: messageIdOf(step),
    },
    { type: 'TOOL_CALL_ARGS', toolCallId: callId, delta: JSON.stringify(args) },
    { type: 'TOOL_CALL_END', toolCallId: callId },
  ],
  result: (_, { callId, told }) => [
    {
      type: 'TOOL_CALL_RESULT',
      messageId: resultIdOf(callId),
      toolCallId: callId,
      content: told.text,
      role: 'tool',
      metadata: { reprise: { status: told.status } },
    },
  ],
  // Asked and answered shows where the run pauses, and in the call's result.
  asked: () => [],
  decided: () => [],
  effect: (_, { action, because }) => [
    {
      type: 'ACTIVITY_SNAPSHOT',
      messageId: `activity-${action.actionId}`,
      activityType,
      content: { ...actionNote(action, because) },
    },
  ],
  said: (_, { messageId, from, text }) => {
    const id = `${saidPrefix}${messageId}`;
    return [
      { type: 'TEXT_MESSAGE_START', messageId: id, role: 'user', name: from },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: text },
      { type: 'TEXT_MESSAGE_END', messageId: id },
    ];
  },
  paused: ({ threadId, runId }, { waiting }) => [
    {
      type: 'RUN_FINISHED',
      threadId,
      runId,
      outcome: { type: 'interrupt', interrupts: waiting.map(interruptOf) },
    },
  ],
  ended: (state, { reason, detail }) => {
    switch (reason) {
      // No whole answer: a client must not take it for one, and shows what to do.
      case 'cut_off':
      case 'withheld':
      case 'no_answer':
      case 'failed':
      case 'connection':
      case 'broken':
        return [{ type: 'RUN_ERROR', message: detail, code: errorCodes[reason] }];
      case 'stopped':
        return [{ ...finished(state, reason, detail), outcome: { type: 'cancelled' } }];
      case 'done':
      case 'step_limit':
      case 'withdrawn':
      case 'handed_over':
        return [{ ...finished(state, reason, detail), outcome: { type: 'success' } }];
    }
  },
};

const tell = <Kind extends Beat['beat']>(
  state: AgUi,
  beat: Extract<Beat, { readonly beat: Kind }>,
): readonly AgUiEvent[] => {
  const kind: Kind = beat.beat;
  return tellers[kind](state, beat);
};

const grown = (shown: readonly Shown[], id: string, more: string): readonly Shown[] => {
  const before = shown.find((message) => message.id === id);
  if (before === undefined) return [...shown, { id, role: 'assistant', content: more }];
  const content = `${typeof before.content === 'string' ? before.content : ''}${more}`;
  return shown.map((message) => (message === before ? { ...message, content } : message));
};

const withCall = (
  shown: readonly Shown[],
  { step, callId, name, arguments: args }: Extract<Beat, { beat: 'call' }>,
): readonly Shown[] => {
  const id = messageIdOf(step);
  const made: Json = {
    id: callId,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  const before = shown.find((message) => message.id === id);
  if (before === undefined) return [...shown, { id, role: 'assistant', toolCalls: [made] }];
  const earlier: readonly Json[] = Array.isArray(before.toolCalls) ? before.toolCalls : [];
  const after: Shown = { ...before, toolCalls: [...earlier, made] };
  return shown.map((message) => (message === before ? after : message));
};

const shownAfter = (shown: readonly Shown[], beat: Beat): readonly Shown[] => {
  switch (beat.beat) {
    case 'text':
      return grown(shown, messageIdOf(beat.step), beat.delta);
    case 'text-dropped':
      return shown.filter(({ id }) => id !== messageIdOf(beat.step));
    case 'call':
      return withCall(shown, beat);
    case 'result': {
      const { callId, told } = beat;
      const id = resultIdOf(callId);
      return [...shown, { id, role: 'tool', toolCallId: callId, content: told.text }];
    }
    case 'said':
      return [
        ...shown,
        { id: `${saidPrefix}${beat.messageId}`, role: 'user', name: beat.from, content: beat.text },
      ];
    default:
      return shown;
  }
};

/** What the client is told, and what it shows then. */
export const agUiAfter = (
  state: AgUi,
  beat: Beat,
): { readonly state: AgUi; readonly events: readonly AgUiEvent[] } => ({
  state: { ...state, shown: shownAfter(state.shown, beat) },
  events: tell(state, beat),
});
