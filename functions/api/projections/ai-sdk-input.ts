// What of an AI SDK request is read: the newest message of the person, or the answers that the newest assistant message
// carries (approvals, and outputs of calls that were questions). Owns: that reading. Laws: L6, L11, L13.
// Tested in test/functions/api/problems/field-errors.test.ts.
import { z } from 'zod';
import { Json } from '../../core/base/json.ts';
import type { Have } from './have.ts';
import { ClientId, textOfParts } from './said.ts';

const Part = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  input: Json.optional(),
  output: Json.optional(),
  errorText: z.string().optional(),
  approval: z
    .looseObject({
      id: z.string(),
      approved: z.boolean().optional(),
      reason: z.string().optional(),
      descriptor: z.unknown().optional(),
    })
    .optional(),
});
type Part = z.infer<typeof Part>;

const UiMessage = z.looseObject({ id: ClientId, role: z.string(), parts: z.array(Part) });
type UiMessage = z.infer<typeof UiMessage>;

export const ChatInput = z
  .looseObject({
    id: ClientId,
    messages: z.array(UiMessage).optional(),
    /** The newest one alone, as a client that does not send its history has it. */
    message: UiMessage.optional(),
    /** The assistant message that goes on, where it is not the newest. */
    messageId: z.string().optional(),
  })
  .refine(({ messages, message }) => message !== undefined || (messages ?? []).length > 0, {
    path: ['messages'],
    message: 'Give the newest message, in "messages" or as "message".',
    params: { fr: 'Donnez le dernier message, dans « messages » ou comme « message ».' },
  });
export type ChatInput = z.infer<typeof ChatInput>;

export type ChatAnswer =
  | {
      readonly kind: 'approval';
      readonly requestId: string;
      readonly approved: boolean;
      readonly reason: string | undefined;
      /** As the client showed them. */
      readonly input: Json | undefined;
      readonly digest: string | undefined;
      /** In a message that this request is not about: given before, or not yet sent. */
      readonly earlier: boolean;
    }
  | { readonly kind: 'output'; readonly callId: string; readonly output: Json | undefined }
  | { readonly kind: 'declined'; readonly callId: string; readonly reason: string | undefined };

export type ChatSaid =
  | {
      readonly kind: 'message';
      readonly clientId: string;
      readonly text: string;
      /** Given before it was said, and not sent by themselves. */
      readonly answers: readonly ChatAnswer[];
    }
  | {
      readonly kind: 'answers';
      /** The assistant message that goes on. */
      readonly messageId: string;
      readonly answers: readonly ChatAnswer[];
      readonly have: Have;
    };

const Shown = z.looseObject({ digest: z.string() });

const answerIn = (part: Part, earlier: boolean): ChatAnswer[] => {
  const { state, approval, toolCallId: callId } = part;
  if (state === 'approval-responded' && approval?.approved !== undefined)
    return [
      {
        kind: 'approval',
        requestId: approval.id,
        approved: approval.approved,
        reason: approval.reason,
        input: part.input,
        digest: Shown.safeParse(approval.descriptor).data?.digest,
        earlier,
      },
    ];
  if (callId === undefined) return [];
  if (state === 'output-available') return [{ kind: 'output', callId, output: part.output }];
  return state === 'output-error' ? [{ kind: 'declined', callId, reason: part.errorText }] : [];
};

const haveOf = ({ parts }: UiMessage): Have => {
  const steps = parts.filter(({ type }) => type === 'step-start').length;
  const calls = parts.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]));
  return {
    step: ({ ordinal }) => ordinal < steps,
    calls: new Set(calls),
    // A result that is told again replaces itself.
    results: new Set(),
    requests: new Set(
      parts.flatMap(({ type, id, approval }) => [
        ...(approval === undefined ? [] : [approval.id]),
        ...(type === 'data-question' && id !== undefined ? [id] : []),
      ]),
    ),
    said: new Set(
      parts.flatMap(({ type, id }) =>
        type === 'steering-message' && id !== undefined ? [id] : [],
      ),
    ),
  };
};

const answersIn = (messages: readonly UiMessage[], except: UiMessage): ChatAnswer[] =>
  messages
    .filter((message) => message !== except && message.role === 'assistant')
    .flatMap(({ parts }) => parts.flatMap((part) => answerIn(part, true)))
    .filter(({ kind }) => kind === 'approval');

/** What the newest message says, or the one that goes on. Undefined where it is neither a person's nor an assistant's. */
export const chatSaid = ({
  messages = [],
  message,
  messageId,
}: ChatInput): ChatSaid | undefined => {
  const named = messages.findLast(({ id, role }) => role === 'assistant' && id === messageId);
  const newest = message ?? named ?? messages.at(-1);
  if (newest === undefined) return undefined;
  const answers = answersIn(messages, newest);
  if (newest.role === 'user')
    return {
      kind: 'message',
      clientId: newest.id,
      text: textOfParts(newest.parts, 'messages', /^(step-start|data-.*)$/),
      answers,
    };
  if (newest.role !== 'assistant') return undefined;
  return {
    kind: 'answers',
    messageId: newest.id,
    answers: [...answers, ...newest.parts.flatMap((part) => answerIn(part, false))],
    have: haveOf(newest),
  };
};
