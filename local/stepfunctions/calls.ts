// Makes the calls of Task states and gives their answers the shape in which the service passes them to the machine.
// Owns: error names and causes of the integrations, SdkHttpMetadata.
import { randomUUID } from 'node:crypto';
import type { TaskResource } from './asl/types.ts';
import { Fault } from './faults.ts';
import { clean, isObject, type Json } from './json.ts';
import type { CallOutcome } from './run/task.ts';

export interface LambdaRequest {
  /** A name, partial ARN or ARN, with or without qualifier. */
  readonly functionName: string;
  readonly payload: unknown;
  readonly invocationType: 'RequestResponse' | 'Event';
  readonly signal: AbortSignal;
}

export interface LambdaAnswer {
  readonly statusCode: number;
  readonly executedVersion: string;
  /** Set when the function threw: `Unhandled`. */
  readonly functionError?: string;
  readonly payload: unknown;
  readonly requestId: string;
}

export interface CallPorts {
  /** Lambda's Invoke. Throws an error named as AWS's exception (`ResourceNotFoundException`), with `statusCode`. */
  invokeLambda(request: LambdaRequest): Promise<LambdaAnswer>;
  /** A DynamoDB call by its SDK action (`updateItem`); throws like the SDK. */
  callDynamoDb(
    action: string,
    parameters: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** StartExecution of this twin; throws Fault. */
  startExecution(
    parameters: Record<string, unknown>,
  ): Promise<{ readonly executionArn: string; readonly startMs: number }>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

const success = (output: Json): CallOutcome => ({ kind: 'success', output });

const failure = (error: string, cause: string): CallOutcome => ({
  kind: 'failure',
  failure: { error, cause },
});

const bytesOf = (value: unknown): string => String(Buffer.byteLength(JSON.stringify(value) ?? ''));

/** The HTTP side of an answer, as the optimised integrations add it. */
const metadata = (requestId: string, headers: Readonly<Record<string, string>>): JsonPart => ({
  SdkHttpMetadata: {
    AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([key, one]) => [key, [one]])),
    HttpHeaders: headers,
    HttpStatusCode: 200,
  },
  SdkResponseMetadata: { RequestId: requestId },
});
type JsonPart = Record<string, Json>;

const jsonHeaders = (requestId: string, body: unknown, atMs: number): Record<string, string> => ({
  Connection: 'keep-alive',
  'Content-Length': bytesOf(body),
  'Content-Type': 'application/x-amz-json-1.0',
  Date: new Date(atMs).toUTCString(),
  'x-amzn-RequestId': requestId,
});

const functionFailure = ({ payload }: LambdaAnswer): CallOutcome => {
  const text = JSON.stringify(payload ?? null);
  if (isObject(payload) && typeof payload.errorType === 'string')
    return failure(payload.errorType, text);
  return failure(
    'Lambda.Unknown',
    `The cause could not be determined because Lambda did not return an error type. Returned payload: ${text}`,
  );
};

const detailOf = (error: unknown): { name: string; message: string; status: number } => {
  if (error instanceof Fault)
    return { name: error.code, message: error.message, status: error.status };
  if (!(error instanceof Error)) return { name: 'SdkClientException', message: '', status: 0 };
  const fields: object = error;
  const meta = '$metadata' in fields && isObject(fields.$metadata) ? fields.$metadata : {};
  const status = 'statusCode' in fields ? fields.statusCode : meta.httpStatusCode;
  return { name: error.name, message: error.message, status: Number(status ?? 0) };
};

/** In the style of the first Java SDK, which the optimised integrations use. */
const oldStyle = (prefix: string, service: string, error: unknown, suffix = ''): CallOutcome => {
  const { name, message, status } = detailOf(error);
  if (status === 0) return failure(`${prefix}.SdkClientException`, message);
  return failure(
    `${prefix}.${name}${suffix}`,
    `${message} (Service: ${service}; Status Code: ${status}; Error Code: ${name}; ` +
      `Request ID: ${randomUUID()}; Proxy: null)`,
  );
};

/** Errors of DynamoDB that have a class of their own in the SDK; all others are `DynamoDbException`. */
const dynamoDbErrors =
  /^(ConditionalCheckFailed|ResourceNotFound|ResourceInUse|TransactionCanceled|TransactionConflict|TransactionInProgress|ProvisionedThroughputExceeded|RequestLimitExceeded|ItemCollectionSizeLimitExceeded|LimitExceeded|IdempotentParameterMismatch|DuplicateItem|InternalServerError|TableNotFound|TableInUse|TableAlreadyExists|ReplicatedWriteConflict|Throttling)/;

/** In the style of the second Java SDK, which the `aws-sdk` integrations use. */
const newStyle = (prefix: string, isKnown: boolean, error: unknown): CallOutcome => {
  const { name, message, status } = detailOf(error);
  if (status === 0) return failure(`${prefix}.SdkClientException`, message);
  const spelled = name.endsWith('Exception') ? name : `${name.replace(/Error$/, '')}Exception`;
  const shown = isKnown
    ? spelled.replace('InternalServerException', 'InternalServerErrorException')
    : `${prefix}Exception`;
  return failure(
    `${prefix}.${shown}`,
    `${message} (Service: ${prefix}, Status Code: ${status}, Request ID: ${randomUUID()})`,
  );
};

