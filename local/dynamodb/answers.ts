// What the twin answers: a status with a JSON body, in the shapes AWS uses, and the refusals that
// become such answers.
// Owns: error names and their namespaces. Nothing here knows the store.

import type { Body } from './values.ts';

/** 200 with the operation's output, 400 with a refusal, 500 when the twin's disk or code failed. */
export interface TwinAnswer {
  readonly status: number;
  readonly body: Body;
}

const service = 'com.amazonaws.dynamodb.v20120810#';
const namespaces: Readonly<Record<string, string>> = {
  ValidationException: 'com.amazon.coral.validate#',
  SerializationException: 'com.amazon.coral.service#',
  UnknownOperationException: 'com.amazon.coral.service#',
};

/** A refusal on its way to the caller: `body` is the answer's body, complete. */
export class Refusal extends Error {
  readonly body: Body;
  constructor(name: string, message: string, details: Body = {}) {
    super(message);
    this.name = name;
    this.body = { __type: `${namespaces[name] ?? service}${name}`, message, ...details };
  }
}

export const invalid = (message: string): Refusal => new Refusal('ValidationException', message);

export const tooDeep = (): Refusal =>
  invalid(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );

/** AWS names the table for operations on tables, not for operations on items. */
export const tableNotFound = (tableName?: string): Refusal =>
  new Refusal(
    'ResourceNotFoundException',
    `Requested resource not found${tableName === undefined ? '' : `: Table: ${tableName} not found`}`,
  );

/** The body of a refusal: ours, or one of dynalite's errors, which carry it in the same place. */
export const refusalBody = (error: unknown): Body | undefined => {
  if (!(error instanceof Error) || !('body' in error)) return undefined;
  const { body } = error;
  return typeof body === 'object' && body !== null ? (body as Body) : undefined;
};

const internal = (message: string): TwinAnswer => ({
  status: 500,
  body: { __type: `${service}InternalServerError`, message },
});

const isSqliteError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** Turns whatever an operation threw into its answer. */
export const answerFor = (operation: string, error: unknown): TwinAnswer => {
  const body = refusalBody(error);
  if (body !== undefined) return { status: 400, body };
  if (isSqliteError(error))
    return internal(
      `${operation}: the twin's store could not be read or written (${error.message}). Nothing of this call was ` +
        'kept. Check the free space and the permissions of the data folder, then repeat the call.',
    );
  const reason = error instanceof Error ? error.message : String(error);
  return internal(`${operation}: the twin failed (${reason}). Nothing of this call was kept.`);
};
