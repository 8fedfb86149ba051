// Refuses a function what its role on AWS would refuse it, so that a right that is missing is missed here and not there.
// Owns: which operation, on which item, a call of a service is. What a function may do is the manifest's to say; the stack makes its
// role of the same lists. Of the resources, tables, keys and the sign-in's secret are told apart; names of tools and secrets are not.
// Laws: L3 (only Perform may write attempts), L4 (nothing is deleted from the ledger).
import type { FunctionEntry } from '../../functions/manifest.ts';
import { tableNames } from '../../functions/manifest.ts';
import {
  blobOperations,
  eventOperations,
  machineOperations,
  scheduleOperations,
  secretOperations,
  toolOperations,
} from '../../functions/service-rights.ts';
import {
  isGranted,
  type TableAction,
  type TableGrant,
  tableGrantsOf,
} from '../../functions/table-rights.ts';
import type { AwsService } from '../../functions/wiring/substrate.ts';
import {
  AwsFault,
  faultResponse,
  jsonObjectOf,
  type WireRequest,
  type WireService,
} from '../base/wire.ts';
import { errorResponse } from '../blobs/index.ts';
import type { DynamoTwin } from '../dynamodb/index.ts';
import { signInSecret } from './environment.ts';

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

interface Need {
  readonly action: TableAction;
  readonly table: string;
  /** Empty for what names no one key. */
  readonly partitionKey: string;
}

const needOf = (action: TableAction, of: unknown): Need => {
  const key = fieldOf(fieldOf(fieldOf(of, 'Item') ?? fieldOf(of, 'Key'), 'pk'), 'S');
  return {
    action,
    table: String(fieldOf(of, 'TableName')),
    partitionKey: typeof key === 'string' ? key : '',
  };
};

/** A transaction is authorised part by part. */
const partActions: Readonly<Record<string, TableAction>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

const partsOf = (input: unknown): Need[] => {
  const items: unknown = fieldOf(input, 'TransactItems');
  return (Array.isArray(items) ? items : []).flatMap((item: unknown) =>
    Object.entries(partActions).flatMap(([part, action]) => {
      const of = fieldOf(item, part);
      return of === undefined || of === null ? [] : [needOf(action, of)];
    }),
  );
};

/** Undefined for an operation that no role has on any table. */
const needsOf = (operation: string, input: unknown): readonly Need[] | undefined => {
  switch (operation) {
    case 'GetItem':
    case 'Query':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [needOf(operation, input)];
    case 'BatchGetItem':
      return Object.keys(fieldOf(input, 'RequestItems') ?? {}).map((table) => ({
        action: operation,
        table,
        partitionKey: '',
      }));
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return partsOf(input);
    default:
      return undefined;
  }
};

const denied = (functionName: string, action: string, resource: string): AwsFault =>
  new AwsFault(
    'AccessDeniedException',
    `The role of the function ${functionName} is not authorized to perform: ${action} on ${resource}. Its rights come from functions/manifest-functions.ts.`,
  );

/** The first thing that the role lacks for the call, as IAM would name it. */
const lackingIn = (
  grants: readonly TableGrant[],
  operation: string,
  input: unknown,
): readonly [action: string, resource: string] | undefined => {
  const needs = needsOf(operation, input);
  if (needs === undefined) return [operation, String(fieldOf(input, 'TableName') ?? '*')];
  const lacking = needs.find(({ action, table, partitionKey }) => {
    const known = tableNames.find((name) => name === table);
    // Tables that are not Reprise's own are a tool's or a test's business.
    return known !== undefined && !isGranted(grants, action, known, partitionKey);
  });
  return lacking && [lacking.action, `${lacking.table} ${lacking.partitionKey}`];
};

/** DynamoDB as one function's role sees it. */
export const dynamoAs = (
  functionName: string,
  entry: FunctionEntry,
  take: DynamoTwin['take'],
): DynamoTwin['take'] => {
  const grants = tableGrantsOf(entry);
  return async (operation, body) => {
    const lacking = lackingIn(grants, operation, body);
    if (lacking === undefined) return take(operation, body);
    const [action, resource] = lacking;
    const { code, message, status } = denied(functionName, `dynamodb:${action}`, resource);
    return { status, body: { __type: code, message } };
  };
};

/** Services that name their operations by method and path. */
const restOperations: {
  readonly [Service in AwsService]?: readonly (readonly [call: RegExp, operation: string])[];
} = {
  scheduler: [
    [/^POST \/schedules\/[^/]+$/, 'CreateSchedule'],
    [/^GET \/schedules\/[^/]+$/, 'GetSchedule'],
    [/^PUT \/schedules\/[^/]+$/, 'UpdateSchedule'],
    [/^DELETE \/schedules\/[^/]+$/, 'DeleteSchedule'],
  ],
  lambda: [[/^POST \/.+\/invocations$/, 'InvokeFunction']],
  // Without a key it is the bucket's own.
  s3: [
    [/^(GET|HEAD) \/[^/]+\/./, 'GetObject'],
    [/^PUT \/[^/]+\/./, 'PutObject'],
  ],
};

const operationOf = (service: AwsService, { headers, method, path }: WireRequest): string => {
  const target = headers['x-amz-target'];
  if (target !== undefined) return target.slice(target.indexOf('.') + 1);
  const call = `${method} ${path}`;
  return restOperations[service]?.find(([pattern]) => pattern.test(call))?.[1] ?? call;
};

const onlyIf = (right: true | undefined, operations: readonly string[]): readonly string[] =>
  right === true ? operations : [];

const operationsFor: {
  readonly [Service in Exclude<AwsService, 'dynamodb'>]: (
    entry: FunctionEntry,
    request: WireRequest,
  ) => readonly string[];
} = {
  sfn: ({ machines = [] }) => machines.flatMap((right) => machineOperations[right]),
  eventbridge: ({ putsEvents }) => onlyIf(putsEvents, eventOperations),
  scheduler: ({ keepsSchedules }) => onlyIf(keepsSchedules, scheduleOperations),
  lambda: ({ invokesTools }) => onlyIf(invokesTools, toolOperations),
  s3: ({ blobs = [] }) => blobs.flatMap((right) => blobOperations[right]),
  secretsmanager: ({ readsSecrets, readsSignInSecret }, { body }) =>
    onlyIf(
      jsonObjectOf(body).SecretId === signInSecret ? readsSignInSecret : readsSecrets,
      secretOperations,
    ),
};

/** Another service as one function's role sees it. */
export const serviceAs =
  (
    functionName: string,
    entry: FunctionEntry,
    service: Exclude<AwsService, 'dynamodb'>,
    serve: WireService,
  ): WireService =>
  async (request) => {
    const operation = operationOf(service, request);
    if (operationsFor[service](entry, request).includes(operation)) return serve(request);
    const fault = denied(functionName, `${service}:${operation}`, request.path);
    return service === 's3'
      ? errorResponse(new AwsFault('AccessDenied', fault.message, 403))
      : faultResponse(fault);
  };
