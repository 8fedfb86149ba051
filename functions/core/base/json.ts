// JSON values, their canonical form and digest. Owns: the byte form that approvals and digests are made over.
// Laws: L6 (RFC 8785 canonical JSON, SHA-256).
// Tested in test/core/base/identity.test.ts.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const Json: z.ZodType<Json> = z.json() as z.ZodType<Json>;
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);

/**
 * The same value with every half of a character replaced by U+FFFD, as UTF-8 has it. JSON can escape such a half, but no store
 * keeps it and no digest tells one from another: what is digested must be what is kept and sent.
 */
export const wellFormed = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [name.toWellFormed(), wellFormed(of)]),
  );
};

/** RFC 8785 form. Throws a TypeError for what is no JSON (never reached for a parsed `Json`). */
export const canonicalJson = (value: Json): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The value has no JSON form.');
  return text;
};

/** `sha256:` + 64 hexadecimal digits. */
export const Digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .brand<'Digest'>();
export type Digest = z.infer<typeof Digest>;

export const digestOf = (value: Json): Digest =>
  Digest.parse(`sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`);

/** One own property or element; undefined when there is none. */
export const stepInto = (value: Json | undefined, part: string): Json | undefined =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, part)
    ? (value as { readonly [key: string]: Json })[part]
    : undefined;

/** Reads a dotted path (`a.b.0.c`) of own properties only; undefined when a part is missing. */
export const at = (value: Json | undefined, path: string): Json | undefined =>
  (path === '' ? [] : path.split('.')).reduce<Json | undefined>(stepInto, value);

export const digestOfBytes = (bytes: Uint8Array): Digest =>
  Digest.parse(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
