// What a provider's error means for a run: worth another try, or not. Owns: that table, one per provider.
// A model call changes nothing outside, so what is not known here is worth another try.
// Laws: L18 (a provider may quote the key it was given; it is blotted out).
// Tested in test/functions/adapters/model.test.ts.

import type { RetryAfter } from '../../core/base/retry-after.ts';
import type { ModelChoice } from '../../core/registry/agent.ts';
import { ModelFailed } from '../../ports/model.ts';

export type Provider = Exclude<ModelChoice['provider'], 'scripted'>;
type Kind = ModelFailed['kind'];

interface Table {
  readonly statuses: { readonly [status: number]: Kind };
  /** Any other 4xx, any other status. */
  readonly otherClientErrors: Kind;
  readonly otherStatuses: Kind;
  /** Error types and codes in a body or a stream that mean "not so, ever". They outweigh the status. */
  readonly finalWords: readonly string[];
}

const statuses = { 408: 'passing', 409: 'passing', 425: 'passing', 429: 'passing' } as const;

const tables: { readonly [provider in Provider]: Table } = {
  bedrock: {
    // 424: the model itself failed while answering.
    statuses: { ...statuses, 424: 'passing' },
    otherClientErrors: 'final',
    otherStatuses: 'passing',
    finalWords: ['validationException', 'accessDeniedException', 'resourceNotFoundException'],
  },
  anthropic: {
    statuses,
    otherClientErrors: 'final',
    otherStatuses: 'passing',
    finalWords: [
      'invalid_request_error',
      'authentication_error',
      'billing_error',
      'permission_error',
      'not_found_error',
      'request_too_large',
    ],
  },
  'openai-compatible': {
    statuses,
    otherClientErrors: 'final',
    otherStatuses: 'passing',
    finalWords: [
      'insufficient_quota',
      'invalid_api_key',
      'model_not_found',
      'context_length_exceeded',
      'invalid_request_error',
    ],
  },
};

/** Errors that the SDK raises before anything is asked of the provider. */
const misuse = new Set([
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_NoSuchModelError',
  'AI_UnsupportedFunctionalityError',
]);

interface Facts {
  readonly name: string;
  readonly status: number | undefined;
  readonly words: readonly string[];
  readonly message: string;
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** `type` and `code` of an error, however deep the provider wraps it. */
const wordsIn = (value: unknown, depth = 0): readonly string[] => {
  if (!isRecord(value) || depth > 3) return [];
  const here = [value.type, value.code].filter((word) => typeof word === 'string');
  const inside = [value.error, value.data, value.cause].flatMap((one) => wordsIn(one, depth + 1));
  return [...here, ...inside];
};

const messageIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return value;
  if (!isRecord(value) || depth > 3) return undefined;
  if (typeof value.message === 'string' && value.message !== '') return value.message;
  return messageIn(value.error, depth + 1);
};

/** The provider's word on when to come back, in the headers of its refusal. */
const retryAfterIn = (error: unknown): RetryAfter => {
  const headers = isRecord(error) && isRecord(error.responseHeaders) ? error.responseHeaders : {};
  const named = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { ms: named('retry-after-ms'), after: named('retry-after') };
};

const factsOf = (error: unknown): Facts => ({
  name: error instanceof Error ? error.name : 'error',
  status: isRecord(error) && typeof error.statusCode === 'number' ? error.statusCode : undefined,
  words: wordsIn(error),
  message: messageIn(error) ?? 'it did not say why',
});

const kindOf = ({ name, status, words }: Facts, table: Table): Kind => {
  if (misuse.has(name) || words.some((word) => table.finalWords.includes(word))) return 'final';
  if (status === undefined) return 'passing';
  const listed = table.statuses[status];
  if (listed !== undefined) return listed;
  return status >= 400 && status < 500 ? table.otherClientErrors : table.otherStatuses;
};

const messageCharactersMax = 300;

/** What to do, in a sentence. */
const adviceOf = (kind: Kind, status: number | undefined): string => {
  if (kind === 'passing') return 'It is worth another try.';
  if (status === 401 || status === 403) return 'Check the key and what it may use.';
  if (status === 404) return 'Check the model’s name and the address.';
  return 'Another try will not help: change the agent’s model, options or messages.';
};

/** `blot` takes the key out of what the provider says. */
export const failureOf = (
  provider: Provider,
  error: unknown,
  blot: (text: string) => string,
): ModelFailed => {
  const facts = factsOf(error);
  const kind = kindOf(facts, tables[provider]);
  const said = blot(facts.message).replace(/\s+/g, ' ').slice(0, messageCharactersMax);
  const status = facts.status === undefined ? '' : ` with status ${facts.status}`;
  const quoted = facts.status === 401 || facts.status === 403 ? '' : `: ${said}`;
  return new ModelFailed(
    kind,
    `The model provider ${provider} failed${status}${quoted}. ${adviceOf(kind, facts.status)}`,
    kind === 'passing' ? { retryAfter: retryAfterIn(error) } : {},
  );
};
