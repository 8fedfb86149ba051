// What the gateway itself answers, without asking a function: the API's own problems where it has them, API Gateway's
// others as problems of type about:blank. Owns: which one when, and the writing of a whole answer.
import type { ServerResponse } from 'node:http';
import { languageOf } from '../../functions/api/problems/language.ts';
import { type Problem, problem, problemAnswer } from '../../functions/api/problems/problems.ts';

/** The API takes this many bytes in a body (API Gateway's limit). */
export const apiBodyBytesMax = 10 * 1024 * 1024;

const apiProblems = {
  unauthenticated: problem('unauthenticated', {}),
  'not-found': problem('not-found', {}),
  'too-large': problem('body-too-large', { bytesMax: apiBodyBytesMax }),
  'internal-error': problem('internal', {}),
} as const satisfies Record<string, Problem>;

const gatewayProblems = {
  'bad-request': [400, 'The path or a header is malformed. Correct it and send it again.'],
  forbidden: [403, 'The token does not allow this.'],
  'foreign-host': [403, 'The twin answers only to its own pages, at localhost or 127.0.0.1.'],
  'not-ready': [503, 'The twin is starting or closing. Try again in a moment.'],
  'bad-function-answer': [502, 'The function failed; look before you repeat.'],
  throttled: [429, 'Too many requests: wait a moment and repeat.'],
  timeout: [504, 'No answer in time; look before you repeat.'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type GatewayAnswerName = keyof typeof apiProblems | keyof typeof gatewayProblems;

/** The answer was decided by the gateway; thrown to leave whatever was being done. */
export class GatewayRefusal extends Error {
  readonly answer: GatewayAnswerName;

  constructor(answer: GatewayAnswerName) {
    super(`The gateway answered: ${answer}.`);
    this.name = 'GatewayRefusal';
    this.answer = answer;
  }
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

export const sendWhole = (
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: Uint8Array | string,
): void => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const each = Object.entries(headers);
  response.writeHead(status, {
    'x-content-type-options': 'nosniff',
    ...Object.fromEntries(
      each.map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    ),
    'content-length': String(Buffer.byteLength(body)),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
};

const isApiProblem = (name: GatewayAnswerName): name is keyof typeof apiProblems =>
  Object.hasOwn(apiProblems, name);

const problemOf = (name: GatewayAnswerName, response: ServerResponse) => {
  const { headers, url = '/' } = response.req;
  const instance = url.split('?')[0] ?? '/';
  if (isApiProblem(name))
    return problemAnswer(apiProblems[name], languageOf(headers['accept-language']), instance);
  const [status, title] = gatewayProblems[name];
  const type = { 'content-type': 'application/problem+json' };
  return { status, headers: type, body: { type: 'about:blank', title, status, instance } };
};

export const sendAnswer = (response: ServerResponse, name: GatewayAnswerName): void => {
  const { status, headers, body } = problemOf(name, response);
  sendWhole(
    response,
    status,
    {
      ...headers,
      ...(status === 503 || status === 429 ? { 'retry-after': '1' } : {}),
      // What is left of the body is not read, so the connection cannot serve another request.
      ...(response.req.complete ? {} : { connection: 'close' }),
    },
    JSON.stringify(body),
  );
};
