// The action's reference in list elements, inside texts and in other forms: it arrives so, by every transport, or the registration
// is refused with the reason (L5).
import { afterEach, describe, expect, it, test } from 'vitest';
import { withReference } from '../../../functions/adapters/tools/reference-place.ts';
import { registrationProblems } from '../../../functions/adapters/tools/registration.ts';
import type { JsonObject } from '../../../functions/core/base/json.ts';
import { inForm, referenceForms } from '../../../functions/core/base/reference-form.ts';
import type {
  ToolRegistration,
  ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';
import {
  closeDestinations,
  httpDestination,
  registered,
  sendOf,
  testCarrier,
} from './destination.ts';
import { closeMcpServers, mcpServer } from './mcp-server.ts';

type Key = NonNullable<ToolRegistrationInput['contract']['key']>;
const reference = 'act_01J0000000000000000000000A';

afterEach(async () => {
  await closeDestinations();
  await closeMcpServers();
});

const list = { type: 'array', minItems: 1, items: { type: 'object' } } as const;
const schemaOf = (entities: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties: { entities, title: { type: 'string' } },
  required: [...required],
});
const inList: Key = { kind: 'reference', place: { in: 'body', path: 'entities.0.name' } };
const inText: Key = {
  kind: 'reference',
  place: { in: 'body', path: 'title', text: '{{args.title}} ({{reference}})' },
};
const transports: readonly ToolRegistrationInput['transport'][] = [
  { kind: 'http', method: 'POST', url: 'https://a.test/', body: { as: 'arguments' } },
  { kind: 'mcp', url: 'https://a.test/mcp', tool: 'create_entities' },
  { kind: 'lambda', functionArn: 'arn:aws:lambda:eu-west-1:1:function:f' },
];
const toolOf = (
  transport: ToolRegistrationInput['transport'],
  key: Key,
  schema: JsonObject,
): ToolRegistration => ({ ...registered(transport, { key }), arguments: schema });

describe.each(transports)('$kind', (transport) => {
  const problems = (key: Key, schema: JsonObject) =>
    registrationProblems(toolOf(transport, key, schema));

  it('takes a reference into a list that is known to hold the element, and inside a text', () => {
    const both = schemaOf(list, ['entities', 'title']);
    expect(problems(inList, both)).toEqual([]);
    expect(problems(inText, both)).toEqual([]);
  });

  it.each([
    ['it may be empty', inList, schemaOf({ type: 'array' }, ['entities'])],
    ['it may be missing', inList, schemaOf(list, [])],
    ['it is a text', inList, schemaOf({ type: 'string' }, ['entities'])],
    ['its argument is optional', inText, schemaOf(list, [])],
    [
      'its text has no reference',
      { ...inText, place: { in: 'body', path: 'title', text: 'x' } } as Key,
      schemaOf(list, ['title']),
    ],
  ])('is refused with the reason: %s', (_, key, schema) => {
    expect(problems(key, schema)).toEqual([expect.stringMatching(/^key: /)]);
  });
});

it('leaves the other elements as they are', () => {
  const { contract } = toolOf(
    { kind: 'mcp', url: 'https://a.test/mcp', tool: 'create' },
    inList,
    schemaOf(list, ['entities']),
  );
  const args = { entities: [{ name: 'a', kind: 'x' }, { name: 'b' }] };
  expect(withReference(args, contract, { arguments: args, reference })).toEqual({
    entities: [{ name: reference, kind: 'x' }, { name: 'b' }],
  });
});

it('arrives in a template’s list and in another form by HTTP, and inside a text by MCP', async () => {
  const shop = await httpDestination((_seen, response) => response.writeHead(201).end());
  const http = registered(
    {
      kind: 'http',
      method: 'POST',
      url: `${shop.url}/{{reference:short}}`,
      headers: { 'x-id': 'o-{{reference:base32hex}}' },
      body: { as: 'json', template: { items: [{ sku: 1 }] } },
    },
    { key: { kind: 'reference', form: 'uuid', place: { in: 'body', path: 'items.0.ref' } } },
  );
  expect(registrationProblems(http)).toEqual([]);
  await testCarrier().send(sendOf(http));
  const [seen] = shop.seen;
  expect(JSON.parse(seen?.body ?? '')).toEqual({
    items: [{ sku: 1, ref: inForm(reference, 'uuid') }],
  });
  expect(seen?.url).toBe(`/${inForm(reference, 'short')}`);
  expect(seen?.headers['x-id']).toBe(`o-${inForm(reference, 'base32hex')}`);

  const server = await mcpServer();
  const mcp = registered(
    { kind: 'mcp', url: server.url, tool: 'add' },
    {
      key: {
        kind: 'reference',
        place: { in: 'body', path: 'name', text: '{{args.name}} ({{reference}})' },
      },
    },
  );
  await testCarrier().send(sendOf(mcp, { name: 'Ada' }));
  expect(server.done).toEqual([`Ada (${reference})`]);
});

test('each form derives from the reference alone, differs for another, and has its shape', () => {
  const shapes = {
    full: /^act_[0-9A-Z]{26}$/,
    lower: /^act_[0-9a-z]{26}$/,
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    short: /^[0-9A-Z]{25}$/,
    base32hex: /^[0-9a-v]{26}$/,
  };
  for (const form of referenceForms) {
    expect(inForm(reference, form)).toMatch(shapes[form]);
    expect(inForm(reference, form)).toBe(inForm(reference, form));
    expect(inForm(reference.replace(/A$/, 'B'), form)).not.toBe(inForm(reference, form));
  }
});
