// Remembers parsed expressions. Parsing costs more than anything else in a call, and callers send
// few different texts.
// Owns: the memory. dynalite's parser looks at the types of the values, not at the values, save in
// two places (bounds of BETWEEN, the name of a type), so that a parse can be reused with other
// values of the same types.

import { compare } from './compare.ts';
import type { ParseContext, Parser } from './dynalite.ts';
import { type AttributeValue, isObject, typeOf } from './values.ts';

type Values = Readonly<Record<string, AttributeValue>>;
type Rebuild = (values: Values) => unknown;

interface Parsed {
  readonly rebuild: Rebuild;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
  /** Pairs of value names that must be in order: the bounds of a BETWEEN. */
  readonly bounds: readonly (readonly [string, string])[];
}

const remembered = 2000;

const isPath = (node: readonly unknown[]): boolean =>
  node.every((piece) => typeof piece !== 'object');

/** A function that makes the same tree again with other values in the places of these. */
const rebuilder = (node: unknown, names: ReadonlyMap<unknown, string>): Rebuild => {
  const name = names.get(node);
  if (name !== undefined) return (values) => values[name];
  if (Array.isArray(node)) {
    if (isPath(node)) return () => node;
    const members = node.map((member) => rebuilder(member, names));
    return (values) => members.map((member) => member(values));
  }
  if (!isObject(node)) return () => node;
  const prototype: unknown = Object.getPrototypeOf(node);
  const members = Object.entries(node).map(
    ([key, member]) => [key, rebuilder(member, names)] as const,
  );
  // Looked up by attribute names, so that it must not inherit any; and never changed.
  if (prototype === null) return () => node;
  return (values) => {
    const copy: Record<string, unknown> = {};
    for (const [key, member] of members) copy[key] = member(values);
    return copy;
  };
};

interface Peculiar {
  readonly bounds: (readonly [string, string])[];
  reusable: boolean;
}

/** Finds the places where the parser looked at values. */
const inspect = (node: unknown, names: ReadonlyMap<unknown, string>, found: Peculiar): void => {
  if (typeof node !== 'object' || node === null || names.has(node)) return;
  if (isObject(node) && node.type === 'function' && node.name === 'attribute_type')
    found.reusable = false;
  if (isObject(node) && node.type === 'between' && Array.isArray(node.args)) {
    const [low, high] = node.args.slice(1).map((bound) => names.get(bound));
    if (low !== undefined && high !== undefined) found.bounds.push([low, high]);
  }
  for (const member of Object.values(node)) inspect(member, names, found);
};

const keyOf = (text: string, context: ParseContext): string => {
  let key = `${text.length}:${text}`;
  const { attrNames, attrVals } = context;
  for (const name in attrNames) key += `\n${name}${JSON.stringify(attrNames[name])}`;
  for (const name in attrVals) {
    const value = attrVals[name];
    key += `\n${name}${value && typeOf(value)}`;
  }
  return context.isKeyCondition ? `${key}\n=` : key;
};

const allOf = (named: object | undefined): Record<string, true> =>
  Object.fromEntries(Object.keys(named ?? {}).map((name) => [name, true] as const));

/** Parses with a context of its own, to see which names and values the text itself uses. */
const parse = (parser: Parser['parse'], text: string, context: ParseContext) => {
  const unusedAttrNames = allOf(context.attrNames);
  const unusedAttrVals = allOf(context.attrVals);
  const result = parser(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
  const used = (named: object | undefined, unused: object): string[] =>
    Object.keys(named ?? {}).filter((name) => !Object.hasOwn(unused, name));
  return {
    result,
    usedNames: used(context.attrNames, unusedAttrNames),
    usedValues: used(context.attrVals, unusedAttrVals),
  };
};

/** A parser like the given one that remembers. */
export const remembering = (original: Parser['parse']): Parser['parse'] => {
  const memory = new Map<string, Parsed>();
  const learn = (key: string, text: string, context: ParseContext): unknown => {
    const { result, usedNames, usedValues } = parse(original, text, context);
    for (const name of usedNames) delete context.unusedAttrNames[name];
    for (const name of usedValues) delete context.unusedAttrVals[name];
    if (!isObject(result)) return result; // the text of an error
    const names = new Map<unknown, string>();
    for (const [name, value] of Object.entries(context.attrVals ?? {})) names.set(value, name);
    // One object under two names could not be told apart in the tree.
    const distinct = names.size === Object.keys(context.attrVals ?? {}).length;
    const found: Peculiar = { bounds: [], reusable: distinct };
    inspect(result, names, found);
    if (!found.reusable) return result;
    if (memory.size >= remembered) memory.clear();
    const rebuild = rebuilder(result, names);
    memory.set(key, { rebuild, usedNames, usedValues, bounds: found.bounds });
    return result;
  };
  return (text, { context }) => {
    const key = keyOf(text, context);
    const known = memory.get(key);
    const values = context.attrVals ?? {};
    const disordered = known?.bounds.some(([low, high]) => {
      const [from, to] = [values[low], values[high]];
      return from && to && compare('>', from, to);
    });
    if (known === undefined || disordered) return learn(key, text, context);
    for (const name of known.usedNames) delete context.unusedAttrNames[name];
    for (const name of known.usedValues) delete context.unusedAttrVals[name];
    return known.rebuild(values);
  };
};
