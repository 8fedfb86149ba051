// Where an action's reference is put into what is sent, whatever the transport, and what a place could not carry.
// Owns: the key's place in arguments and bodies, lists and texts among them. Laws: L5 (what a contract declares to travel does, or is
// refused when it is registered), L1 (a call that cannot be formed never leaves).
// Tested in test/functions/adapters/reference-place.test.ts.

import { type Json, type JsonObject, stepInto } from '../../core/base/json.ts';
import { inForm } from '../../core/base/reference-form.ts';
import type { Contract } from '../../core/registry/contract.ts';
import type { ToolRegistration } from '../../core/registry/tool.ts';
import { ToolMisconfigured } from '../../ports/tool.ts';
import { fillText, placeholdersIn, wholePlaceholder } from './templates.ts';

type Place = Extract<Contract['key'], { place: unknown }>['place'];

export const placeOf = (contract: Contract): Place | undefined =>
  contract.key.kind === 'none' ? undefined : contract.key.place;

/** The URL placeholder that the contract's key place names, if it is one. */
export const pathPlaceOf = (contract: Contract): string | undefined => {
  const place = placeOf(contract);
  return place?.in === 'path' ? place.name : undefined;
};

/** The reference in the form that the contract's key declares. */
export const carriedReference = ({ key }: Contract, reference: string): string =>
  key.kind === 'none' ? reference : inForm(reference, key.form);

const isIndex = (part: string): boolean => /^\d{1,4}$/.test(part);

/**
 * A copy of `value` with `path` (dotted) set; missing objects are made, elements of lists are not. Throws ToolMisconfigured where
 * something else is in the way.
 */
export const withPath = (value: JsonObject, path: string, set: Json): JsonObject => {
  const [key = '', ...rest] = path.split('.');
  const inner = Object.hasOwn(value, key) ? value[key] : undefined;
  return { ...value, [key]: within(inner, rest, set, { path, name: key }) };
};

const within = (
  value: Json | undefined,
  rest: readonly string[],
  set: Json,
  at: { readonly path: string; readonly name: string },
): Json => {
  const [key, ...more] = rest;
  if (key === undefined) return set;
  const { path, name } = at;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const index = Number(key);
    if (!isIndex(key) || index >= list.length)
      throw new ToolMisconfigured(
        `The reference cannot be put at "${path}": "${name}" has no element ${key}.`,
      );
    return list.with(index, within(list[index], more, set, { path, name: key }));
  }
  if (value === null || (value !== undefined && typeof value !== 'object'))
    throw new ToolMisconfigured(
      `The reference cannot be put at "${path}": "${name}" is no object.`,
    );
  const object = (value ?? {}) as JsonObject;
  if (value === undefined && isIndex(key))
    throw new ToolMisconfigured(
      `The reference cannot be put at "${path}": "${name}" has no element ${key}.`,
    );
  return { ...object, [key]: within(stepInto(object, key), more, set, { path, name: key }) };
};

interface Carried {
  readonly arguments: JsonObject;
  readonly reference: string;
}

/** What stands at a place in a body: the reference, or the text that it is a part of. Throws ToolMisconfigured. */
export const placedText = (contract: Contract, { arguments: args, reference }: Carried): string => {
  const place = placeOf(contract);
  const carried = carriedReference(contract, reference);
  return place?.in === 'body' && place.text !== undefined
    ? fillText(place.text, { arguments: args, reference: carried, secrets: new Map() })
    : carried;
};

