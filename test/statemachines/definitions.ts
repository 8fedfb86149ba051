// The definitions as files, for the tests that read them. Owns: finding the states, and the JSONata expressions in them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type MachineName, machines } from '../../functions/manifest.ts';

const root = join(import.meta.dirname, '..', '..');

export const State = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  Default: z.string().optional(),
  Choices: z.array(z.looseObject({ Condition: z.string(), Next: z.string() })).default([]),
  Catch: z.array(z.looseObject({ ErrorEquals: z.array(z.string()), Next: z.string() })).default([]),
  Retry: z.array(z.looseObject({ ErrorEquals: z.array(z.string()) })).default([]),
  Arguments: z.record(z.string(), z.unknown()).optional(),
  TimeoutSeconds: z.union([z.number(), z.string()]).optional(),
  Seconds: z.union([z.number(), z.string()]).optional(),
  Resource: z.string().optional(),
});
export type State = z.infer<typeof State>;

const Flow = z.looseObject({ StartAt: z.string(), States: z.record(z.string(), State) });
export type Flow = z.infer<typeof Flow>;

export interface Machine {
  readonly name: MachineName;
  readonly text: string;
  readonly definition: Flow;
  /** The machine itself and every Map inside it. */
  readonly flows: readonly Flow[];
  readonly states: readonly (readonly [name: string, state: State])[];
}

const flowsIn = (value: unknown): Flow[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Flow.safeParse(value);
  return [...(own.success ? [own.data] : []), ...Object.values(value).flatMap(flowsIn)];
};

const machineOf = (name: MachineName): Machine => {
  const text = readFileSync(join(root, machines[name].definition), 'utf8');
  const value: unknown = JSON.parse(text);
  const flows = flowsIn(value);
  return {
    name,
    text,
    definition: Flow.parse(value),
    flows,
    states: flows.flatMap((flow) => Object.entries(flow.States)),
  };
};

export const theMachines: readonly Machine[] = [machineOf('run'), machineOf('recover')];

/** Names of the files in statemachines/. */
export const definitionFiles = (): string[] =>
  readdirSync(join(root, 'statemachines')).filter((file) => file.endsWith('.asl.json'));

export interface Expression {
  readonly field: string;
  readonly text: string;
}

/** Every JSONata expression below a value, with the name of the field that holds it. */
export const expressionsIn = (value: unknown, field = ''): Expression[] => {
  if (typeof value === 'string')
    return /^\{%[\s\S]*%\}$/.test(value) ? [{ field, text: value.slice(2, -2).trim() }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => expressionsIn(inner, name));
};

/** Every field name below a value. */
export const fieldsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
};
