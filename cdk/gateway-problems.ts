// What API Gateway answers by itself, as problems (RFC 9457): the API's own where it has them, others as about:blank.
// Owns: which of the gateway's answers says what.
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type Problem, problem, problemAnswer } from '../functions/api/problems/problems.ts';

/** API Gateway takes no larger body. */
const bodyBytesMax = 10 * 1024 * 1024;

const apiProblems: readonly (readonly [ResponseType, Problem])[] = [
  [ResponseType.UNAUTHORIZED, problem('unauthenticated', {})],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, problem('not-found', {})], // AWS's name for "no such route".
  [ResponseType.REQUEST_TOO_LARGE, problem('body-too-large', { bytesMax: bodyBytesMax })],
  [ResponseType.AUTHORIZER_FAILURE, problem('internal', {})],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, problem('internal', {})],
  [ResponseType.API_CONFIGURATION_ERROR, problem('internal', {})], // Also an answer of another form than a proxy's.
  [ResponseType.RESOURCE_NOT_FOUND, problem('not-found', {})],
];

const gatewayProblems: readonly (readonly [ResponseType, number, string])[] = [
  [ResponseType.ACCESS_DENIED, 403, 'The token does not allow this.'],
  [ResponseType.WAF_FILTERED, 403, 'The request was blocked by the firewall.'],
  [ResponseType.THROTTLED, 429, 'Too many requests: wait a moment and repeat.'],
  [
    ResponseType.INTEGRATION_FAILURE,
    502,
    'The function failed or had no room; look before you repeat.',
  ],
  [ResponseType.INTEGRATION_TIMEOUT, 504, 'No answer in time; look before you repeat.'],
];

// The gateway fills in the path of the request.
const instance = '$context.path';

/** Replaces the gateway's own error bodies. */
export const addGatewayProblems = (api: RestApi): void => {
  for (const [type, of] of apiProblems) {
    const { status, headers, body } = problemAnswer(of, 'en', instance);
    add(api, type, status, headers, body);
  }
  for (const [type, status, title] of gatewayProblems)
    add(
      api,
      type,
      status,
      { 'content-type': 'application/problem+json' },
      { type: 'about:blank', title, status, detail: title, instance },
    );
};

const add = (
  api: RestApi,
  type: ResponseType,
  status: number,
  headers: { readonly [name: string]: string },
  body: object,
): void => {
  api.addGatewayResponse(type.responseType, {
    type,
    statusCode: String(status),
    responseHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, `'${value}'`]),
    ),
    templates: { 'application/json': JSON.stringify(body) },
  });
};