/** A body or arguments with the reference where the contract puts it. Throws ToolMisconfigured. */
export const withReference = (value: JsonObject, contract: Contract, of: Carried): JsonObject => {
  const place = placeOf(contract);
  return place?.in === 'body' ? withPath(value, place.path, placedText(contract, of)) : value;
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a path cannot be put into what a schema describes; undefined when it can. A list must be known to have the element. */
const schemaProblem = (
  schema: Json | undefined,
  parts: readonly string[],
  given: boolean,
): string | undefined => {
  const [part, ...rest] = parts;
  if (part === undefined) return undefined;
  const of = isObject(schema) ? schema : {};
  if (of.type === 'array' || (isIndex(part) && of.type === undefined && !isObject(of.properties))) {
    if (!isIndex(part)) return `"${part}" is no number of an element.`;
    const holds = typeof of.minItems === 'number' && of.minItems > Number(part);
    return holds && given
      ? schemaProblem(of.items, rest, true)
      : `there may be no element ${part}. Make the list required, with "minItems": ${Number(part) + 1}.`;
  }
  if (of.type !== undefined && of.type !== 'object')
    return `what stands before "${part}" is no object.`;
  const known = isObject(of.properties) ? of.properties[part] : undefined;
  const required = Array.isArray(of.required) && of.required.includes(part);
  return schemaProblem(known, rest, given && required);
};

/** The same for a template: what it writes out is there, and an argument put whole is as its schema says. */
const templateProblem = (
  template: Json | undefined,
  parts: readonly string[],
  schema: JsonObject,
): string | undefined => {
  const [part, ...rest] = parts;
  if (part === undefined) return undefined;
  if (Array.isArray(template))
    return isIndex(part) && Number(part) < template.length
      ? templateProblem(template[Number(part)], rest, schema)
      : `the template’s list has no element ${part}.`;
  if (typeof template === 'string') {
    const whole = wholePlaceholder(template);
    return whole?.of === 'argument'
      ? schemaProblem(schema, [...whole.path.split('.'), ...parts], true)
      : `what stands before "${part}" is a text.`;
  }
  if (template === undefined && isIndex(part)) return `there is no list for element ${part}.`;
  return template !== undefined && !isObject(template)
    ? `what stands before "${part}" is no object.`
    : templateProblem(isObject(template) ? template[part] : undefined, rest, schema);
};

/** The text around the reference: the reference in it, and of a key nothing else that could differ (L5). */
const textProblems = ({ contract, arguments: schema }: ToolRegistration): readonly string[] => {
  const place = placeOf(contract);
  if (place?.in !== 'body' || place.text === undefined) return [];
  const placeholders = placeholdersIn(place.text);
  const { required } = schema;
  const must = Array.isArray(required) ? required : [];
  return [
    ...(placeholders.some(({ of }) => of === 'reference')
      ? []
      : ['key: its text has no {{reference}}.']),
    ...placeholders.flatMap((one) => {
      if (one.of === 'reference')
        return one.form === 'full' ? [] : ['key: its form is said by "form", not in the text.'];
      if (one.of !== 'argument')
        return ['key: its text may hold {{reference}} and arguments only.'];
      if (contract.key.kind === 'key')
        return ['key: a key is made of the reference alone. Take the argument out of its text.'];
      return must.includes(one.path.split('.', 1)[0] ?? '')
        ? []
        : [`key: the argument "${one.path}" in its text must be required.`];
    }),
  ];
};

/** Why the reference could not be put where it is declared, one sentence each; empty when it can. */
export const bodyPlaceProblems = (registration: ToolRegistration): readonly string[] => {
  const { transport, contract, arguments: schema } = registration;
  const place = placeOf(contract);
  const argument = transport.kind === 'mcp' ? transport.referenceArgument : undefined;
  const path = place?.in === 'body' ? place.path : argument;
  if (path === undefined) return [];
  // A form has flat fields: the path is the field's name.
  if (transport.kind === 'http' && transport.body?.as === 'form') return textProblems(registration);
  const parts = path.split('.');
  const template =
    transport.kind === 'http' && transport.body?.as === 'json'
      ? transport.body.template
      : undefined;
  const problem =
    template === undefined
      ? schemaProblem(schema, parts, true)
      : templateProblem(template, parts, schema);
  return [
    ...(problem === undefined ? [] : [`key: it cannot be put at "${path}": ${problem}`]),
    ...textProblems(registration),
  ];
};
