// Arguments against schemas, and what a registration is refused for.
import { describe, expect, it } from 'vitest';
import { argumentProblems, schemaProblems } from '../../../functions/adapters/tools/arguments.ts';
import { registrationProblems } from '../../../functions/adapters/tools/registration.ts';
import type { Json, JsonObject } from '../../../functions/core/base/json.ts';
import type {
  HttpTransport,
  ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';
import { registered } from './destination.ts';

const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    mail: { type: 'string', format: 'email' },
    kind: { enum: ['lead', 'customer'] },
    address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    open: { $ref: '#/$defs/anything' },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { anything: {} },
};

describe('arguments', () => {
  it.each([
    [{ name: 'Ada', mail: 'a@b.example', kind: 'lead', address: { city: 'Brest' } }, undefined],
    [{}, "The arguments must have required property 'name'."],
    [{ name: 7 }, 'name must be string.'],
    [{ name: 'Ada', mail: 'no' }, 'mail must match format "email".'],
    [
      { name: 'Ada', kind: 'x' },
      'kind must be equal to one of the allowed values (["lead","customer"]).',
    ],
    [{ name: 'Ada', more: 1 }, 'The arguments must NOT have additional properties ("more").'],
    [{ name: 'Ada', address: { city: 1 } }, 'address.city must be string.'],
  ] as const)('%j: %s', (args, expected) => {
    expect(argumentProblems(schema, args)).toBe(expected);
  });

  it('are not changed by the check', () => {
    const args = Object.freeze({ name: 'Ada' });
    const withDefault = {
      type: 'object',
      properties: { a: { default: 1 }, name: { type: 'string' } },
    };
    expect(argumentProblems(withDefault, args)).toBeUndefined();
    expect(args).toEqual({ name: 'Ada' });
  });

  it('with many problems show some of them', () => {
    const strings: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };
    const args = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, n]));
    expect(argumentProblems(strings, args)).toMatch(/a7 must be string; and 42 more\.$/);
  });
});

describe('schemas', () => {
  const nested = (depth: number): Json => (depth === 0 ? {} : { items: nested(depth - 1) });

  it.each([
    [schema, undefined],
    [
      { type: 'object', properties: { pattern: { type: 'string' }, $id: { type: 'string' } } },
      undefined,
    ],
    [{ type: 'object', properties: { a: { const: { $ref: 'http://x.example' } } } }, undefined],
    [{ type: 'object', properties: { me: { $ref: '#' } } }, undefined],
    [{ type: 'array' }, 'of type "object"'],
    [{}, 'of type "object"'],
    [
      { type: 'object', properties: { a: { $ref: 'http://x.example/s.json' } } },
      'within the schema',
    ],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, 'not valid JSON Schema'],
    [{ type: 'object', $id: 'x' }, '"$id" is not taken'],
    [{ type: 'object', $ref: '#' }, 'without end'],
    [{ type: 'object', properties: { a: { type: 'strin' } } }, 'not valid JSON Schema'],
    [{ type: 'object', properties: { a: { pattern: '(a+)+$' } } }, 'for ever'],
    [{ type: 'object', properties: { a: { pattern: '((a+))+$' } } }, 'for ever'],
    [{ type: 'object', patternProperties: { '^(a+)+$': {} } }, 'for ever'],
    [{ type: 'object', properties: { a: { pattern: '[' } } }, 'not valid JSON Schema'],
    [{ type: 'object', properties: { a: { pattern: 'a'.repeat(600) } } }, 'longer than 512'],
    [{ type: 'object', description: 'x'.repeat(70_000) }, 'at most 65536'],
    [{ type: 'object', properties: { a: nested(40) } }, 'deeper than 32'],
  ] as const)('%j', (given: JsonObject, why: string | undefined) => {
    const problems = schemaProblems(given);
    if (why === undefined) expect(problems).toEqual([]);
    else expect(problems.join(' ')).toContain(why);
  });
});