const callFunction = async (
  ports: CallPorts,
  functionName: string,
  payload: unknown,
  invocationType: 'RequestResponse' | 'Event',
): Promise<LambdaAnswer | CallOutcome> => {
  try {
    const { signal } = ports;
    return await ports.invokeLambda({ functionName, payload, invocationType, signal });
  } catch (error) {
    return oldStyle('Lambda', 'AWSLambda', error);
  }
};

const invoke = async (ports: CallPorts, request: Json): Promise<CallOutcome> => {
  const fields = isObject(request) ? request : {};
  const {
    FunctionName: name,
    Qualifier: qualifier,
    Payload: payload,
    InvocationType: type,
  } = fields;
  if (typeof name !== 'string')
    return failure(
      'States.Runtime',
      "The parameter 'FunctionName' is required and must be a string.",
    );
  const functionName = typeof qualifier === 'string' ? `${name}:${qualifier}` : name;
  const invocationType = type === 'Event' ? 'Event' : 'RequestResponse';
  const answer = await callFunction(ports, functionName, payload ?? {}, invocationType);
  if ('kind' in answer) return answer;
  if (answer.functionError !== undefined) return functionFailure(answer);
  const { executedVersion, requestId, statusCode } = answer;
  const output = clean(answer.payload ?? null);
  const headers = {
    'X-Amz-Executed-Version': executedVersion,
    'x-amzn-Remapped-Content-Length': '0',
    ...jsonHeaders(requestId, output, ports.nowMs()),
    'Content-Type': 'application/json',
    'X-Amzn-Trace-Id': `root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8, 32)};sampled=0`,
  };
  return success({
    ExecutedVersion: executedVersion,
    Payload: output,
    ...metadata(requestId, headers),
    StatusCode: statusCode,
  });
};

const invokeArn = async (ports: CallPorts, arn: string, request: Json): Promise<CallOutcome> => {
  const answer = await callFunction(ports, arn, request, 'RequestResponse');
  if ('kind' in answer) return answer;
  if (answer.functionError !== undefined) return functionFailure(answer);
  return success(clean(answer.payload ?? null));
};

const dynamoDb = async (
  ports: CallPorts,
  resource: Extract<TaskResource, { kind: 'dynamodb' | 'dynamodb-sdk' }>,
  request: Json,
): Promise<CallOutcome> => {
  try {
    const parameters = isObject(request) ? request : {};
    const answer = await ports.callDynamoDb(resource.action, parameters);
    const { $metadata: _, ...shown } = answer;
    const output = clean(shown) as JsonPart;
    if (resource.kind === 'dynamodb-sdk') return success(output);
    const requestId = randomUUID();
    const headers = {
      ...jsonHeaders(requestId, output, ports.nowMs()),
      Server: 'Server',
      'x-amz-crc32': '0',
    };
    return success({ ...output, ...metadata(requestId, headers) });
  } catch (error) {
    if (resource.kind === 'dynamodb') return oldStyle('DynamoDB', 'AmazonDynamoDBv2', error);
    return newStyle('DynamoDb', dynamoDbErrors.test(detailOf(error).name), error);
  }
};

/** The API's field names begin small; the integrations' begin large. */
const smallNames = (request: Json): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isObject(request) ? request : {}).map(([name, value]) => [
      `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`,
      value,
    ]),
  );

const startExecution = async (
  ports: CallPorts,
  resource: Extract<TaskResource, { kind: 'start-execution' }>,
  request: Json,
): Promise<CallOutcome> => {
  try {
    const { input, ...fields } = smallNames(request);
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    const started = await ports.startExecution({ ...fields, input: text });
    const { executionArn, startMs } = started;
    if (resource.sdk)
      return success({ ExecutionArn: executionArn, StartDate: new Date(startMs).toISOString() });
    const requestId = randomUUID();
    const body = { executionArn, startDate: startMs / 1000 };
    const { Connection: connection = '', ...headers } = jsonHeaders(requestId, body, ports.nowMs());
    return success({
      ExecutionArn: executionArn,
      ...metadata(requestId, { ...headers, connection }),
      StartDate: startMs,
    });
  } catch (error) {
    if (resource.sdk) return newStyle('Sfn', true, error);
    return oldStyle('StepFunctions', 'AWSStepFunctions', error, 'Exception');
  }
};

/** Makes one call; never throws. */
export const makeCall = (
  ports: CallPorts,
  resource: TaskResource,
  request: Json,
): Promise<CallOutcome> => {
  switch (resource.kind) {
    case 'lambda-arn':
      return invokeArn(ports, resource.functionArn, request);
    case 'lambda-invoke':
      return invoke(ports, request);
    case 'dynamodb':
    case 'dynamodb-sdk':
      return dynamoDb(ports, resource, request);
    case 'start-execution':
      return startExecution(ports, resource, request);
  }
};
