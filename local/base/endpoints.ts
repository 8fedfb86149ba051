// Services that are used from elsewhere: `AWS_ENDPOINT_URL_<SERVICE>` in the environment replaces the twin's own.
// Owns: the reading of those variables, and calls to such an endpoint in AWS's JSON protocol. Such endpoints are other
// local implementations: the calls carry a signature of nobody's key, which those accept.
import { z } from 'zod';
import type { AwsService } from '../../functions/wiring/substrate.ts';
import { AwsFault, type WireService } from './wire.ts';

const variables: { readonly [Service in AwsService]: readonly string[] } = {
  dynamodb: ['AWS_ENDPOINT_URL_DYNAMODB'],
  sfn: ['AWS_ENDPOINT_URL_SFN'],
  eventbridge: ['AWS_ENDPOINT_URL_EVENTBRIDGE', 'AWS_ENDPOINT_URL_EVENTS'],
  scheduler: ['AWS_ENDPOINT_URL_SCHEDULER'],
  lambda: ['AWS_ENDPOINT_URL_LAMBDA'],
  s3: ['AWS_ENDPOINT_URL_S3'],
  secretsmanager: ['AWS_ENDPOINT_URL_SECRETS_MANAGER'],
};

export type Endpoints = { readonly [Service in AwsService]?: string };

/** Throws Error naming a variable that holds no http(s) URL. */
export const endpointsFrom = (
  environment: Readonly<Record<string, string | undefined>>,
): Endpoints => {
  const found: { [Service in AwsService]?: string } = {};
  const services = Object.keys(variables).filter((name): name is AwsService => name in variables);
  for (const service of services) {
    const name = variables[service].find((variable) => (environment[variable] ?? '') !== '');
    if (name === undefined) continue;
    const value = environment[name] ?? '';
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
      throw new Error(`${name} is "${value}". It must be an http(s) URL; correct or unset it.`);
    found[service] = value.replace(/\/$/, '');
  }
  return found;
};

/** One operation of one AWS service; rejects with AwsFault when the service answers an error. */
export type AwsCall = (
  operation: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

const errorBody = z.looseObject({
  __type: z.string().optional(),
  message: z.string().optional(),
  Message: z.string().optional(),
});

/** A service's answer as a value or an AwsFault. */
export const outputOf = (status: number, body: unknown): Record<string, unknown> => {
  if (status === 200) return typeof body === 'object' && body !== null ? { ...body } : {};
  const { __type, message, Message } = errorBody.safeParse(body).data ?? {};
  const code = __type?.split('#').at(-1) ?? 'UnknownError';
  throw new AwsFault(code, message ?? Message ?? `The service answered ${status}.`, status);
};

const callMsMax = 30_000;

const signatureOf = (region: string, scope: string): string =>
  `AWS4-HMAC-SHA256 Credential=twin/20260101/${region}/${scope}/aws4_request, SignedHeaders=host, Signature=0`;

/** Calls of the service behind `endpoint`; `target` is the `X-Amz-Target` prefix, `scope` the signing name. */
export const remoteJsonCall =
  (endpoint: string, region: string, scope: string, target: string): AwsCall =>
  async (operation, body) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `${target}.${operation}`,
        authorization: signatureOf(region, scope),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(callMsMax),
    });
    const text = await response.text();
    return outputOf(response.status, text === '' ? {} : JSON.parse(text));
  };

/** A call of a REST service (Lambda, Scheduler); resolves with whatever it answered. */
export const remoteRest = async (
  endpoint: string,
  region: string,
  request: {
    readonly scope: string;
    readonly method: string;
    readonly path: string;
    readonly body?: string;
  },
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> => {
  const response = await fetch(`${endpoint}${request.path}`, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      authorization: signatureOf(region, request.scope),
    },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** A REST service behind an endpoint, as if it were one of the twin's. */
export const remoteService =
  (endpoint: string, region: string, scope: string): WireService =>
  async ({ method, path, query, body }) => {
    const withQuery = query.size === 0 ? path : `${path}?${query}`;
    const text = Buffer.from(body).toString('utf8');
    const request = { scope, method, path: withQuery, ...(text === '' ? {} : { body: text }) };
    const answer = await remoteRest(endpoint, region, request);
    return { status: answer.status, headers: {}, body: Buffer.from(answer.text) };
  };
