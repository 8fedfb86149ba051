// Checks the JSON types of a request against dynalite's descriptions of it, in place of dynalite's
// `checkTypes`.
// Owns: the compiled checks. Compared with dynalite: the caller's object is left as it is, null
// members are refused, names such as `__proto__` are names like any other, and each description is
// read once.

import { invalid, Refusal } from './answers.ts';
import { type Body, isObject } from './values.ts';

/** Returns the value as the service understands it; throws its refusal. */
type Check = (value: unknown) => unknown;
type Description = string | { readonly type: string; readonly children?: unknown };

const malformed = (message: string): Refusal => {
  const refusal = new Refusal('SerializationException', message);
  // AWS spells the message of this one with a capital.
  return Object.assign(refusal, { body: { ...refusal.body, Message: message } });
};

const collection = (value: unknown, className: string): Refusal =>
  malformed(
    Array.isArray(value)
      ? `Unrecognized collection type ${className}`
      : 'Start of structure or map found where not expected',
  );

const javaName = { String: 'java.lang.String', Boolean: 'java.lang.Boolean' } as const;

const tokenName = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'TRUE_VALUE' : 'FALSE_VALUE';
  if (typeof value === 'number') return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE';
  return 'STRING_VALUE';
};

const string: Check = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object') throw collection(value, `class ${javaName.String}`);
  throw malformed(`${tokenName(value)} cannot be converted to String`);
};

const words: Readonly<Record<string, boolean>> = {
  TRUE: true,
  YES: true,
  '1': true,
  FALSE: false,
  NO: false,
  '0': false,
};

const boolean: Check = (value) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') throw collection(value, `class ${javaName.Boolean}`);
  if (typeof value !== 'string')
    throw malformed(`${tokenName(value)} cannot be converted to Boolean`);
  const meant = words[value.toUpperCase()];
  if (meant === undefined) throw malformed('Unexpected token received from parser');
  return meant;
};

const number =
  (type: string): Check =>
  (value) => {
    if (typeof value === 'number') return type === 'Double' ? value : Math.floor(value);
    if (typeof value === 'object') throw collection(value, `class java.lang.${type}`);
    throw malformed(`${tokenName(value)} cannot be converted to ${type}`);
  };

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const blob: Check = (value) => {
  if (typeof value === 'object') throw collection(value, 'class java.nio.ByteBuffer');
  if (typeof value !== 'string')
    throw malformed('only base-64-encoded strings are convertible to bytes');
  if (value.length % 4 !== 0)
    throw malformed(
      `Base64 encoded length is expected a multiple of 4 bytes but found: ${value.length}`,
    );
  const padded = value.endsWith('=');
  if (!base64.test(value) || (padded && Buffer.from(value, 'base64').toString('base64') !== value))
    throw malformed('Invalid last non-pad Base64 character dectected');
  return value;
};

/** Members of sets may not be null. */
const present =
  (check: Check, kind: string): Check =>
  (value) => {
    if (value === null || value === undefined)
      throw invalid(
        `One or more parameter values were invalid: An ${kind} set may not have a null ${kind} as a member`,
      );
    return check(value);
  };

const list =
  (member: Check): Check =>
  (value) => {
    if (Array.isArray(value)) return value.map(member);
    throw malformed(
      isObject(value)
        ? 'Start of structure or map found where not expected'
        : 'Unexpected field type',
    );
  };

/** Sets a member whatever its name. */
const put = (target: Body, name: string, value: unknown): void => {
  if (name !== '__proto__') target[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
};

const map =
  (member: Check, of: string): Check =>
  (value) => {
    if (!isObject(value))
      throw malformed(
        Array.isArray(value)
          ? `Unrecognized collection type java.util.Map<java.lang.String, ${of}>`
          : 'Unexpected field type',
      );
    const checked: Body = {};
    for (const name of Object.keys(value)) put(checked, name, member(value[name]));
    return checked;
  };

/** Members that the description does not name vanish, as they do in AWS. */
const structure = (
  members: ReadonlyMap<string, Check>,
  of: string,
  scalarRefusal: string,
): Check => {
  const names = [...members];
  return (value) => {
    if (!isObject(value))
      throw malformed(
        Array.isArray(value)
          ? `Unrecognized collection type class com.amazonaws.dynamodb.v20120810.${of}`
          : scalarRefusal,
      );
    const checked: Body = {};
    for (const [name, check] of names) {
      const member = value[name];
      if (member !== undefined && member !== null) checked[name] = check(member);
    }
    return checked;
  };
};

/** A typed value. A missing one becomes the empty value, which the next check refuses. */
const attribute = (scalarRefusal: string): Check => {
  const value: Check = (given) => (given === null || given === undefined ? {} : of(given));
  const strings = list(present(string, 'string'));
  const of = structure(
    new Map<string, Check>([
      ['S', string],
      ['B', blob],
      ['N', string],
      ['BOOL', boolean],
      ['NULL', boolean],
      ['BS', list(present(blob, 'binary'))],
      ['NS', list(present(string, 'number'))],
      ['SS', strings],
      ['L', list((member) => nested(member))],
      ['M', map((member) => nested(member), 'com.amazonaws.dynamodb.v20120810.AttributeValue')],
    ]),
    'AttributeValue',
    scalarRefusal,
  );
  return value;
};
const nested: Check = attribute('Unexpected value type in payload');
const field: Check = attribute('Unexpected field type');

const membersOf = (children: unknown): ReadonlyMap<string, Check> =>
  new Map(
    Object.entries(children as Readonly<Record<string, Description>>).map(
      ([name, description]) => [name, compiled(description)] as const,
    ),
  );

/** A structure's own member, or null for one that is missing where a list or map needs it. */
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined ? null : check(value);

const compiled = (description: Description): Check => {
  const { type, children } =
    typeof description === 'string' ? { type: description, children: undefined } : description;
  const [, base = type, of = ''] = /^(\w+)<(.+)>$/.exec(type) ?? [];
  if (base === 'AttrStruct') return of === 'FieldStruct' ? field : nested;
  if (base === 'String') return string;
  if (base === 'Boolean') return boolean;
  if (base === 'Blob') return blob;
  if (['Short', 'Integer', 'Long', 'Double'].includes(base)) return number(base);
  if (base === 'ValueStruct')
    return structure(membersOf(children), of, 'Unexpected value type in payload');
  if (base === 'FieldStruct') return structure(membersOf(children), of, 'Unexpected field type');
  const inner = compiled(children as Description);
  const member = inner === nested ? inner : orNull(inner);
  if (base === 'List' || base === 'ParameterizedList') return list(member);
  const name = of.includes('.') ? of : `com.amazonaws.dynamodb.v20120810.${of || 'AttributeValue'}`;
  if (base === 'Map' || base === 'ParameterizedMap') return map(member, name);
  throw new Error(`dynalite describes a request with an unknown type ${type}`);
};

/** Compiles the check of a whole request. */
export const requestShape = (types: Body): ((body: Body) => Body) => {
  const check = structure(membersOf(types), 'Request', 'Unexpected value type in payload');
  return (body) => check(body) as Body;
};
