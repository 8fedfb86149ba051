// StartExecution. Owns: what a start resolves to (machine, version, alias) and the idempotency of names.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checkName, executionArn, type MachineReference, readMachineArn } from '../arns.ts';
import { Fault } from '../faults.ts';
import { payloadBytesMax } from '../json.ts';
import type { ExecutionRow, Routing } from '../store/rows.ts';
import { machineMissing } from './machines.ts';
import type { ApiParts, Started } from './parts.ts';
import { arn, invalid, readBody } from './protocol.ts';

const startSchema = z.looseObject({
  stateMachineArn: arn,
  name: z.string().optional(),
  input: z.string().default('{}'),
  traceHeader: z.string().optional(),
});

type Target = Pick<
  ExecutionRow,
  'machine' | 'version' | 'alias' | 'definition' | 'role' | 'revision'
>;

const drawn = (routing: Routing, fraction: number): string => {
  let rest = fraction * 100;
  for (const { stateMachineVersionArn, weight } of routing) {
    rest -= weight;
    if (rest < 0) return stateMachineVersionArn;
  }
  return routing.at(-1)?.stateMachineVersionArn ?? '';
};

/** What the ARN stands for at this moment. */
const targetOf = (parts: StarterParts, given: string): Target => {
  const { machines } = parts;
  const reference: MachineReference = readMachineArn(given);
  const row = machines.machine(reference.machine);
  if (row === undefined) throw machineMissing(given);
  const { definition, role, revision } = row;
  if (reference.qualifier === undefined)
    return { machine: row.arn, version: undefined, alias: undefined, definition, role, revision };
  const alias = machines.alias(given);
  const versionArn = alias === undefined ? given : drawn(alias.routing, parts.random());
  const version = machines.version(versionArn);
  if (version === undefined) throw machineMissing(given);
  return {
    machine: row.arn,
    version: version.arn,
    alias: alias?.arn,
    definition: version.definition,
    role: version.role,
    revision: version.revision,
  };
};

const checkInput = (input: string): void => {
  if (Buffer.byteLength(input) > payloadBytesMax)
    throw invalid(
      `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${payloadBytesMax}`,
    );
  try {
    JSON.parse(input);
  } catch (error) {
    const why = input === '' ? 'Invalid execution input.' : String(error).replace(/^\w+: /, '');
    throw new Fault('InvalidExecutionInput', `Invalid State Machine Execution Input: '${why}'`);
  }
};

type StarterParts = Omit<ApiParts, 'starter'>;

/** Starts executions; one at a time per name, so that two starts of one name cannot both win. */
export class Starter {
  readonly #parts: StarterParts;
  readonly #starting = new Map<string, Promise<unknown>>();

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /** The execution that already has this name, if the start means the same one. */
  #known(one: string, input: string): Started | undefined {
    const row = this.#parts.store.executionByArn(one);
    if (row === undefined) return undefined;
    if (row.status === 'RUNNING' && row.input === input)
      return { executionArn: one, startMs: row.started_ms };
    throw new Fault('ExecutionAlreadyExists', `Execution Already Exists: '${one}'`);
  }

  async start(body: unknown): Promise<Started> {
    const given = readBody(startSchema, body);
    const name = given.name === undefined ? randomUUID() : checkName(given.name);
    checkInput(given.input);
    const target = targetOf(this.#parts, given.stateMachineArn);
    const one = executionArn(target.machine, name);
    for (let busy = this.#starting.get(one); busy !== undefined; busy = this.#starting.get(one))
      await busy.catch(() => undefined);
    const known = this.#known(one, given.input);
    if (known !== undefined) return known;
    const row = this.#row(target, one, name, given);
    const begun = this.#parts.engine.begin(row);
    this.#starting.set(one, begun);
    try {
      await begun;
    } finally {
      this.#starting.delete(one);
    }
    return { executionArn: one, startMs: row.started_ms };
  }

  #row(
    target: Target,
    one: string,
    name: string,
    given: z.output<typeof startSchema>,
  ): ExecutionRow {
    return {
      ...target,
      no: this.#parts.engine.nextNo(),
      arn: one,
      name,
      status: 'RUNNING',
      input: given.input,
      output: undefined,
      error: undefined,
      cause: undefined,
      started_ms: this.#parts.nowMs(),
      stopped_ms: undefined,
      due_ms: undefined,
      trace: given.traceHeader,
      redrives: 0,
      redriven_ms: undefined,
    };
  }
}
