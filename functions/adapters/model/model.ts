// The model port over the AI SDK: one model step, streamed, never retried in here, tools never executed in here.
// Owns: how a stream becomes an answer. Laws: L18 (a model may repeat the key it was asked with; it is blotted out).
import type { TextStreamPart, ToolSet } from 'ai';
import { parseExact, type Unkept } from '../../core/base/exact-json.ts';
import { Json } from '../../core/base/json.ts';
import {
  type Model,
  type ModelAnswer,
  ModelFailed,
  type ModelRequest,
  type ModelTool,
} from '../../ports/model.ts';
import { type Blot, type BlottedPieces, blotJson, blotOf, blotPieces } from '../secrets/blot.ts';
import { failureOf, type Provider } from './failures.ts';
import { messagesOf } from './messages.ts';
import { optionsOf } from './options.ts';
import { type Prepared, type ProviderOptions, prepare, type RealChoice } from './providers.ts';
import type { Script } from './script.ts';
import { scriptedModel } from './scripted.ts';
import { type WrittenInputs, writtenInputs } from './written-inputs.ts';

export interface ModelOptions extends Omit<ProviderOptions, 'fetch'> {
  readonly fetch?: typeof globalThis.fetch;
  /** What the provider `scripted` can say. */
  readonly scripts?: { readonly [name: string]: Script };
  /** Makes an id for a call to which the provider gave none. */
  readonly newCallId: () => string;
  readonly pause?: (ms: number) => Promise<void>;
  /** False once the invocation this model works for has ended: the provider is not called any more. */
  readonly open?: () => boolean;
}

/** Ids that the SDK makes up when the provider gives none. */
const madeUpId = /^aitxt-/;

interface Gathered {
  text: string;
  readonly calls: ModelAnswer['calls'][number][];
  finish: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }> | undefined;
}

/** What `onText` threw: the caller's own error, handed back as it is. */
class TextRefused extends Error {}

type Job = Prepared & {
  readonly request: ModelRequest;
  readonly provider: Provider;
  readonly signal: AbortSignal;
  readonly inputs: WrittenInputs;
};

/** Loaded at the first real call, so that the scripted model does not pay for it. */
const sdk = async () => {
  // It would write warnings about settings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return import('ai');
};

const toolsOf = async (tools: readonly ModelTool[]): Promise<ToolSet> => {
  const { jsonSchema, tool } = await sdk();
  return Object.fromEntries(
    tools.map(({ name, description, arguments: schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(structuredClone(schema)) }),
    ]),
  );
};

const streamOf = async ({ model, optionsKey, request, provider, signal, inputs }: Job) => {
  const { streamText, wrapLanguageModel } = await sdk();
  const { settings, own } = optionsOf(request.options);
  return streamText({
    model: wrapLanguageModel({ model, middleware: inputs.middleware }),
    instructions: request.prompt,
    messages: messagesOf(request.transcript, { resultsAlone: provider === 'bedrock' }),
    tools: await toolsOf(request.tools),
    maxRetries: 0,
    abortSignal: signal,
    // The default writes the error, with the request in it, to the console.
    onError: () => undefined,
    ...settings,
    ...(Object.keys(own).length === 0 ? {} : { providerOptions: { [optionsKey]: own } }),
  }).stream;
};

/** What takes the key out of an answer. */
interface Clean {
  readonly pieces: BlottedPieces;
  readonly blot: Blot;
  readonly inputs: WrittenInputs;
}

const cleaned = (input: unknown, blot: Blot): unknown => {
  const read = Json.safeParse(input);
  return read.success ? blotJson(read.data, blot) : input;
};

