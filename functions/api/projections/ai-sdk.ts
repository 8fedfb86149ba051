// A strand in the words of the AI SDK 7's UI message stream. One assistant message answers one message of a person; what its
// stream says after a pause goes on in the same message. Pure. Laws: L6 (an approval's id is its request's, which fixes the
// digest), L14, L16 (one output for each call, in the fixed words).
// Tested in test/functions/api/clients/strand.test.ts.
import type { UIMessageChunk } from 'ai';
import type { MessageId, RunId } from '../../core/base/ids.ts';
import type { JsonObject } from '../../core/base/json.ts';
import type { PersonRequest, RequestDecision } from '../../core/records/request.ts';
import { toldEffect } from '../../core/records/told.ts';
import { actionNote } from './action-note.ts';
import type { Beat, BeatOf, StepOf, TellersOf, Waiting } from './beat.ts';
import { stoodNote } from './stood-note.ts';

/** Parts of our own: `data-question` and `data-action`. */
export type AiSdkChunk = UIMessageChunk<JsonObject, { question: JsonObject; action: JsonObject }>;

export const aiSdkHeaders = { 'x-vercel-ai-ui-message-stream': 'v1' } as const;
/** What stands at the end of each stream. */
export const aiSdkEnd = 'data: [DONE]\n\n';

const answerPrefix = 're_';
/** Id of the assistant message that answers a message (or a run that no message began). */
export const answerIdOf = (of: MessageId | RunId): string => `${answerPrefix}${of}`;
/** What an assistant message answers, by its id. */
export const answeredBy = (id: string): string | undefined =>
  id.startsWith(answerPrefix) ? id.slice(answerPrefix.length) : undefined;

const textIdOf = ({ runId, step }: StepOf): string => `${runId}-${step}`;

/** The beginning of every stream. */
export const aiSdkOpening = (messageId: string, reprise: JsonObject): readonly AiSdkChunk[] => [
  { type: 'start', messageId, messageMetadata: reprise },
];

const expiry = ({ expiresAtMs }: PersonRequest): JsonObject =>
  expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() };

const question = (
  request: Extract<PersonRequest, { on: 'question' }>,
  decision: RequestDecision | undefined,
): AiSdkChunk => ({
  type: 'data-question',
  id: request.requestId,
  data: {
    requestId: request.requestId,
    toolCallId: request.actionId,
    message: request.message,
    form: JSON.parse(JSON.stringify(request.form)),
    ...expiry(request),
    ...(decision === undefined ? {} : { decision: decision.kind }),
  },
});

const asked = ({ request, action, stood }: BeatOf<'asked'>): readonly AiSdkChunk[] => {
  switch (request.on) {
    case 'approval': {
      const { says, members } = stoodNote(stood);
      return [
        {
          type: 'tool-approval-request',
          approvalId: request.requestId,
          toolCallId: request.actionId,
          ...(says.length === 0 ? {} : { reason: says.join(' ') }),
          approvalDescriptor: {
            on: 'approval',
            digest: request.digest,
            tool: action.tool,
            destination: action.destination,
            ...members,
            role: request.role,
            ...expiry(request),
          },
        },
      ];
    }
    case 'skill': {
      const { requestId, actionId, skill, version, tools, reason } = request;
      return [
        {
          type: 'tool-approval-request',
          approvalId: requestId,
          toolCallId: actionId,
          reason,
          approvalDescriptor: { on: 'skill', skill, version, tools, ...expiry(request) },
        },
      ];
    }
    case 'question':
      return [question(request, undefined)];
    case 'recovery':
      return [];
  }
};

const reasonOf = (decision: RequestDecision): string | undefined => {
  switch (decision.kind) {
    case 'refused':
      return decision.reason;
    case 'changes_requested':
      return decision.text;
    case 'voided':
      return decision.because;
    case 'expired':
      return 'Nobody answered in time.';
    default:
      return undefined;
  }
};

