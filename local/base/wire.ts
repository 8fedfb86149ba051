// What the twin's services say and hear: one request and one response, whichever way they travel (in-process or HTTP).
// Owns: the shapes, AWS's JSON error form, and the small readers every service needs.

export interface WireRequest {
  readonly method: string;
  /** Path without query, percent-encoded as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** One AWS service of the twin. Rejects only for a defect; errors of the service are responses. */
export type WireService = (request: WireRequest) => Promise<WireResponse>;

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An error as an AWS service answers it: `code` is AWS's exception name. */
export class AwsFault extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
  }

  /** As the SDK's exceptions name it. */
  get statusCode(): number {
    return this.status;
  }
}

const encoder = new TextEncoder();

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireResponse => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', ...headers },
  body: body === undefined ? new Uint8Array() : encoder.encode(JSON.stringify(body)),
});

export const faultResponse = (fault: AwsFault): WireResponse =>
  jsonResponse(
    fault.status,
    { __type: fault.code, message: fault.message, Message: fault.message },
    { 'x-amzn-errortype': fault.code },
  );

/** Whatever a service threw, as a fault: its own, or a 500 that names no internals but says what to look at. */
export const faultOf = (cause: unknown): AwsFault =>
  cause instanceof AwsFault
    ? cause
    : new AwsFault(
        'InternalServerError',
        `The twin could not serve this call: ${cause instanceof Error ? cause.message : String(cause)}. ` +
          'Nothing of it was stored. If the message names the disk or the database, check the data folder; then call again.',
        500,
      );

/** The body as a JSON object; an empty body is `{}`. Throws a SerializationException otherwise. */
export const jsonObjectOf = (body: Uint8Array): Record<string, unknown> => {
  if (body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : 'no JSON';
    throw new AwsFault('SerializationException', `The body is not valid JSON: ${detail}.`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new AwsFault('SerializationException', 'The body must be a JSON object.');
  return { ...parsed };
};

/** A service of the `X-Amz-Target: Prefix.Operation` protocol, from its operations as a function. */
export const targetService =
  (
    handle: (operation: string, body: Record<string, unknown>) => JsonAnswer | Promise<JsonAnswer>,
  ) =>
  async (request: WireRequest): Promise<WireResponse> => {
    try {
      const target = request.headers['x-amz-target'] ?? '';
      const { status, body } = await handle(
        target.slice(target.indexOf('.') + 1),
        jsonObjectOf(request.body),
      );
      return jsonResponse(status, body);
    } catch (cause) {
      return faultResponse(faultOf(cause));
    }
  };