/** What the model wrote, with what of it cannot be kept; as the SDK reads it where it is no JSON. */
const argumentsOf = (
  part: { readonly toolCallId: string; readonly input: unknown },
  { blot, inputs }: Clean,
): { readonly arguments: unknown; readonly unkept?: readonly Unkept[] } => {
  const text = inputs.take(part.toolCallId);
  if (text === undefined || text.trim() === '') return { arguments: cleaned(part.input, blot) };
  try {
    const { value, unkept } = parseExact(text);
    const told = unkept.map((one) => ({ ...one, path: blot(one.path), text: blot(one.text) }));
    const clean = { arguments: blotJson(value, blot) };
    return told.length === 0 ? clean : { ...clean, unkept: told };
  } catch {
    return { arguments: cleaned(part.input, blot) };
  }
};

const gather = async (
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  request: ModelRequest,
  clean: Clean,
): Promise<Gathered> => {
  const { pieces, blot } = clean;
  const gathered: Gathered = { text: '', calls: [], finish: undefined };
  const tell = async (text: string): Promise<void> => {
    if (text === '') return;
    gathered.text += text;
    await request.onText(text).catch((cause: unknown) => {
      throw new TextRefused('The text was not taken.', { cause });
    });
  };
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        await tell(pieces.next(part.text));
        break;
      case 'tool-call':
        gathered.calls.push({ name: blot(part.toolName), ...argumentsOf(part, clean) });
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new ModelFailed('passing', 'The model call was cut short.');
      case 'finish-step':
        gathered.finish = part;
        break;
      default:
        // Reasoning, sources and bookkeeping: not part of the answer.
        break;
    }
  }
  await tell(pieces.rest());
  return gathered;
};

const answerOf = ({ text, calls, finish }: Gathered, newCallId: () => string): ModelAnswer => {
  if (finish === undefined || finish.rawFinishReason === undefined) {
    throw new ModelFailed('passing', 'The model’s answer broke off before its end.');
  }
  if (finish.finishReason === 'content-filter' && calls.length === 0 && text === '') {
    throw new ModelFailed('final', 'The provider’s content filter withheld the answer.');
  }
  const { response, usage } = finish;
  return {
    text,
    calls,
    usage: {
      callId: response.id === '' || madeUpId.test(response.id) ? newCallId() : response.id,
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      cachedInputTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
    },
    model: response.modelId,
  };
};

/**
 * `scripted` needs `scripts`; the others their key under the choice's secret name (Bedrock: AWS credentials).
 * `call` throws ModelFailed, or what `onText` threw.
 */
export const modelFrom = (options: ModelOptions): Model => {
  const { open = () => true, fetch = globalThis.fetch, newCallId, scripts = {}, pause } = options;
  const gated: typeof globalThis.fetch = (input, init) => {
    if (!open()) throw new ModelFailed('passing', 'The invocation has ended.');
    // A redirect could carry the key to another host.
    return fetch(input, { ...init, redirect: 'error' });
  };
  const scripted = scriptedModel({
    scripts,
    newCallId,
    ...(pause === undefined ? {} : { pause }),
  });
  const callReal = async (choice: RealChoice, request: ModelRequest): Promise<ModelAnswer> => {
    const { provider } = choice;
    const prepared = await prepare(choice, { ...options, fetch: gated });
    const key = new Map(prepared.key === undefined ? [] : [['model key', prepared.key]]);
    const blot = blotOf(key);
    const inputs = writtenInputs();
    const leaving = new AbortController();
    const signal = AbortSignal.any([request.signal, leaving.signal]);
    try {
      const stream = await streamOf({ ...prepared, request, provider, signal, inputs });
      const gathered = await gather(stream, request, { pieces: blotPieces(key), blot, inputs });
      return answerOf({ ...gathered, text: blot(gathered.text) }, newCallId);
    } catch (error) {
      if (error instanceof TextRefused) throw error.cause;
      if (error instanceof ModelFailed) throw error;
      if (request.signal.aborted) throw new ModelFailed('passing', 'The model call was cut short.');
      throw failureOf(provider, error, blot);
    } finally {
      leaving.abort();
    }
  };
  return {
    call: (request) => {
      const { choice } = request;
      return choice.provider === 'scripted' ? scripted.call(request) : callReal(choice, request);
    },
  };
};
