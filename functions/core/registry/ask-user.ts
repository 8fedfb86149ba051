// The two tools that Reprise itself provides: `ask_user` and `request_skill`. Both become actions that wait for a person and
// never send anything. Owns: their schemas as the model sees them, and reading their arguments.
// Tested in test/scenario/people/many.test.ts.
import { z } from 'zod';
import { Form } from '../base/form.ts';
import type { JsonObject } from '../base/json.ts';
import { requestExpiryMsMax } from '../base/limits.ts';
import type { BuiltInToolName, ToolVersion } from './tool.ts';
import { ToolRegistration } from './tool.ts';

/** What happens when nobody answers in time. */
export const onExpiry = ['default', 'continue', 'stop'] as const;

export const AskUserArguments = z.strictObject({
  message: z.string().min(1).max(10_000),
  form: Form,
  expiresInMs: z.int().min(1_000).max(requestExpiryMsMax).optional(),
  onExpiry: z.enum(onExpiry).default('continue'),
});
export type AskUserArguments = z.infer<typeof AskUserArguments>;

export const RequestSkillArguments = z.strictObject({
  skill: z.string().min(1).max(128),
  reason: z.string().min(1).max(4_000),
});
export type RequestSkillArguments = z.infer<typeof RequestSkillArguments>;

const field = {
  type: 'object',
  description:
    'One field: {"type":"string"|"number"|"integer"|"boolean"|"array", "title", "description", "default", "enum" or "oneOf" for choices, "items" for several}.',
};

const askUserSchema: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The question, as the person reads it.' },
    form: {
      type: 'object',
      description: 'A flat JSON Schema object of the fields to fill in.',
      properties: {
        type: { const: 'object' },
        properties: { type: 'object', additionalProperties: field },
        required: { type: 'array', items: { type: 'string' } },
      },
      required: ['type', 'properties'],
    },
    expiresInMs: {
      type: 'integer',
      minimum: 1_000,
      description: 'How long to wait. Default: 30 days.',
    },
    onExpiry: { enum: [...onExpiry], description: 'What to do when nobody answers.' },
  },
  required: ['message', 'form'],
  additionalProperties: false,
};

const requestSkillSchema: JsonObject = {
  type: 'object',
  properties: {
    skill: { type: 'string', description: 'The name of a skill you may ask for.' },
    reason: { type: 'string', description: 'Why it is needed, as the person reads it.' },
  },
  required: ['skill', 'reason'],
  additionalProperties: false,
};

const builtIn = (name: BuiltInToolName, description: string, schema: JsonObject): ToolVersion => ({
  schema: 1,
  workspace: 'reprise',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'reprise',
  registration: ToolRegistration.parse({
    name,
    description,
    arguments: schema,
    // Never carried: the action waits for a person and is settled by the answer.
    transport: { kind: 'lambda', functionArn: 'reprise:built-in' },
    contract: {
      effect: 'read',
      destination: { provider: 'reprise', account: 'people', environment: 'here', apiVersion: '1' },
    },
  }),
});

export const askUser = builtIn(
  'ask_user',
  'Asks a person a question with a form and waits for the answer, however long it takes.',
  askUserSchema,
);
export const requestSkill = builtIn(
  'request_skill',
  'Asks a person to grant a skill: its instructions and tools become available once granted.',
  requestSkillSchema,
);

/** A question that names no time waits this long. */
export const questionExpiryMsDefault = 30 * 86_400_000;
