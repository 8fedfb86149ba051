// The parts that the demo's registrations share: its secret's name, its destination, and how its own replies look.

import type { JsonObject } from '../../functions/core/base/json.ts';
import type { ReplyPattern } from '../../functions/core/registry/reply-pattern.ts';

/** The name under which the demo's bearer token is kept in the secret store. */
export const demoSecretName = 'reprise/demo-token';

export const demoHeaders = { authorization: `Bearer {{secret:${demoSecretName}}}` };

export const demoDestination = (provider: string) => ({
  provider,
  account: 'demo-account',
  environment: 'test',
  apiVersion: '1',
});

/** Fields by which a reply of the demo’s own account and environment is known. */
export const ours = (prefix = '') => [
  { path: `${prefix}account`, equals: 'demo-account' },
  { path: `${prefix}environment`, equals: 'test' },
];

/** A reply of the demo's own account and environment (found below `prefix`) with one of `status` and a value at `path`. */
export const ownReply = (status: number[], path: string, prefix = ''): ReplyPattern => ({
  status,
  fields: [...ours(prefix), { path, exists: true }],
});

export const text = (description: string, maxLength = 128) => ({
  type: 'string' as const,
  description,
  minLength: 1,
  maxLength,
});

export const object = (properties: JsonObject) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
