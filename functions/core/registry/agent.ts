// An agent's configuration. Every change makes a new immutable revision; a run keeps the one it started with.
// Owns: the schema of a revision. Laws: L15.
// Tested in test/functions/adapters/registry.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { AgentId } from '../base/ids.ts';
import { JsonObject } from '../base/json.ts';
import { SkillName, ToolName } from './tool.ts';

export const ModelChoice = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('bedrock'),
    model: z.string().min(1),
    region: z.string().optional(),
  }),
  z.strictObject({
    provider: z.literal('anthropic'),
    model: z.string().min(1),
    secret: z.string().min(1),
  }),
  z.strictObject({
    provider: z.literal('openai-compatible'),
    model: z.string().min(1),
    baseUrl: z.url(),
    secret: z.string().min(1).optional(),
  }),
  /** Says what a named script says: for the demo and for tests. */
  z.strictObject({ provider: z.literal('scripted'), script: z.string().min(1) }),
]);
export type ModelChoice = z.infer<typeof ModelChoice>;

/** Money per million tokens, as decimal strings so that no rounding creeps in. */
export const Price = z.strictObject({
  currency: z.string().length(3),
  inputPerMillion: z.string().regex(/^\d+(\.\d+)?$/),
  outputPerMillion: z.string().regex(/^\d+(\.\d+)?$/),
  cachedInputPerMillion: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .optional(),
});
export type Price = z.infer<typeof Price>;

export const AgentConfiguration = z.strictObject({
  name: z.string().min(1).max(128),
  prompt: z.string().min(1).max(100_000),
  model: ModelChoice,
  /** Options passed to the provider as they are (temperature, reasoning and so on). */
  modelOptions: JsonObject.default({}),
  /** Tool name → pinned version; left out: the newest at the moment the revision is made. */
  tools: z
    .array(z.strictObject({ name: ToolName, version: z.int().positive().optional() }))
    .default([]),
  /** `always`: granted outright; `on_request`: the model sees its description and may ask a person for it. */
  skills: z
    .array(
      z.strictObject({
        name: SkillName,
        version: z.int().positive().optional(),
        grant: z.enum(['always', 'on_request']).default('on_request'),
      }),
    )
    .default([]),
  stepLimit: z.int().min(1).max(10_000).default(40),
  price: Price.optional(),
});
export type AgentConfiguration = z.infer<typeof AgentConfiguration>;
export type AgentConfigurationInput = z.input<typeof AgentConfiguration>;

export const AgentRevision = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  agentId: AgentId,
  revision: z.int().positive(),
  configuration: AgentConfiguration.extend({
    tools: z.array(z.strictObject({ name: ToolName, version: z.int().positive() })),
    skills: z.array(
      z.strictObject({
        name: SkillName,
        version: z.int().positive(),
        grant: z.enum(['always', 'on_request']),
      }),
    ),
  }),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** Who that is, where a person did it. */
  author: Author.optional(),
});
export type AgentRevision = z.infer<typeof AgentRevision>;

/** The revision that grants a skill outright; undefined when this one does so already. */
export const withSkill = (
  newest: AgentRevision,
  skill: { readonly name: string; readonly version: number },
  author: Author,
  createdAt: string,
): AgentRevision | undefined => {
  const { skills } = newest.configuration;
  const has = skills.find(({ name }) => name === skill.name);
  if (has?.grant === 'always' && has.version === skill.version) return undefined;
  const others = skills.filter(({ name }) => name !== skill.name);
  return {
    ...newest,
    revision: newest.revision + 1,
    configuration: {
      ...newest.configuration,
      skills: [...others, { ...skill, grant: 'always' }],
    },
    createdAt,
    createdBy: author.subject,
    author,
  };
};
