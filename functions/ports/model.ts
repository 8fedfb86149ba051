// The model port: one call to a language model, streamed, never retried in here.

import type { Unkept } from '../core/base/exact-json.ts';
import type { JsonObject } from '../core/base/json.ts';
import type { RetryAfter } from '../core/base/retry-after.ts';
import type { AnswerEnd } from '../core/records/run.ts';
import type { ModelChoice } from '../core/registry/agent.ts';
import type { Transcript } from '../core/turn/transcript.ts';

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly arguments: JsonObject;
}

export interface ModelRequest {
  readonly choice: ModelChoice;
  readonly options: JsonObject;
  readonly prompt: string;
  readonly transcript: Transcript;
  readonly tools: readonly ModelTool[];
  /** Called for each piece of text as it arrives; awaiting it applies back-pressure. */
  onText(piece: string): Promise<void>;
  readonly signal: AbortSignal;
}

export interface ModelUsage {
  /** The provider's own id of the call; usage is counted once per id. */
  readonly callId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  /**
   * Calls as the model wrote them; ids and arguments are not yet checked. `arguments` is what it sent, parsed if it was JSON;
   * `unkept` names what of it could not be kept exactly and stands there as a text.
   */
  readonly calls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly unkept?: readonly Unkept[];
    /** The limit cut it before it was whole. */
    readonly cut?: boolean;
  }[];
  /** How the answer ended: `whole`, cut at a limit of tokens, withheld by the provider, or with nothing said and nothing called. */
  readonly end: 'whole' | AnswerEnd;
  readonly usage: ModelUsage;
  readonly model: string;
}

/** `passing`: worth another try (throttled, overloaded, connection, 5xx). `final`: not (bad key, bad request, unknown model). */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed';
  readonly kind: 'passing' | 'final';
  /** Characters that came before it broke off; undefined when the provider had not begun to answer, so that nothing was used. */
  heard: number | undefined;
  /** When the provider says to come back. */
  readonly retryAfter: RetryAfter | undefined;
  constructor(
    kind: 'passing' | 'final',
    message: string,
    {
      heard,
      retryAfter,
      ...options
    }: { cause?: unknown; heard?: number; retryAfter?: RetryAfter } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.heard = heard;
    this.retryAfter = retryAfter;
  }
}

export interface Model {
  /** Resolves with the whole answer, or throws ModelFailed. Text already passed to `onText` may then be partial. */
  call(request: ModelRequest): Promise<ModelAnswer>;
}
