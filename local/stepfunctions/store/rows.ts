// Rows as the rest of the twin sees them: parsed once, here.
// Owns: the zod schemas of everything that comes out of SQLite.
import { z } from 'zod';

const text = z.string();
const optionalText = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined);
const ms = z.number();
const optionalMs = z
  .number()
  .nullable()
  .transform((value) => value ?? undefined);

export const executionStatuses = [
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'TIMED_OUT',
  'ABORTED',
  'PENDING_REDRIVE',
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export const executionRow = z.object({
  no: z.number(),
  arn: text,
  machine: text,
  name: text,
  status: z.enum(executionStatuses),
  input: text,
  output: optionalText,
  error: optionalText,
  cause: optionalText,
  started_ms: ms,
  stopped_ms: optionalMs,
  due_ms: optionalMs,
  version: optionalText,
  alias: optionalText,
  trace: optionalText,
  definition: z.number(),
  role: text,
  revision: text,
  redrives: z.number(),
  redriven_ms: optionalMs,
});
export type ExecutionRow = z.output<typeof executionRow>;

export const machineRow = z.object({
  arn: text,
  name: text,
  definition: z.number(),
  role: text,
  revision: text,
  options: text,
  created_ms: ms,
  updated_ms: ms,
  last_version: z.number(),
});
export type MachineRow = z.output<typeof machineRow>;

export const versionRow = z.object({
  arn: text,
  machine: text,
  number: z.number(),
  definition: z.number(),
  role: text,
  revision: text,
  description: optionalText,
  created_ms: ms,
});
export type VersionRow = z.output<typeof versionRow>;

export const routingSchema = z
  .array(z.object({ stateMachineVersionArn: z.string(), weight: z.number().int().min(0).max(100) }))
  .min(1)
  .max(2);
export type Routing = z.output<typeof routingSchema>;

export const aliasRow = z.object({
  arn: text,
  machine: text,
  name: text,
  description: optionalText,
  routing: text.transform((value) => routingSchema.parse(JSON.parse(value))),
  created_ms: ms,
  updated_ms: ms,
});
export type AliasRow = z.output<typeof aliasRow>;
