// What is wrong with a field, in words: both languages state the same facts for every kind of fault that a schema can find.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrorsOf } from '../../../../functions/api/problems/field-errors.ts';
import { ChatInput } from '../../../../functions/api/projections/ai-sdk-input.ts';
import { ReplyPattern } from '../../../../functions/core/registry/reply-pattern.ts';
import { Transport } from '../../../../functions/core/registry/tool.ts';

const told = (schema: z.ZodType, input: unknown) => {
  const { error } = schema.safeParse(input);
  if (error === undefined) throw new Error('The sample is in order.');
  const of = fieldErrorsOf(error, input);
  return { en: of('en'), fr: of('fr') };
};

/** Numbers, and what stands between quotes or slashes: what one has to know to mend it. */
const factsIn = (reason: string): string[] =>
  [
    ...reason
      .replaceAll(/«[\s\u00a0]([^»]*)[\s\u00a0]»/g, '"$1"')
      .matchAll(/"[^"]*"|'[^']*'|\/[^/]+\/|\d+/g),
  ]
    .map(([fact]) => fact)
    .toSorted();

type Code = z.core.$ZodIssue['code'];
const samples: { readonly [C in Code]: readonly (readonly [z.ZodType, unknown])[] } = {
  invalid_type: [
    [z.string(), 1],
    [z.number(), 'x'],
    [z.strictObject({ a: z.array(z.string()) }), { a: {} }],
  ],
  invalid_value: [
    [z.enum(['one', 'two']), 'three'],
    [z.literal('one'), 'two'],
  ],
  too_big: [
    [z.string().max(3), 'four'],
    [z.number().lt(3), 3],
    [z.array(z.string()).max(1), ['a', 'b']],
    [z.string().length(3), 'four'],
  ],
  too_small: [
    [z.string().min(3), 'ab'],
    [z.number().gt(3), 3],
    [z.string().length(3), 'ab'],
  ],
  invalid_format: [
    [z.iso.datetime(), 'yesterday'],
    [z.string().regex(/^a+$/), 'b'],
    [z.string().startsWith('ab'), 'b'],
    [z.url(), 'b'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 7]],
  unrecognized_keys: [[z.strictObject({}), { one: 1, two: 2 }]],
  invalid_key: [[z.record(z.string().max(3), z.string()), { four: 'x' }]],
  invalid_element: [[z.map(z.string(), z.string().max(3)), new Map([['a', 'four']])]],
  invalid_union: [
    [Transport, { kind: 'pigeon' }],
    [z.union([z.string().max(3), z.number()]), 'four'],
    [z.xor([z.string(), z.string().max(9)]), 'four'],
  ],
  custom: [
    [ChatInput, { id: 'x', messages: [] }],
    [ReplyPattern, {}],
  ],
};

describe.each(Object.entries(samples))('%s', (_, cases) => {
  test.each(cases.map(([schema, input], index) => [index, schema, input] as const))(
    'sample %i says the same in both languages',
    (_, schema, input) => {
      const { en, fr } = told(schema, input);
      expect(fr.map(({ field, code }) => [field, code])).toEqual(
        en.map(({ field, code }) => [field, code]),
      );
      for (const [index, { reason }] of en.entries()) {
        const french = fr[index]?.reason ?? '';
        expect(factsIn(french), french).toEqual(factsIn(reason));
        expect(french).not.toBe(reason);
        expect(reason, 'says more than that it is wrong').not.toBe('Invalid input');
        expect(french).not.toBe('Entrée invalide');
      }
    },
  );
});

test('exactly so many is no "at most" in French', () => {
  expect(told(z.string().length(3), 'four').fr[0]?.reason).toContain('exactement 3');
});

test('the values that a discriminator may have are listed', () => {
  const { en, fr } = told(Transport, { kind: 'pigeon' });
  for (const kind of ['http', 'mcp', 'lambda']) {
    expect(en[0]?.reason).toContain(`'${kind}'`);
    expect(fr[0]?.reason).toContain(`'${kind}'`);
  }
});

test('what fits none of several forms is told by the nearest one, at its own place', () => {
  const form = z.strictObject({
    of: z.union([z.string(), z.strictObject({ name: z.string(), size: z.int().max(4) })]),
  });
  expect(told(form, { of: { name: 'a', size: 5 } }).en).toMatchObject([
    { field: 'of.size', code: 'too_big' },
  ]);
  expect(told(form, { of: 1 }).fr).toMatchObject([{ field: 'of', code: 'invalid_union' }]);
});
