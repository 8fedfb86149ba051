// Whether the agents' models can be called at all: a real one needs a key. Owns: that look, made once at the start. It only
// warns: a key may be set while the twin runs. Laws: L18 (names only).
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type AgentModel, modelWords } from './announce.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const awsVariables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

const hasAws = (env: Environment, home: string): boolean =>
  awsVariables.some((name) => (env[name] ?? '') !== '') ||
  ['credentials', 'config'].some((name) => existsSync(join(home, '.aws', name)));

export interface Keys {
  /** Whether there is a secret of that name. */
  has(name: string): boolean;
  /** The one that the environment lends: REPRISE_MODEL's. */
  readonly lent: string | undefined;
}

/** One sentence or two for each agent that has no key. */
export const keyWarnings = (
  agents: readonly AgentModel[],
  keys: Keys,
  env: Environment,
  home: string = homedir(),
): readonly string[] =>
  agents.flatMap(({ name, model }) => {
    const cannot = `"${name}" cannot call ${modelWords(model)}:`;
    if (model.provider === 'bedrock')
      return hasAws(env, home)
        ? []
        : [`${cannot} this machine has no AWS credentials. Set AWS_PROFILE or AWS_ACCESS_KEY_ID.`];
    if (!('secret' in model) || model.secret === undefined || keys.has(model.secret)) return [];
    const { secret } = model;
    const first = secret === keys.lent ? `start with ${secret}=…, or set it with` : 'set it with';
    return [`${cannot} its key is missing; ${first} "npx reprise secrets set ${secret}".`];
  });
