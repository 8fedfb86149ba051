// The AI SDK's providers, each loaded only when an agent uses it, so that a cold start pays for one.
// Owns: how a ModelChoice becomes a language model, and which key each provider takes its options under.
// Tested in test/functions/adapters/model-vendors.test.ts.
import type { wrapLanguageModel } from 'ai';
import type { ModelChoice } from '../../core/registry/agent.ts';
import { ModelFailed } from '../../ports/model.ts';
import { type Secrets, SecretUnknown, secretRemedy } from '../../ports/world.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface ProviderOptions {
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
  /** Where Bedrock is called when the choice names no region. */
  readonly region?: string;
  /** For Bedrock; left out: the keys in the process's environment. */
  readonly awsCredentials?: () => Promise<AwsCredentials>;
  /** For tests and proxies: another address than the provider's own. */
  readonly baseUrls?: { readonly bedrock?: string; readonly anthropic?: string };
}

export interface Prepared {
  readonly model: Parameters<typeof wrapLanguageModel>[0]['model'];
  readonly optionsKey: string;
  /** The key, to be kept out of every message. */
  readonly key: string | undefined;
}

/** Any but the scripted one. */
export type RealChoice = Exclude<ModelChoice, { provider: 'scripted' }>;
type Of<Name extends RealChoice['provider']> = Extract<RealChoice, { provider: Name }>;

const keyFrom = async (secrets: Secrets, name: string): Promise<string> => {
  try {
    return await secrets.read(name);
  } catch (error) {
    if (error instanceof SecretUnknown) {
      throw new ModelFailed(
        'final',
        `The model’s key is missing: there is no secret "${name}". ${secretRemedy}`,
      );
    }
    throw new ModelFailed('passing', `The model’s key, secret "${name}", could not be read.`);
  }
};

const bedrock = async (choice: Of<'bedrock'>, options: ProviderOptions): Promise<Prepared> => {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  const region = choice.region ?? options.region;
  const { awsCredentials, baseUrls } = options;
  const provider = createAmazonBedrock({
    fetch: options.fetch,
    ...(region === undefined ? {} : { region }),
    ...(baseUrls?.bedrock === undefined ? {} : { baseURL: baseUrls.bedrock }),
    ...(awsCredentials === undefined
      ? {}
      : {
          credentialProvider: async () => {
            const { accessKeyId, secretAccessKey, sessionToken } = await awsCredentials();
            return {
              accessKeyId,
              secretAccessKey,
              ...(sessionToken === undefined ? {} : { sessionToken }),
            };
          },
        }),
  });
  return { model: provider(choice.model), optionsKey: 'bedrock', key: undefined };
};

const anthropic = async (choice: Of<'anthropic'>, options: ProviderOptions): Promise<Prepared> => {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  const key = await keyFrom(options.secrets, choice.secret);
  const baseURL = options.baseUrls?.anthropic;
  const provider = createAnthropic({
    apiKey: key,
    fetch: options.fetch,
    ...(baseURL === undefined ? {} : { baseURL }),
  });
  return { model: provider(choice.model), optionsKey: 'anthropic', key };
};

const openAiCompatible = async (
  choice: Of<'openai-compatible'>,
  options: ProviderOptions,
): Promise<Prepared> => {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const key =
    choice.secret === undefined ? undefined : await keyFrom(options.secrets, choice.secret);
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: choice.baseUrl,
    includeUsage: true,
    fetch: options.fetch,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return { model: provider(choice.model), optionsKey: 'openaiCompatible', key };
};

/** Throws ModelFailed when the key is missing or cannot be read. */
export const prepare = (choice: RealChoice, options: ProviderOptions): Promise<Prepared> => {
  switch (choice.provider) {
    case 'bedrock':
      return bedrock(choice, options);
    case 'anthropic':
      return anthropic(choice, options);
    case 'openai-compatible':
      return openAiCompatible(choice, options);
  }
};
