// Executions to the API: start, stop, describe, list, redrive. Owns: what an execution looks like, and to EventBridge.
import { z } from 'zod';
import { checkExecutionArn, readMachineArn } from '../arns.ts';
import { Fault } from '../faults.ts';
import { eventsMax } from '../run/events.ts';
import { type ExecutionRow, executionStatuses } from '../store/rows.ts';
import { described, machineMissing, mustHave } from './machines.ts';
import type { ApiParts, Operations } from './parts.ts';
import {
  arn,
  compact,
  nextToken,
  pageSize,
  positionIn,
  readBody,
  seconds,
  tokenOf,
} from './protocol.ts';

/** An execution can be redriven for this long after it ended (AWS quota: 14 days). */
const redriveMsMax = 14 * 24 * 3_600_000;

const executionMissing = (one: string): Fault =>
  new Fault('ExecutionDoesNotExist', `Execution Does Not Exist: '${one}'`);

export const mustFind = ({ store }: ApiParts, one: string): ExecutionRow => {
  const row = store.executionByArn(checkExecutionArn(one));
  if (row === undefined) throw executionMissing(one);
  return row;
};

/** Why the execution cannot be redriven, or undefined when it can. */
const redriveRefusal = (parts: ApiParts, row: ExecutionRow): string | undefined => {
  if (row.status === 'RUNNING' || row.status === 'SUCCEEDED' || row.status === 'PENDING_REDRIVE')
    return `Execution is ${row.status} and cannot be redriven`;
  if (parts.nowMs() - (row.stopped_ms ?? 0) > redriveMsMax)
    return 'Execution redrive period exceeded';
  if (parts.store.lastEventId(row.no) >= eventsMax - 1)
    return 'Execution history event limit exceeded';
  return undefined;
};

const details = { included: true };

const describe = (parts: ApiParts, body: unknown): object => {
  const row = mustFind(parts, readBody(z.looseObject({ executionArn: arn }), body).executionArn);
  const refusal = redriveRefusal(parts, row);
  return compact({
    executionArn: row.arn,
    stateMachineArn: row.machine,
    name: row.name,
    status: row.status,
    startDate: seconds(row.started_ms),
    stopDate: row.stopped_ms === undefined ? undefined : seconds(row.stopped_ms),
    input: row.input,
    inputDetails: details,
    output: row.output,
    outputDetails: row.output === undefined ? undefined : details,
    error: row.error,
    cause: row.cause,
    traceHeader: row.trace,
    stateMachineVersionArn: row.version,
    stateMachineAliasArn: row.alias,
    redriveCount: row.redrives,
    redriveDate: row.redriven_ms === undefined ? undefined : seconds(row.redriven_ms),
    redriveStatus: refusal === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
    redriveStatusReason: refusal,
  });
};

const describeMachine = (parts: ApiParts, body: unknown): object => {
  const row = mustFind(parts, readBody(z.looseObject({ executionArn: arn }), body).executionArn);
  const machine = parts.machines.machine(row.machine);
  if (machine === undefined) throw machineMissing(row.machine);
  const { definition, role, revision } = row;
  const shown = described(parts, { ...machine, definition, role, revision }, undefined);
  const { creationDate: _, status: __, type: ___, ...rest } = shown as Record<string, unknown>;
  return { ...rest, updateDate: seconds(machine.updated_ms) };
};

const listSchema = z.looseObject({
  stateMachineArn: arn,
  statusFilter: z.enum(executionStatuses).optional(),
  redriveFilter: z.enum(['REDRIVEN', 'NOT_REDRIVEN']).optional(),
  maxResults: pageSize(100),
  nextToken,
});