describe('registrations', () => {
  const http = (more: object, contract: Partial<ToolRegistrationInput['contract']> = {}) => ({
    ...registered(
      {
        kind: 'http',
        method: 'POST',
        url: 'https://crm.example/customers/{{args.name}}',
        body: { as: 'arguments' },
        ...more,
      } as HttpTransport,
      contract,
    ),
    arguments: schema,
  });
  const key = (place: object) => ({ key: { kind: 'reference', place } as never });

  it('that fit have no problems', () => {
    const fitting = http(
      {
        query: { city: '{{args.address.city}}', ref: '{{reference}}' },
        headers: { Authorization: 'Bearer {{secret:crm/key}}', 'X-Kind': '{{args.kind}}' },
        body: {
          as: 'json',
          template: { a: ['{{args}}', '{{args.open.any.thing}}', 'Hi {{args.name}}'] },
        },
      },
      key({ in: 'header', name: 'Idempotency-Key' }),
    );
    expect(registrationProblems(fitting)).toEqual([]);
  });

  it.each([
    [http({ url: 'https://crm.example/{{args.nobody}}' }), 'there is no argument "nobody"'],
    [http({ url: 'https://crm.example/{{args.kind}}' }), 'must be required'],
    [http({ url: 'https://{{args.name}}.example/' }), 'host may not come from an argument'],
    [http({ url: 'https://a:b@crm.example/' }), 'credentials'],
    [http({ url: 'ftp://crm.example/' }), 'only http and https'],
    [http({ url: '/customers' }), 'write it whole'],
    [http({ url: 'https://crm.example/?key={{secret:crm/key}}' }), 'headers and the body only'],
    [http({ query: { key: '{{secret:crm/key}}' } }), 'headers and the body only'],
    [http({ headers: { a: '{{secret:white space}}' } }), 'cannot be the name of a secret'],
    [http({ headers: { a: '{{env.HOME}}' } }), 'means nothing'],
    [http({ headers: { Authorization: 'Bearer sk-live-0123' } }), 'write {{secret:name}}'],
    [http({ headers: { 'X-API-Key': '{{args.name}}' } }), 'write {{secret:name}}'],
    [http({ headers: { cookie: 'session=1' } }), 'holds a credential'],
    [http({ headers: { 'x-auth-token': 'abc' } }), 'holds a credential'],
    [http({ headers: { 'x a\r\nb': 'c' } }), 'is no header name'],
    [http({ headers: { Host: 'other.example' } }), 'set by the connection'],
    [
      registered({
        kind: 'mcp',
        url: 'https://m.example',
        tool: 't',
        headers: { authorization: 'Bearer abc' },
      }),
      'holds a credential',
    ],
    [
      http({ body: { as: 'json', template: { a: 'Kind {{args.kind}}' } } }),
      'or the placeholder stand alone',
    ],
    [http({ body: { as: 'form', fields: { a: '{{args.nobody}}' } } }), 'there is no argument'],
    [http({ method: 'GET' }), 'a GET request has none'],
    [http({}, key({ in: 'path', name: 'id' })), 'has no placeholder {{id}}'],
    [
      http({ headers: { 'X-Key': 'fixed' } }, key({ in: 'header', name: 'x-key' })),
      'another value',
    ],
    [http({}, key({ in: 'header', name: 'not a header' })), 'is no header name'],
    [http({ body: undefined }, key({ in: 'body', path: 'key' })), 'the request has none'],
    [
      http(
        { body: { as: 'raw', contentType: 'text/plain', template: 'x' } },
        key({ in: 'body', path: 'a' }),
      ),
      'cannot be put into a raw body',
    ],
    [
      registered({ kind: 'lambda', functionArn: 'arn' }, key({ in: 'header', name: 'a' })),
      'in the arguments only',
    ],
    [
      registered(
        { kind: 'mcp', url: 'https://m.example', tool: 't', referenceArgument: 'a' },
        key({ in: 'body', path: 'b' }),
      ),
      'name different arguments',
    ],
    [
      registered({ kind: 'mcp', url: 'https://m.example/{{secret:a}}', tool: 't' }),
      'headers and the body only',
    ],
  ])('%# are refused: %s', (registration, why) => {
    expect(registrationProblems(registration).join(' ')).toContain(why);
  });
});
