// Lambda's Invoke over the wire: `POST /2015-03-31/functions/{name}/invocations`. Owns: that path and its headers.
import type { Deliveries } from '../base/deliveries.ts';
import { functionArn, functionNameOf, type Place } from '../base/names.ts';
import {
  AwsFault,
  faultOf,
  faultResponse,
  type WireRequest,
  type WireResponse,
} from '../base/wire.ts';
import type { InvocationAnswer } from './invocation.ts';
import type { LambdaRuntime } from './runtime.ts';

const invocations = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const asyncBytesMax = 1_048_576;
const sixHoursMs = 6 * 3_600_000;

const responseOf = (answer: InvocationAnswer): WireResponse => ({
  status: answer.statusCode,
  headers: {
    'content-type': 'application/json',
    'x-amzn-requestid': answer.requestId,
    'x-amz-executed-version': '$LATEST',
    ...(answer.functionError === undefined ? {} : { 'x-amz-function-error': answer.functionError }),
  },
  body: Buffer.from(answer.payload),
});

const emptyAnswer = (statusCode: 202 | 204): InvocationAnswer => ({
  statusCode,
  requestId: crypto.randomUUID(),
  payload: '',
});

const invoke = async (
  { runtime, deliveries, place }: LambdaServiceParts,
  request: WireRequest,
): Promise<WireResponse> => {
  const named = invocations.exec(request.path);
  if (request.method !== 'POST' || named === null)
    throw new AwsFault(
      'UnknownOperationException',
      `The twin's Lambda answers Invoke only; ${request.method} ${request.path} is something else.`,
      404,
    );
  const reference = decodeURIComponent(named[1] ?? '');
  const payload = Buffer.from(request.body).toString('utf8');
  const kind = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (kind === 'RequestResponse') return responseOf(await runtime.invoke(reference, payload));
  if (!runtime.owns(reference))
    throw new AwsFault('ResourceNotFoundException', `Function not found: ${reference}`, 404);
  if (kind === 'DryRun') return responseOf(emptyAnswer(204));
  if (kind !== 'Event')
    throw new AwsFault('InvalidParameterValueException', `Unknown invocation type ${kind}.`);
  if (payload.length > asyncBytesMax)
    throw new AwsFault('RequestTooLargeException', 'An asynchronous payload may hold 1 MB.', 413);
  const target = functionArn(place, functionNameOf(reference, place).name);
  deliveries.add({ target, input: payload || '{}', attemptsMax: 3, ageMsMax: sixHoursMs });
  deliveries.wake();
  return responseOf(emptyAnswer(202));
};

export interface LambdaServiceParts {
  readonly runtime: LambdaRuntime;
  readonly deliveries: Deliveries;
  readonly place: Place;
}

export const lambdaService =
  (parts: LambdaServiceParts) =>
  async (request: WireRequest): Promise<WireResponse> => {
    try {
      return await invoke(parts, request);
    } catch (cause) {
      return faultResponse(faultOf(cause));
    }
  };
