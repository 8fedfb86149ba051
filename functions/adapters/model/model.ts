// The model port over the AI SDK: one model step, streamed, never retried in here, tools never executed in here.
// Owns: how a stream becomes an answer. Laws: L18 (a model may repeat the key it was asked with; it is blotted out).
// Tested in test/functions/adapters/model.test.ts.
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

/** What came of a call's arguments, by the provider's id of the call. */
type Begun = Map<string, { readonly name: string; text: string }>;

interface Gathered {
  text: string;
  readonly calls: (ModelAnswer['calls'][number] & { readonly id: string })[];
  readonly begun: Begun;
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
  heard(text: string): void;
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
  const { pieces, blot, heard } = clean;
  const gathered: Gathered = { text: '', calls: [], begun: new Map(), finish: undefined };
  const tell = async (text: string): Promise<void> => {
    if (text === '') return;
    gathered.text += text;
    await request.onText(text).catch((cause: unknown) => {
      throw new TextRefused('The text was not taken.', { cause });
    });
  };
  for await (const part of stream) {
    if ('text' in part && typeof part.text === 'string') heard(part.text);
    if (part.type === 'tool-input-delta') heard(part.delta);
    switch (part.type) {
      case 'text-delta':
        await tell(pieces.next(part.text));
        break;
      case 'tool-call':
        gathered.calls.push({
          id: part.toolCallId,
          name: blot(part.toolName),
          ...argumentsOf(part, clean),
        });
        break;
      case 'tool-input-start':
        gathered.begun.set(part.id, { name: blot(part.toolName), text: '' });
        break;
      case 'tool-input-delta': {
        const call = gathered.begun.get(part.id);
        if (call) call.text += part.delta;
        break;
      }
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

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls of an answer that reached its limit: those that are no whole object, and those that never became one, are cut. */
const withCuts = ({ calls, begun }: Gathered): ModelAnswer['calls'] => {
  const seen = new Set(calls.map(({ id }) => id));
  return [
    ...calls.map(({ id, ...call }) => {
      // Nothing of its arguments came: the SDK reads that as an empty object.
      const bare = begun.get(id)?.text.trim() === '';
      return bare || !isObject(call.arguments) ? { ...call, cut: true } : call;
    }),
    ...[...begun].flatMap(([id, { name }]) =>
      seen.has(id) ? [] : [{ name, arguments: {}, cut: true }],
    ),
  ];
};

const endOf = ({ text, calls, finish }: Gathered): ModelAnswer['end'] => {
  if (finish?.finishReason === 'length') return 'cut_off';
  if (finish?.finishReason === 'content-filter') return 'withheld';
  return text.trim() === '' && calls.length === 0 ? 'no_answer' : 'whole';
};

const answerOf = (gathered: Gathered, newCallId: () => string): ModelAnswer => {
  const { text, finish } = gathered;
  if (finish === undefined || finish.rawFinishReason === undefined) {
    throw new ModelFailed('passing', 'The model’s answer broke off before its end.');
  }
  const { response, usage } = finish;
  return {
    text,
    calls:
      finish.finishReason === 'length'
        ? withCuts(gathered)
        : gathered.calls.map(({ id: _id, ...call }) => call),
    end: endOf(gathered),
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
    // Characters of whatever came, also of what is no part of the answer; undefined until the provider begins to answer.
    let heard: number | undefined;
    const listening: typeof globalThis.fetch = async (input, init) => {
      const response = await gated(input, init);
      if (response.ok) heard ??= 0;
      return response;
    };
    const prepared = await prepare(choice, { ...options, fetch: listening });
    const key = new Map(prepared.key === undefined ? [] : [['model key', prepared.key]]);
    const blot = blotOf(key);
    const inputs = writtenInputs();
    const leaving = new AbortController();
    const signal = AbortSignal.any([request.signal, leaving.signal]);
    const told = (error: unknown): ModelFailed => {
      const cut = new ModelFailed('passing', 'The model call was cut short.');
      const aborted = request.signal.aborted ? cut : failureOf(provider, error, blot);
      const failed = error instanceof ModelFailed ? error : aborted;
      // Broken off from here before it began to answer: it had the question all the same.
      failed.heard = heard ?? (request.signal.aborted ? 0 : undefined);
      return failed;
    };
    try {
      const stream = await streamOf({ ...prepared, request, provider, signal, inputs });
      const gathered = await gather(stream, request, {
        pieces: blotPieces(key),
        blot,
        inputs,
        heard: (text) => {
          heard = (heard ?? 0) + text.length;
        },
      });
      return answerOf({ ...gathered, text: blot(gathered.text) }, newCallId);
    } catch (error) {
      if (error instanceof TextRefused) throw error.cause;
      throw told(error);
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
