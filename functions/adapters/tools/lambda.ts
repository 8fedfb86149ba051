// Carries a call to a Lambda function: its payload is the arguments, with the reference where the contract puts it.
// Owns: what an invocation is reported as. Laws: L1, L3 (one attempt of the SDK; the last check runs after signing).
//
// A function that answers is a reply of status 200 with its JSON. A function that threw is a reply of status 500 with the
// body { functionError, payload }: it ran, and what it did before it threw is not known. A refusal of the Lambda service
// itself is a reply with its status and the body { lambdaError: { name } }.
// Tested in test/functions/adapters/aws-tools.test.ts.
import {
  InvokeCommand,
  LambdaClient,
  type LambdaClientConfig,
  LambdaServiceException,
} from '@aws-sdk/client-lambda';
import { parseKept } from '../../core/base/exact-json.ts';
import type { Json } from '../../core/base/json.ts';
import type { LambdaTransport } from '../../core/registry/tool.ts';
import { ToolMisconfigured, type ToolReport, type ToolSend } from '../../ports/tool.ts';
import { type Carriage, deadlineOf, lastCheckOf, reportOf } from './carried.ts';
import { NotSent } from './connection.ts';
import { placeOf, withReference } from './reference-place.ts';

/** A client that never tries twice and keeps no connection. Give it the endpoint and transport of the world it is in. */
export const lambdaClientFrom = (config: LambdaClientConfig): LambdaClient =>
  new LambdaClient({
    requestHandler: { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } },
    ...config,
    maxAttempts: 1,
  });

/** Failures of the connection itself: not one byte of the request left. */
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const bodyOf = (payload: Uint8Array | undefined): Json | undefined => {
  const text = payload === undefined ? '' : new TextDecoder().decode(payload);
  if (text === '') return undefined;
  try {
    return parseKept(text);
  } catch {
    return text;
  }
};

const replyOf = (status: number, body: Json | undefined): ToolReport => ({
  kind: 'reply',
  reply: {
    status,
    headers: { 'content-type': 'application/json' },
    body,
    bytes: body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body)),
  },
});

/** Throws ToolMisconfigured when the reference cannot be put into the payload. */
export const sendLambda = async (
  carriage: Carriage,
  client: LambdaClient,
  transport: LambdaTransport,
  call: ToolSend,
): Promise<ToolReport> => {
  const deadline = deadlineOf(carriage, call);
  const place = placeOf(call.registration.contract);
  if (place !== undefined && place.in !== 'body') {
    throw new ToolMisconfigured('A Lambda function takes the reference in its payload only.');
  }
  const payload = withReference(call.arguments, call.registration.contract, call);
  const check = lastCheckOf(carriage, call);
  let sent = false;
  const command = new InvokeCommand({
    FunctionName: transport.functionArn,
    InvocationType: 'RequestResponse',
    Payload: new TextEncoder().encode(JSON.stringify(payload)),
  });
  // Innermost: nothing stands between this and the request handler.
  command.middlewareStack.add(
    (next) => async (args) => {
      if (sent) throw new NotSent('An invocation is sent once.');
      check();
      sent = true;
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'lastCheck' },
  );
  try {
    const answer = await client.send(command, { abortSignal: deadline });
    const body = bodyOf(answer.Payload);
    if (answer.FunctionError === undefined) return replyOf(answer.StatusCode ?? 200, body);
    return replyOf(500, { functionError: answer.FunctionError, payload: body ?? null });
  } catch (error) {
    const status =
      error instanceof LambdaServiceException ? error.$metadata.httpStatusCode : undefined;
    if (sent && error instanceof LambdaServiceException && status !== undefined && status >= 400) {
      return replyOf(status, { lambdaError: { name: error.name } });
    }
    return reportOf({ error, sent: sent && !notConnected.has(codeOf(error)), deadline });
  }
};
