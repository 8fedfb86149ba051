// A tool as it is registered: its name, description, argument schema, transport and contract.
// Owns: the registration's schema. A registration is stored as an immutable version.
// Laws: L15 (a run keeps the tool versions it started with), L18 (secrets are named, never held).
// Tested in test/core/registry/contract-check.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { type Json, JsonObject } from '../base/json.ts';
import { Contract } from './contract.ts';

export const ToolName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/);
export const SkillName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);

/** Name of a secret in the secret store; its value is put in at the last moment and never stored. */
export const SecretName = z.string().regex(/^[a-zA-Z0-9/_+=.@-]{1,256}$/);

/**
 * Templates: `{{args.path}}` is an argument, `{{reference}}` the action's reference, `{{secret:name}}` a secret (headers and
 * body only). In a JSON body a string that is exactly one placeholder keeps the argument's type.
 */
export const HttpTransport = z.strictObject({
  kind: z.literal('http'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: z.string().min(1).max(2_048),
  query: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string().max(4_096)).default({}),
  body: z
    .discriminatedUnion('as', [
      z.strictObject({ as: z.literal('json'), template: JsonObject }),
      z.strictObject({ as: z.literal('form'), fields: z.record(z.string(), z.string()) }),
      z.strictObject({ as: z.literal('raw'), contentType: z.string(), template: z.string() }),
      /** The arguments object itself, as JSON. */
      z.strictObject({ as: z.literal('arguments') }),
    ])
    .optional(),
  replyBytesMax: z
    .int()
    .positive()
    .default(10 * 1024 * 1024),
});
export type HttpTransport = z.infer<typeof HttpTransport>;

export const McpTransport = z.strictObject({
  kind: z.literal('mcp'),
  url: z.string().min(1).max(2_048),
  tool: z.string().min(1).max(128),
  headers: z.record(z.string(), z.string().max(4_096)).default({}),
  protocol: z.enum(['auto', '2026-07-28', 'legacy']).default('auto'),
  /** Where the action's reference is put, if the tool takes one: an argument path. */
  referenceArgument: z.string().optional(),
});
export type McpTransport = z.infer<typeof McpTransport>;

export const LambdaTransport = z.strictObject({
  kind: z.literal('lambda'),
  functionArn: z.string().min(1).max(256),
});
export type LambdaTransport = z.infer<typeof LambdaTransport>;

export const Transport = z.discriminatedUnion('kind', [
  HttpTransport,
  McpTransport,
  LambdaTransport,
]);
export type Transport = z.infer<typeof Transport>;

export const ToolRegistration = z.strictObject({
  name: ToolName,
  description: z.string().min(1).max(4_096),
  /** JSON Schema (2020-12) of the arguments; an object at the top. */
  arguments: JsonObject,
  transport: Transport,
  contract: Contract,
});
export type ToolRegistration = z.infer<typeof ToolRegistration>;
/** What a person writes: defaults may be left out. */
export type ToolRegistrationInput = z.input<typeof ToolRegistration>;

export const ToolVersion = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  version: z.int().positive(),
  registration: ToolRegistration,
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** Who that is, where a person did it. */
  author: Author.optional(),
});
export type ToolVersion = z.infer<typeof ToolVersion>;

/** Names one version or revision among all that was registered. */
export const registrationId = (
  what: 'agent' | 'skill' | 'tool',
  name: string,
  number: number,
): string => `${what}/${name}/v${number}`;

/** Tool names that Reprise itself provides; a registration may not take them. */
export const builtInToolNames = ['ask_user', 'request_skill'] as const;
export type BuiltInToolName = (typeof builtInToolNames)[number];
export const isBuiltIn = (name: string): name is BuiltInToolName =>
  builtInToolNames.some((builtIn) => builtIn === name);

export interface ToolCallContent {
  readonly tool: { readonly name: string; readonly version: number };
  readonly destination: Contract['destination'];
  readonly arguments: Json;
}
