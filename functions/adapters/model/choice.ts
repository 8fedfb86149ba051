// REPRISE_MODEL: a model named in one line of text. Owns: that notation.
// Tested in test/functions/adapters/model-choice.test.ts.
import { ModelChoice } from '../../core/registry/agent.ts';

const notation =
  'Write scripted, bedrock:<model>, anthropic:<model> or ' +
  'openai-compatible:<model>@<base URL>, the last two with #<secret name> where the key has another name or there is one.';

const refused = (text: string, why: string): Error =>
  new Error(`REPRISE_MODEL is "${text}": ${why} ${notation}`);

const unnamed = (written: string): Error =>
  refused(written, 'it names no model; one stands after the colon.');

/** The script that serves the demo when nothing is chosen. */
export const defaultScript = 'demo';

/** The secret under which an Anthropic key is looked for when none is named. */
export const anthropicSecret = 'ANTHROPIC_API_KEY';

const split = (text: string, at: string): readonly [string, string | undefined] => {
  const index = text.lastIndexOf(at);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
};

const openAiCompatible = (text: string, written: string) => {
  const [, model, address] = /^(.+)@(https?:\/\/.+)$/.exec(text) ?? [];
  if (model === undefined || address === undefined) {
    throw refused(written, 'an OpenAI-compatible model needs its server’s base URL.');
  }
  const [baseUrl, secret] = split(address, '#');
  return {
    provider: 'openai-compatible',
    model,
    baseUrl,
    ...(secret === undefined ? {} : { secret }),
  };
};

/** Nothing or blanks: the scripted model. Throws an Error that says what is wrong and what may stand there. */
export const modelChoiceFrom = (text: string | undefined): ModelChoice => {
  const written = text?.trim() ?? '';
  const [, provider = written, rest = ''] = /^([^:]*):(.*)$/s.exec(written) ?? [];
  const choiceOf = (): unknown => {
    switch (provider) {
      case '':
      case 'scripted':
        return { provider: 'scripted', script: rest === '' ? defaultScript : rest };
      case 'bedrock':
        if (rest === '') throw unnamed(written);
        return { provider, model: rest };
      case 'anthropic': {
        const [model, secret = anthropicSecret] = split(rest, '#');
        if (model === '') throw unnamed(written);
        return { provider, model, secret };
      }
      case 'openai-compatible':
        return openAiCompatible(rest, written);
      default:
        throw refused(written, `there is no provider "${provider}".`);
    }
  };
  const parsed = ModelChoice.safeParse(choiceOf());
  if (!parsed.success) throw refused(written, 'the model, address or secret is missing.');
  return parsed.data;
};
