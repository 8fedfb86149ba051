// How an AWS SDK client reaches the twin without a socket: a smithy `requestHandler` that calls the service directly.
// Owns: the hand-over of requests and responses, and the refusal of calls from invocations that are over (L3).
// Signing is left out, since nobody checks it here; it would be two thirds of a call's cost.
import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AwsService, AwsTransport } from '../../functions/wiring/substrate.ts';
import type { WireRequest, WireService } from '../base/wire.ts';
import { requireOpenScope } from '../lambda/scope.ts';

/** What the SDK hands to a request handler. */
export interface SmithyRequest {
  readonly method: string;
  readonly hostname: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const unsigned = {
  schemeId: 'aws.auth#sigv4',
  identityProvider: () => async () => ({ accessKeyId: 'twin', secretAccessKey: 'twin' }),
  signer: { sign: async <Request>(request: Request): Promise<Request> => request },
};

const localCredentials = { accessKeyId: 'twin', secretAccessKey: 'twin' } as const;

const queryOf = (query: SmithyRequest['query']): URLSearchParams => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of [value ?? ''].flat()) params.append(name, each);
  return params;
};

const noQuery = new URLSearchParams();

const bytesOf = async (body: unknown): Promise<Uint8Array> => {
  if (body === undefined || body === null) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Readable) return Buffer.concat(await body.toArray());
  throw new Error('The in-process transport takes bodies as text, bytes or Node streams.');
};

const lowerCased = (headers: SmithyRequest['headers']): Record<string, string> => {
  const lower: Record<string, string> = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name] ?? '';
  return lower;
};

/** The request handler that answers every call from `service`; `streamed` for S3, whose bodies are streams. */
export const inProcessHandler = (service: WireService, streamed = false) => ({
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async (request: SmithyRequest) => {
    requireOpenScope();
    const wire: WireRequest = {
      method: request.method,
      path: request.path,
      query: request.query === undefined ? noQuery : queryOf(request.query),
      headers: lowerCased(request.headers),
      body: request.body instanceof Uint8Array ? request.body : await bytesOf(request.body),
    };
    const { status, headers, body } = await service(wire);
    // A call that was under way when its invocation ended was made, but its answer reaches nobody.
    requireOpenScope();
    return {
      response: { statusCode: status, headers, body: streamed ? Readable.from([body]) : body },
    };
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
  destroy: () => undefined,
});

/** The client settings for one service: in-process, or an endpoint of its own. */
export const transportFor = (
  name: AwsService,
  region: string,
  answeredBy: { readonly endpoint: string } | { readonly service: WireService },
): AwsTransport =>
  'endpoint' in answeredBy
    ? overEndpoint(name, region, answeredBy.endpoint)
    : inProcess(name, region, answeredBy.service);

const inProcess = (name: AwsService, region: string, service: WireService): AwsTransport => {
  const settings = {
    region,
    credentials: localCredentials,
    requestHandler: inProcessHandler(service, name === 's3'),
    // Never contacted; keeps bucket names in the path.
    endpoint: 'http://127.0.0.1',
    httpAuthSchemes: [unsigned],
    ...(name === 's3' ? { forcePathStyle: true } : {}),
    ...(name === 'dynamodb' ? { cacheMiddleware: true } : {}),
  };
  return settings;
};

/** The SDK's own HTTP handler, refusing like the in-process one. */
const overHttp = (region: string) => {
  const { requestHandler } = new DynamoDBClient({ region }).config;
  const handle: typeof requestHandler.handle = async (request, options) => {
    requireOpenScope();
    const answer = await requestHandler.handle(request, options);
    requireOpenScope();
    return answer;
  };
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle,
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => requestHandler.destroy?.(),
  };
};

/** Credentials of the environment win, so that an endpoint that checks signatures works. */
const overEndpoint = (name: AwsService, region: string, endpoint: string): AwsTransport => {
  const settings = {
    endpoint,
    region,
    requestHandler: overHttp(region),
    ...(process.env.AWS_ACCESS_KEY_ID === undefined ? { credentials: localCredentials } : {}),
    ...(name === 's3' ? { forcePathStyle: true } : {}),
  };
  return settings;
};