const list = (parts: ApiParts, body: unknown): object => {
  const given = readBody(listSchema, body);
  const { machine, qualifier } = readMachineArn(given.stateMachineArn);
  mustHave(parts, given.stateMachineArn);
  const isVersion = qualifier !== undefined && /^\d+$/.test(qualifier);
  const filter = {
    machine,
    version: isVersion ? given.stateMachineArn : undefined,
    alias: qualifier === undefined || isVersion ? undefined : given.stateMachineArn,
    status: given.statusFilter,
    redriven: given.redriveFilter === undefined ? undefined : given.redriveFilter === 'REDRIVEN',
  };
  const far = Number.MAX_SAFE_INTEGER;
  const [startedMs = far, no = far] = positionIn(given.nextToken, `${far} ${far}`)
    .split(' ')
    .map(Number);
  const rows = parts.lists.before(filter, { startedMs, no }, given.maxResults + 1);
  const page = rows.slice(0, given.maxResults);
  const last = page.at(-1);
  return compact({
    executions: page.map((row) =>
      compact({
        executionArn: row.arn,
        stateMachineArn: row.machine,
        name: row.name,
        status: row.status,
        startDate: seconds(row.started_ms),
        stopDate: row.stopped_ms === undefined ? undefined : seconds(row.stopped_ms),
        stateMachineVersionArn: row.version,
        stateMachineAliasArn: row.alias,
        redriveCount: row.redrives,
        redriveDate: row.redriven_ms === undefined ? undefined : seconds(row.redriven_ms),
      }),
    ),
    nextToken:
      rows.length > page.length && last !== undefined
        ? tokenOf(`${last.started_ms} ${last.no}`)
        : undefined,
  });
};

const stopSchema = z.object({
  executionArn: arn,
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});

const stop = async (parts: ApiParts, body: unknown): Promise<object> => {
  const { executionArn, error, cause } = readBody(stopSchema, body);
  const { no } = mustFind(parts, executionArn);
  await parts.engine.submit(no, { kind: 'stop', error, cause }, true);
  const { stopped_ms: stoppedMs } = mustFind(parts, executionArn);
  return { stopDate: seconds(stoppedMs ?? parts.nowMs()) };
};

const redrive = async (parts: ApiParts, body: unknown): Promise<object> => {
  const schema = z.object({ executionArn: arn, clientToken: z.string().optional() });
  const { executionArn } = readBody(schema, body);
  const row = mustFind(parts, executionArn);
  const refusal = redriveRefusal(parts, row);
  if (refusal !== undefined)
    throw new Fault('ExecutionNotRedrivable', `Execution is not redrivable: '${refusal}'`);
  await parts.engine.submit(row.no, { kind: 'redrive' }, true);
  return { redriveDate: seconds(mustFind(parts, executionArn).redriven_ms ?? parts.nowMs()) };
};

/** The `detail` of EventBridge's "Step Functions Execution Status Change"; dates in epoch milliseconds. */
export interface StatusChange {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly status: ExecutionRow['status'];
  readonly startDate: number;
  readonly stopDate: number | null;
  readonly input: string;
  readonly inputDetails: { readonly included: true };
  readonly output: string | null;
  readonly outputDetails: { readonly included: true } | null;
  readonly error: string | null;
  readonly cause: string | null;
  readonly stateMachineVersionArn: string | null;
  readonly stateMachineAliasArn: string | null;
  readonly redriveCount: number;
  readonly redriveDate: number | null;
}

export const statusChangeOf = (row: ExecutionRow): StatusChange => ({
  executionArn: row.arn,
  stateMachineArn: row.machine,
  name: row.name,
  status: row.status,
  startDate: row.started_ms,
  stopDate: row.stopped_ms ?? null,
  input: row.input,
  inputDetails: { included: true },
  output: row.output ?? null,
  outputDetails: row.output === undefined ? null : { included: true },
  error: row.error ?? null,
  cause: row.cause ?? null,
  stateMachineVersionArn: row.version ?? null,
  stateMachineAliasArn: row.alias ?? null,
  redriveCount: row.redrives,
  redriveDate: row.redriven_ms ?? null,
});

const start = async ({ starter }: ApiParts, body: unknown): Promise<object> => {
  const { executionArn, startMs } = await starter.start(body);
  return { executionArn, startDate: seconds(startMs) };
};

export const executionOperations: Operations = {
  StartExecution: start,
  StopExecution: stop,
  DescribeExecution: describe,
  DescribeStateMachineForExecution: describeMachine,
  ListExecutions: list,
  RedriveExecution: redrive,
};
