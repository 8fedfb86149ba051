// The events an API Gateway REST API hands to functions: proxy event and authoriser event (payload version 1.0).
// Owns: their shape.
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { TwinClock } from '../base/clock.ts';
import type { Place } from '../base/names.ts';
import type { GatewayRequest } from '../http/request.ts';
import type { RouteMatch } from './routing.ts';

export type AuthorizerContext = Readonly<Record<string, string | number | boolean>>;
type Event = APIGatewayProxyEvent;

interface Headers {
  readonly headers: Record<string, string>;
  readonly multiValueHeaders: Record<string, string[]>;
}

/** Values by name, whatever the name: `__proto__` is one like any other. */
const gathered = (pairs: Iterable<readonly [string, string]>): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
};

/** Of a repeated name the last value counts, as at API Gateway. */
const lastOf = (values: ReadonlyMap<string, readonly string[]>): Record<string, string> =>
  Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? '']));

/** Names as sent. */
const headersOf = ({ message: { rawHeaders } }: GatewayRequest): Headers => {
  const pairs = Array.from(
    { length: Math.floor(rawHeaders.length / 2) },
    (_, at) => [rawHeaders[2 * at] ?? '', rawHeaders[2 * at + 1] ?? ''] as const,
  );
  const all = gathered(pairs);
  return { headers: lastOf(all), multiValueHeaders: Object.fromEntries(all) };
};

const queryOf = ({ query }: GatewayRequest) => {
  if (query.size === 0)
    return { queryStringParameters: null, multiValueQueryStringParameters: null };
  const all = gathered(query);
  return {
    queryStringParameters: lastOf(all),
    multiValueQueryStringParameters: Object.fromEntries(all),
  };
};

export const apiId = 'twin';
export const stage = 'v1';

const identity = (request: GatewayRequest): Event['requestContext']['identity'] => ({
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  sourceIp: request.message.socket.remoteAddress ?? '127.0.0.1',
  user: null,
  userAgent: request.message.headers['user-agent'] ?? null,
  userArn: null,
});

const contextOf = (
  request: GatewayRequest,
  { route }: RouteMatch,
  clock: TwinClock,
  place: Place,
) => ({
  accountId: place.account,
  apiId,
  protocol: `HTTP/${request.message.httpVersion}`,
  httpMethod: request.method,
  path: request.path,
  stage,
  requestId: crypto.randomUUID(),
  requestTimeEpoch: clock.now(),
  requestTime: new Date(clock.now()).toUTCString(),
  resourceId: 'twin',
  resourcePath: route.path,
  domainName: request.message.headers.host ?? '',
  identity: identity(request),
});

const parametersOf = ({ parameters }: RouteMatch): Record<string, string> | null =>
  Object.keys(parameters).length === 0 ? null : { ...parameters };

export const proxyEvent = (
  request: GatewayRequest,
  match: RouteMatch,
  body: Buffer,
  authorizer: AuthorizerContext | null,
  { clock, place }: { readonly clock: TwinClock; readonly place: Place },
): Event => ({
  resource: match.route.path,
  path: request.path,
  httpMethod: request.method,
  ...headersOf(request),
  ...queryOf(request),
  pathParameters: parametersOf(match),
  stageVariables: null,
  requestContext: { ...contextOf(request, match, clock, place), authorizer },
  body: body.length === 0 ? null : body.toString('utf8'),
  isBase64Encoded: false,
});

export const methodArn = (request: GatewayRequest, { region, account }: Place): string =>
  `arn:aws:execute-api:${region}:${account}:${apiId}/${stage}/${request.method}${request.path}`;

export const authorizerEvent = (
  request: GatewayRequest,
  match: RouteMatch,
  world: { readonly clock: TwinClock; readonly place: Place },
): APIGatewayRequestAuthorizerEvent => ({
  type: 'REQUEST',
  methodArn: methodArn(request, world.place),
  resource: match.route.path,
  path: request.path,
  httpMethod: request.method,
  ...headersOf(request),
  ...queryOf(request),
  pathParameters: parametersOf(match),
  stageVariables: null,
  requestContext: { ...contextOf(request, match, world.clock, world.place), authorizer: undefined },
});