const decided = ({ request }: BeatOf<'decided'>): readonly AiSdkChunk[] => {
  const { decision } = request;
  if (decision === undefined || request.on === 'recovery') return [];
  if (request.on === 'question') return [question(request, decision)];
  const reason = reasonOf(decision);
  return [
    {
      type: 'tool-approval-response',
      approvalId: request.requestId,
      approved: decision.kind === 'approved' || decision.kind === 'granted',
      ...(reason === undefined ? {} : { reason }),
    },
  ];
};

const result = ({ callId, told, refusedAt }: BeatOf<'result'>): readonly AiSdkChunk[] => {
  if (refusedAt !== undefined)
    return [
      {
        type: 'tool-approval-response',
        approvalId: refusedAt,
        approved: false,
        reason: told.text,
      },
      { type: 'tool-output-denied', toolCallId: callId },
    ];
  return told.status === 'success'
    ? [{ type: 'tool-output-available', toolCallId: callId, output: told.text, dynamic: true }]
    : [{ type: 'tool-output-error', toolCallId: callId, errorText: told.text, dynamic: true }];
};

/** A call that only the desk can settle: no result yet, but the client must not take it for one to be submitted again. */
const unsettled = ({ request, action }: Waiting): readonly AiSdkChunk[] =>
  request.on === 'recovery'
    ? [
        {
          type: 'tool-output-available',
          toolCallId: action.actionId,
          output: toldEffect(action, request.because).text,
          preliminary: true,
          dynamic: true,
        },
        {
          type: 'data-action',
          id: action.actionId,
          data: { ...actionNote(action, request.because), requestId: request.requestId },
        },
      ]
    : [];

const ended = ({ reason, detail }: BeatOf<'ended'>): readonly AiSdkChunk[] => {
  const messageMetadata = { reason, detail };
  // A client that submits by itself what looks complete does not do so after this.
  const interrupted: AiSdkChunk = { type: 'finish', finishReason: 'interrupted', messageMetadata };
  switch (reason) {
    case 'done':
      return [{ type: 'finish', finishReason: 'stop', messageMetadata }];
    case 'step_limit':
    case 'cut_off':
    case 'withheld':
    case 'no_answer':
    case 'withdrawn':
    case 'handed_over':
    case 'connection':
      return [interrupted];
    case 'stopped':
      return [{ type: 'abort', reason: detail }, interrupted];
    case 'failed':
    case 'broken':
      return [{ type: 'error', errorText: detail }];
  }
};

const tellers: TellersOf<undefined, AiSdkChunk> = {
  'step-began': () => [{ type: 'start-step' }],
  'step-ended': () => [{ type: 'finish-step' }],
  text: (_, { step, delta, first }) => {
    const id = textIdOf(step);
    const piece: AiSdkChunk = { type: 'text-delta', id, delta };
    return first ? [{ type: 'text-start', id }, piece] : [piece];
  },
  'text-ended': (_, { step }) => [{ type: 'text-end', id: textIdOf(step) }],
  'text-dropped': () => [{ type: 'reset-step' }],
  call: (_, { callId, name, arguments: input }) => [
    { type: 'tool-input-available', toolCallId: callId, toolName: name, input, dynamic: true },
  ],
  asked: (_, beat) => asked(beat),
  decided: (_, beat) => decided(beat),
  result: (_, beat) => result(beat),
  effect: (_, { action, because }) => [
    { type: 'data-action', id: action.actionId, data: { ...actionNote(action, because) } },
  ],
  said: (_, { messageId, text }) => [
    { type: 'steering-message', id: messageId, parts: [{ type: 'text', text }] },
  ],
  paused: (_, { waiting }) => [
    ...waiting.filter(({ own }) => own).flatMap(unsettled),
    {
      type: 'finish',
      finishReason: 'tool-calls',
      messageMetadata: {
        reason: 'waiting',
        waitingFor: waiting.map(({ request: { on, requestId } }) => ({ on, requestId })),
      },
    },
  ],
  ended: (_, beat) => ended(beat),
};

const tell = <Kind extends Beat['beat']>(
  beat: Extract<Beat, { readonly beat: Kind }>,
): readonly AiSdkChunk[] => {
  const kind: Kind = beat.beat;
  return tellers[kind](undefined, beat);
};

/** What the client is told of a beat. */
export const aiSdkChunks = (beat: Beat): readonly AiSdkChunk[] => tell(beat);
