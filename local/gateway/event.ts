// The events an API Gateway REST API hands to functions: proxy event and authoriser event (payload version 1.0).
// Owns: their shape.
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { TwinClock } from '../clock.ts';
import type { Place } from '../names.ts';
import type { GatewayRequest } from './request.ts';
import type { RouteMatch } from './routing.ts';

export type AuthorizerContext = Readonly<Record<string, string | number | boolean>>;
type Event = APIGatewayProxyEvent;

interface Headers {
  readonly headers: Record<string, string>;
  readonly multiValueHeaders: Record<string, string[]>;
}

/** Names as sent; of a repeated header the last value counts, as at API Gateway. */
const headersOf = ({ message }: GatewayRequest): Headers => {
  const headers: Record<string, string> = {};
  const multiValueHeaders: Record<string, string[]> = {};
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    const name = message.rawHeaders[at] ?? '';
    const value = message.rawHeaders[at + 1] ?? '';
    headers[name] = value;
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
  }
  return { headers, multiValueHeaders };
};

const queryOf = ({ query }: GatewayRequest) => {
  if (query.size === 0)
    return { queryStringParameters: null, multiValueQueryStringParameters: null };
  const queryStringParameters: Record<string, string> = {};
  const multiValueQueryStringParameters: Record<string, string[]> = {};
  for (const [name, value] of query) {
    queryStringParameters[name] = value;
    multiValueQueryStringParameters[name] = [
      ...(multiValueQueryStringParameters[name] ?? []),
      value,
    ];
  }
  return { queryStringParameters, multiValueQueryStringParameters };
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
