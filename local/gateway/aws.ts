// The AWS protocols on the gateway's port: which service a signed request is for. Any signature is accepted, but there
// must be one: a page in a browser cannot send it without asking first (and is refused anyway). Owns: that choice.
import type { ServerResponse } from 'node:http';
import type { AwsService } from '../../functions/wiring/substrate.ts';
import {
  AwsFault,
  faultOf,
  faultResponse,
  type WireRequest,
  type WireService,
} from '../base/wire.ts';
import { GatewayRefusal, sendAnswer, sendWhole } from '../http/answers.ts';
import { type GatewayRequest, isCrossOrigin, readBody } from '../http/request.ts';

/** Each service, or the endpoint from which it is used instead. */
export type WireServices = {
  readonly [Service in AwsService]: WireService | { readonly endpoint: string };
};

const bodyBytesMax = 64 * 1024 * 1024;
const targets: Readonly<Record<string, AwsService>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'dynamodb',
  AWSStepFunctions: 'sfn',
  AWSEvents: 'eventbridge',
  secretsmanager: 'secretsmanager',
};

const signature = /^AWS4-(?:HMAC-SHA256|ECDSA-P256-SHA256) /;

/** Whether the request speaks an AWS protocol. */
export const isAwsRequest = ({ message }: GatewayRequest): boolean =>
  signature.test(message.headers.authorization ?? '') || 'x-amz-target' in message.headers;

const serviceOf = ({ message, path }: GatewayRequest): AwsService | undefined => {
  const target = message.headers['x-amz-target'];
  if (typeof target === 'string') {
    const prefix = target.split('.')[0] ?? '';
    return Object.hasOwn(targets, prefix) ? targets[prefix] : undefined;
  }
  const scope = /Credential=[^/]*\/\d+\/[^/]*\/([^/]+)\//.exec(message.headers.authorization ?? '');
  if (scope?.[1] === 's3') return 's3';
  if (path.startsWith('/2015-03-31/')) return 'lambda';
  if (/^\/schedules?(?:-groups)?(?:\/|$)/.test(path)) return 'scheduler';
  return undefined;
};

/** `bucket.localhost` is the virtual-host form; the services know only paths. */
const pathOf = (service: AwsService, { message, path }: GatewayRequest): string => {
  const bucket = /^(.+)\.localhost(?::\d+)?$/.exec(message.headers.host ?? '')?.[1];
  return service === 's3' && bucket !== undefined ? `/${bucket}${path}` : path;
};

const answer = async (
  services: WireServices,
  request: GatewayRequest,
): Promise<Awaited<ReturnType<WireService>>> => {
  const { message } = request;
  if (!signature.test(message.headers.authorization ?? ''))
    throw new AwsFault('MissingAuthenticationTokenException', 'Missing Authentication Token', 403);
  const name = serviceOf(request);
  if (name === undefined)
    throw new AwsFault('UnknownOperationException', 'The twin has no such service or operation.');
  const service = services[name];
  if (typeof service !== 'function')
    throw new AwsFault(
      'ServiceUnavailableException',
      `The twin uses ${name} from ${service.endpoint} and serves none itself. Call it there.`,
      503,
    );
  const headers: Record<string, string | undefined> = {};
  for (const [key, value] of Object.entries(message.headers))
    headers[key] = Array.isArray(value) ? value.join(',') : value;
  const wire: WireRequest = {
    method: request.method,
    path: pathOf(name, request),
    query: request.query,
    headers,
    body: await readBody(message, bodyBytesMax),
  };
  return service(wire);
};

/** Serves one AWS request; never rejects. */
export const serveAws = async (
  services: WireServices,
  request: GatewayRequest,
  response: ServerResponse,
): Promise<void> => {
  if (isCrossOrigin(request.message)) return sendAnswer(response, 'foreign-host');
  const { status, headers, body } = await answer(services, request).catch((cause: unknown) => {
    if (cause instanceof GatewayRefusal)
      return faultResponse(new AwsFault('RequestEntityTooLargeException', cause.message, 413));
    return faultResponse(faultOf(cause));
  });
  const requestId = headers['x-amzn-requestid'] ?? crypto.randomUUID();
  if (request.method === 'HEAD' && headers['content-length'] !== undefined) {
    response.writeHead(status, { ...headers, 'x-amzn-requestid': requestId });
    response.end();
    return;
  }
  sendWhole(response, status, { ...headers, 'x-amzn-requestid': requestId }, body);
};
