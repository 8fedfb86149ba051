// Lambda response streaming as AWS's Node runtime has it: `awslambda.streamifyResponse` and `HttpResponseStream` on
// globalThis, and the wire form of a streamed answer (JSON prelude, eight zero bytes, body). Owns: that shim.
import { Writable } from 'node:stream';

const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
const preludeType = 'application/vnd.awslambda.http-integration-response';

/** What the gateway gives a streaming invocation to write to; each write is passed on at once. */
export interface StreamSink {
  /** Status and headers, before the first byte. Given once. */
  head(metadata: StreamMetadata): void;
  /** Calls `done` when more may be written. */
  write(chunk: Uint8Array, done: (cause?: Error | null) => void): void;
  end(): void;
}

export interface StreamMetadata {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
}

const bytesOf = (chunk: unknown): Uint8Array =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : chunk instanceof Uint8Array
      ? chunk
      : Buffer.from(JSON.stringify(chunk));

const metadataOf = (given: Readonly<Record<string, unknown>>): StreamMetadata => {
  const headers: Record<string, string> = {};
  if (typeof given.headers === 'object' && given.headers !== null)
    for (const [name, value] of Object.entries(given.headers)) headers[name] = String(value);
  return {
    statusCode: typeof given.statusCode === 'number' ? given.statusCode : 200,
    headers,
    cookies: Array.isArray(given.cookies) ? given.cookies.map(String) : [],
  };
};

/** The `responseStream` a streaming handler gets. */
export class ResponseStream extends Writable {
  readonly #sink: StreamSink;
  #metadata: StreamMetadata = {
    statusCode: 200,
    headers: { 'content-type': 'application/octet-stream' },
    cookies: [],
  };
  #headSent = false;

  constructor(sink: StreamSink) {
    super({ decodeStrings: true });
    this.#sink = sink;
  }

  setContentType(contentType: string): void {
    if (contentType === preludeType) return;
    this.#metadata = {
      ...this.#metadata,
      headers: { ...this.#metadata.headers, 'content-type': contentType },
    };
  }

  adopt(metadata: Readonly<Record<string, unknown>>): void {
    this.#metadata = metadataOf(metadata);
  }

  override _write(chunk: unknown, _encoding: string, done: (cause?: Error | null) => void): void {
    this.#sendHead();
    this.#sink.write(bytesOf(chunk), done);
  }

  override _final(done: (cause?: Error | null) => void): void {
    this.#sendHead();
    this.#sink.end();
    done();
  }

  #sendHead(): void {
    if (this.#headSent) return;
    this.#headSent = true;
    this.#sink.head(this.#metadata);
  }
}

const from = (stream: Writable, metadata: Readonly<Record<string, unknown>>): Writable => {
  if (!(stream instanceof ResponseStream))
    throw new TypeError(
      'HttpResponseStream.from takes the responseStream that the handler was given.',
    );
  stream.adopt(metadata);
  return stream;
};

const streamifyResponse = (handler: object): object =>
  Object.assign(handler, { [streaming]: 'response' });

/** Puts these on `globalThis.awslambda`, where libraries may have put their own stand-ins; a module may use them while it loads. */
export const installStreaming = (): void => {
  const there: unknown = Reflect.get(globalThis, 'awslambda');
  const known = typeof there === 'object' && there !== null ? there : {};
  Reflect.set(
    globalThis,
    'awslambda',
    Object.assign(known, { streamifyResponse, HttpResponseStream: { from } }),
  );
};

export const isStreaming = (handler: object): boolean =>
  Reflect.get(handler, streaming) === 'response';
