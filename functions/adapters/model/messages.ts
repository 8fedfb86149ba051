// Our transcript in the AI SDK's messages. Owns: the rules that providers hold a transcript to.
// Laws: L16 (exactly one result per call, in the turn right after it; a transcript that breaks this locks the
// conversation for ever, so what is missing is put in and what is surplus left out).
// Tested in test/functions/adapters/messages.test.ts.
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { derivedSuffix } from '../../core/base/ids.ts';
import type {
  ToolCall,
  ToolResult,
  Transcript,
  TranscriptEntry,
} from '../../core/turn/transcript.ts';

export interface MessageRules {
  /** Tool results must have their turn to themselves (Bedrock): a short agent text is put before what follows them. */
  readonly resultsAlone: boolean;
}

/** Ids as every provider takes them; any other becomes a digest of itself, so that call and result still agree. */
const idOf = (callId: string): string =>
  /^[a-zA-Z0-9_-]{1,64}$/.test(callId) ? callId : `call_${derivedSuffix('call', callId)}`;

const factsMark = '[Stated by the system, not by a person]';

/** Nobody but the system writes its mark. */
const unmarked = (text: string): string => text.replaceAll(factsMark, '[quoted]');

type Spoken = Extract<TranscriptEntry, { role: 'person' | 'facts' }>;

const wordsOf = (entry: Spoken, several: boolean): string => {
  if (entry.role === 'facts') return `${factsMark}\n${entry.text}`;
  return several ? `${entry.from}: ${unmarked(entry.text)}` : unmarked(entry.text);
};

const agentMessage = (text: string, calls: readonly ToolCall[]): AssistantModelMessage => ({
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: idOf(call.callId),
      toolName: call.name,
      input: call.arguments,
    })),
  ],
});

/** An error without content is refused by providers; an empty success says so. */
const outputOf = (result: ToolResult | undefined) => {
  if (result === undefined) {
    return { type: 'error-text' as const, value: 'No result of this call was recorded.' };
  }
  const text = unmarked(result.text);
  if (result.status === 'success') return { type: 'text' as const, value: text || '(nothing)' };
  return { type: 'error-text' as const, value: text || 'It failed and said nothing.' };
};

const resultsMessage = (
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): ToolModelMessage => ({
  role: 'tool',
  content: calls.map((call) => ({
    type: 'tool-result',
    toolCallId: idOf(call.callId),
    toolName: call.name,
    output: outputOf(results.find((result) => result.callId === call.callId)),
  })),
});

const spoken = (text: string): ModelMessage => ({ role: 'user', content: text });

/** Results that stand between this agent entry and the next one. */
const resultsAfter = (transcript: Transcript, index: number): readonly ToolResult[] => {
  const rest = transcript.slice(index + 1);
  const until = rest.findIndex((entry) => entry.role === 'agent');
  const between = until === -1 ? rest : rest.slice(0, until);
  return between.flatMap((entry) => (entry.role === 'results' ? entry.results : []));
};

/** Never empty; begins with a person's turn and ends with one or with tool results; turns alternate. */
export const messagesOf = (transcript: Transcript, rules: MessageRules): ModelMessage[] => {
  const froms = new Set(
    transcript.flatMap((entry) => (entry.role === 'person' ? [entry.from] : [])),
  );
  const messages: ModelMessage[] = [];
  let words: string[] = [];
  const speak = (): void => {
    const text = words.filter((one) => one.trim() !== '').join('\n\n');
    words = [];
    if (text === '') return;
    if (rules.resultsAlone && messages.at(-1)?.role === 'tool') {
      messages.push(agentMessage('I have the results.', []));
    }
    messages.push(spoken(text));
  };
  for (const [index, entry] of transcript.entries()) {
    if (entry.role === 'person' || entry.role === 'facts')
      words.push(wordsOf(entry, froms.size > 1));
    if (entry.role !== 'agent') continue;
    if (entry.text.trim() === '' && entry.calls.length === 0) continue;
    speak();
    if (messages.length === 0) messages.push(spoken('(The beginning is not shown.)'));
    if (messages.at(-1)?.role === 'assistant') messages.push(spoken('(Go on.)'));
    messages.push(agentMessage(entry.text.trim() === '' ? '' : entry.text, entry.calls));
    if (entry.calls.length > 0) {
      messages.push(resultsMessage(entry.calls, resultsAfter(transcript, index)));
    }
  }
  speak();
  const last = messages.at(-1)?.role;
  if (last === undefined || last === 'assistant') messages.push(spoken('(Go on.)'));
  return messages;
};
