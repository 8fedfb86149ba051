// What the operations of the API stand on. Owns: nothing but the list.
import type { Place } from '../arns.ts';
import type { Parsed } from '../asl/parse.ts';
import type { Engine } from '../engine.ts';
import type { MachineStore } from '../store/machines.ts';
import type { ExecutionStore } from '../store/store.ts';
import type { Tokens } from '../tokens.ts';
import type { ExecutionLists } from './lists.ts';

export interface ApiParts {
  readonly place: Place;
  readonly store: ExecutionStore;
  readonly lists: ExecutionLists;
  readonly machines: MachineStore;
  readonly engine: Engine;
  readonly tokens: Tokens;
  /** StartExecution: one start at a time per name. */
  readonly starter: { start(body: unknown): Promise<Started> };
  nowMs(): number;
  random(): number;
  parse(definition: string): Parsed;
}

export interface Started {
  readonly executionArn: string;
  readonly startMs: number;
}

/** One API operation: takes the parsed JSON body, returns the answer's body. Throws Fault. */
export type Operation = (parts: ApiParts, body: unknown) => unknown;

export type Operations = Readonly<Record<string, Operation>>;
