// Refuses a function what its role on AWS would refuse it, so that a right that is missing is missed here and not there.
// Owns: which rights a call of a service needs. Which a function has is the manifest's to say; the stack makes its role of the same.
// Laws: L3 (only Perform may write attempts), L4 (nothing is deleted from the ledger).
import type { FunctionEntry } from '../../functions/manifest.ts';
import { tableNames } from '../../functions/manifest.ts';
import { isGranted, type TableAction, tableGrantsOf } from '../../functions/table-rights.ts';
import type { AwsService } from '../../functions/wiring/substrate.ts';
import { errorResponse } from '../blobs/index.ts';
import type { DynamoTwin } from '../dynamodb/index.ts';
import { signInSecret } from '../environment.ts';
import {
  AwsFault,
  faultResponse,
  jsonObjectOf,
  type WireRequest,
  type WireService,
} from '../wire.ts';

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

/** Undefined for an operation that no role has. */
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

/** DynamoDB as one function's role sees it. */
export const dynamoAs = (
  functionName: string,
  entry: FunctionEntry,
  take: DynamoTwin['take'],
): DynamoTwin['take'] => {
  const grants = tableGrantsOf(entry);
  return async (operation, body) => {
    const lacking = needsOf(operation, body)?.find(({ action, table, partitionKey }) => {
      const known = tableNames.find((name) => name === table);
      // Tables that are not Reprise's own are a tool's or a test's business.
      return known !== undefined && !isGranted(grants, action, known, partitionKey);
    });
    if (lacking === undefined) return take(operation, body);
    const { action, table, partitionKey } = lacking;
    const { code, message, status } = denied(
      functionName,
      `dynamodb:${action}`,
      `${table} ${partitionKey}`,
    );
    return { status, body: { __type: code, message } };
  };
};

const operationOf = ({ headers }: WireRequest): string =>
  (headers['x-amz-target'] ?? '').split('.')[1] ?? '';

const onMachines = {
  StartExecution: 'start',
  SendTaskSuccess: 'answer',
  SendTaskFailure: 'answer',
  DescribeExecution: 'describe',
  StopExecution: 'stop',
} as const;

const mayUse: {
  readonly [Service in AwsService]: (entry: FunctionEntry, request: WireRequest) => boolean;
} = {
  // Item by item, in `dynamoAs`.
  dynamodb: () => true,
  sfn: ({ machines = [] }, request) =>
    Object.entries(onMachines).some(
      ([operation, right]) => operation === operationOf(request) && machines.includes(right),
    ),
  eventbridge: ({ putsEvents }) => putsEvents === true,
  scheduler: ({ keepsSchedules }) => keepsSchedules === true,
  lambda: ({ invokesTools }) => invokesTools === true,
  s3: ({ blobs = [] }, { method }) => blobs.includes(method === 'GET' ? 'read' : 'write'),
  secretsmanager: ({ readsSecrets, readsSignInSecret }, { body }) =>
    (jsonObjectOf(body).SecretId === signInSecret ? readsSignInSecret : readsSecrets) === true,
};

/** Another service as one function's role sees it. */
export const serviceAs =
  (
    functionName: string,
    entry: FunctionEntry,
    service: AwsService,
    serve: WireService,
  ): WireService =>
  async (request) => {
    if (mayUse[service](entry, request)) return serve(request);
    const operation = operationOf(request) || request.method;
    const fault = denied(functionName, `${service}:${operation}`, request.path);
    return service === 's3'
      ? errorResponse(new AwsFault('AccessDenied', fault.message, 403))
      : faultResponse(fault);
  };
