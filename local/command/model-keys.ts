// Whether the agents' models can be called at all: a real one needs a key. Owns: that look, made once at the start. It only
// warns: a key may be set while the twin runs. Laws: L18 (names only).
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '../base/language.ts';
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
  {
    home = homedir(),
    language = 'en',
  }: { readonly home?: string; readonly language?: Language } = {},
): readonly string[] =>
  agents.flatMap(({ name, model }) => {
    const say = (en: string, fr: string): string => (language === 'fr' ? fr : en);
    const called = modelWords(model, language);
    const cannot = say(
      `"${name}" cannot call ${called}:`,
      `« ${name} » ne peut pas appeler ${called} :`,
    );
    if (model.provider === 'bedrock')
      return hasAws(env, home)
        ? []
        : [
            say(
              `${cannot} this machine has no AWS credentials. Set AWS_PROFILE or AWS_ACCESS_KEY_ID.`,
              `${cannot} cette machine n’a pas d’accès AWS. Définissez AWS_PROFILE ou AWS_ACCESS_KEY_ID.`,
            ),
          ];
    if (!('secret' in model) || model.secret === undefined || keys.has(model.secret)) return [];
    const { secret } = model;
    const set = `npx reprise secrets set ${secret}`;
    const lent = secret === keys.lent;
    return [
      say(
        `${cannot} its key is missing; ${lent ? `start with ${secret}=…, or ` : ''}set it with "${set}".`,
        `${cannot} sa clé manque ; ${lent ? `lancez avec ${secret}=…, ou ` : ''}enregistrez-la par « ${set} ».`,
      ),
    ];
  });
