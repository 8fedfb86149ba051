// Functions that are not the twin's own, invoked at `AWS_ENDPOINT_URL_LAMBDA`. Owns: the reading of Lambda's answer.
import { remoteRest } from '../base/endpoints.ts';
import type { Place } from '../base/names.ts';
import { AwsFault } from '../base/wire.ts';
import type { InvocationAnswer } from './invocation.ts';

const messageOf = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return text;
    return String(Reflect.get(body, 'Message') ?? Reflect.get(body, 'message') ?? text);
  } catch {
    return text;
  }
};

/** Rejects with AwsFault when that Lambda refuses the invocation. */
export const forwardTo =
  (endpoint: string, { region }: Place) =>
  async (reference: string, payload: string): Promise<InvocationAnswer> => {
    const { status, headers, text } = await remoteRest(endpoint, region, {
      scope: 'lambda',
      method: 'POST',
      path: `/2015-03-31/functions/${encodeURIComponent(reference)}/invocations`,
      body: payload,
    });
    if (status !== 200)
      throw new AwsFault(
        headers.get('x-amzn-errortype')?.split(':')[0] ?? 'ServiceException',
        messageOf(text),
        status,
      );
    return {
      statusCode: 200,
      requestId: headers.get('x-amzn-requestid') ?? crypto.randomUUID(),
      ...(headers.has('x-amz-function-error') ? { functionError: 'Unhandled' as const } : {}),
      payload: text,
    };
  };
