// Changes of a tool's arguments, one place at a time: what a destination that compares content must notice, each by itself.
// Owns: those changes. Whether the destination would take one under a key of its own is tried, not guessed.
import { canonicalJson, type Json, type JsonObject } from '../../functions/core/base/json.ts';
import type { ToolRegistration } from '../../functions/core/registry/tool.ts';

export interface Variant {
  /** Dotted path of what differs. */
  readonly path: string;
  readonly arguments: JsonObject;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partOf = (schema: Json | undefined, name: string): Json | undefined =>
  isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;

const otherChoice = (schema: Json | undefined, value: Json): Json | undefined =>
  isObject(schema) && Array.isArray(schema.enum)
    ? schema.enum.find((one: Json) => canonicalJson(one) !== canonicalJson(value))
    : undefined;

const dayMs = 86_400_000;
const isoTime = /^\d{4}-\d\d-\d\d(T|$)/;

/** Another value of the same kind; undefined for what has none that can be made up. */
const changed = (value: Json, schema: Json | undefined): Json | undefined => {
  const choice = otherChoice(schema, value);
  if (choice !== undefined) return choice;
  if (isObject(schema) && ('enum' in schema || 'const' in schema)) return undefined;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return undefined;
  if (isoTime.test(value) && Number.isFinite(Date.parse(value))) {
    const later = new Date(Date.parse(value) + dayMs).toISOString();
    return value.includes('T') ? later.replace(/\.000Z$/, 'Z') : later.slice(0, 10);
  }
  return /^-?\d+([.]\d+)?$/.test(value) ? String(Number(value) + 1) : `${value}, changed`;
};

const placesIn = (
  value: JsonObject,
  schema: Json | undefined,
  path: string,
): readonly (readonly [path: string, other: JsonObject])[] =>
  Object.entries(value).flatMap(([name, part]: [string, Json]) => {
    const where = path === '' ? name : `${path}.${name}`;
    const shape = partOf(schema, name);
    if (isObject(part))
      return placesIn(part, shape, where).map(
        ([deeper, other]) => [deeper, { ...value, [name]: other }] as const,
      );
    const other = changed(part, shape);
    return other === undefined ? [] : [[where, { ...value, [name]: other }] as const];
  });

/** Each place of the sample changed by itself, after what somebody said is a change; `most` of them. */
export const variantsOf = (
  sample: JsonObject,
  given: JsonObject,
  { arguments: schema }: ToolRegistration,
  most: number,
): readonly Variant[] => {
  const differing = Object.keys({ ...sample, ...given }).filter(
    (name) => canonicalJson(sample[name] ?? null) !== canonicalJson(given[name] ?? null),
  );
  const said = { path: differing.join(', '), arguments: given };
  const single = placesIn(sample, schema, '').map(([path, args]) => ({ path, arguments: args }));
  const rest = single.filter(({ path }) => path !== said.path);
  return [...(differing.length === 0 ? [] : [said]), ...rest].slice(0, most);
};

/** Paths in the sample that no variant changes. */
export const unchangedIn = (sample: JsonObject, variants: readonly Variant[]): readonly string[] =>
  Object.keys(sample).filter((name) =>
    variants.every(
      ({ arguments: args }) =>
        canonicalJson(args[name] ?? null) === canonicalJson(sample[name] ?? null),
    ),
  );
