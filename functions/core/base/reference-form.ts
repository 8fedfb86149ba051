// The forms in which an action's reference can travel: destinations differ in what they take for a key or an id.
// Owns: the forms, and how each is made. Laws: L5 (each derives from the action's id alone: same for every attempt, different for
// every intention).
// Tested in test/core/recover/look-up.test.ts.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { derivedSuffix } from './ids.ts';

/**
 * `full` is the action's id (30 characters), `lower` the same in lower case; `uuid` a UUID (version 8); `short` 25 capitals and
 * digits; `base32hex` 26 characters of 0 to 9 and a to v.
 */
export const referenceForms = ['full', 'lower', 'uuid', 'short', 'base32hex'] as const;
export const ReferenceForm = z.enum(referenceForms);
export type ReferenceForm = z.infer<typeof ReferenceForm>;

const uuidOf = (reference: string): string => {
  const bytes = createHash('sha256').update(`uuid:${reference}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base32hex = '0123456789abcdefghijklmnopqrstuv';

export const inForm = (reference: string, form: ReferenceForm = 'full'): string => {
  switch (form) {
    case 'full':
      return reference;
    case 'lower':
      return reference.toLowerCase();
    case 'uuid':
      return uuidOf(reference);
    case 'short':
      return derivedSuffix('short', reference).slice(1);
    case 'base32hex':
      return [...derivedSuffix('base32hex', reference)]
        .map((sign) => base32hex[crockford.indexOf(sign)])
        .join('');
  }
};

/** `reference` or `reference:form`, as templates have it; undefined for anything else. */
export const formNamed = (text: string): ReferenceForm | undefined => {
  if (text === 'reference') return 'full';
  const [, form] = /^reference:(.+)$/.exec(text) ?? [];
  return referenceForms.find((one) => one === form);
};

/** The form that `$reference` or `$reference:form` asks for; undefined for what is neither. */
export const formAsked = (text: string): ReferenceForm | undefined =>
  text.startsWith('$') ? formNamed(text.slice(1)) : undefined;
