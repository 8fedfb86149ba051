// What of AG-UI's RunAgentInput is read. Tools, context, state and forwarded properties of a client are not: an agent has the
// tools and instructions of its revision. Owns: that reading. Laws: L11, L13.
// Tested in test/functions/api/clients/ag-ui.test.ts.
import { z } from 'zod';
import { Json } from '../../core/base/json.ts';
import { messageIdOf, type Shown, saidPrefix } from './ag-ui.ts';
import type { Have } from './have.ts';
import { ClientId, textOfParts } from './said.ts';

/** A run waits for the calls of its last step, sixteen at most. */
const interruptsMax = 100;

const ShownMessage = z
  .record(z.string(), Json)
  .and(z.looseObject({ id: z.string(), role: z.string() }));

export const RunInput = z.looseObject({
  threadId: ClientId,
  runId: ClientId,
  messages: z.array(ShownMessage),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string(),
        status: z.enum(['resolved', 'cancelled']),
        payload: Json.optional(),
      }),
    )
    .max(interruptsMax)
    .optional(),
});
export type RunInput = z.infer<typeof RunInput>;

export interface Spoken {
  readonly clientId: string;
  readonly text: string;
  /** Nothing of the agent's comes after it: it may be new. */
  readonly isLast: boolean;
  /** The client's list up to it. */
  readonly before: readonly Shown[];
}

const shown = (messages: RunInput['messages']): Shown[] =>
  messages.map((message) => ({ ...message }));

/** The newest message of the person, or undefined when there is none. */
export const newestSaid = ({ messages }: RunInput): Spoken | undefined => {
  const at = messages.findLastIndex(
    ({ id, role }) => role === 'user' && !id.startsWith(saidPrefix),
  );
  const message = messages[at];
  if (message === undefined) return undefined;
  const { content } = message;
  return {
    clientId: message.id,
    text: typeof content === 'string' ? content : textOfParts(content, `messages.${at}.content`),
    isLast: !messages.slice(at + 1).some(({ role }) => role === 'assistant' || role === 'tool'),
    before: shown(messages.slice(0, at + 1)),
  };
};

export const allShown = ({ messages }: RunInput): readonly Shown[] => shown(messages);

const Calls = z.array(z.looseObject({ id: z.string() }));

/** Ids of the calls that an assistant's message holds. */
export const callIdsOf = ({ toolCalls }: Shown): readonly string[] =>
  (Calls.safeParse(toolCalls).data ?? []).map(({ id }) => id);

/** What the client's own list says that it has. */
export const haveOf = (input: RunInput): Have => {
  const all = allShown(input);
  const assistant = all.filter(({ role }) => role === 'assistant');
  const texts = new Set(assistant.map(({ id }) => id));
  return {
    step: (step) => texts.has(messageIdOf(step)),
    calls: new Set(assistant.flatMap(callIdsOf)),
    results: new Set(
      all.flatMap(({ role, toolCallId }) =>
        role === 'tool' && typeof toolCallId === 'string' ? [toolCallId] : [],
      ),
    ),
    requests: new Set(),
    said: new Set(
      all.flatMap(({ id }) => (id.startsWith(saidPrefix) ? [id.slice(saidPrefix.length)] : [])),
    ),
  };
};
