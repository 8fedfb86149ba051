// Remembered parses are indistinguishable from fresh ones.

import { describe, expect, it } from 'vitest';
import { compare } from '../../../local/dynamodb/compare.ts';
import type { ParseContext, Parser } from '../../../local/dynamodb/dynalite.ts';
import { remembering } from '../../../local/dynamodb/expressions.ts';
import { freshParse } from '../../../local/dynamodb/replacements.ts';
import type { AttributeValue } from '../../../local/dynamodb/values.ts';
import { at, ok, openThings, refused } from './twin.ts';

/** dynalite's parsers look these two up in the context. */
const lookups = { isReserved: (name: string) => name === 'size', compare };

const context = (
  attrNames: Record<string, string>,
  attrVals: Record<string, AttributeValue>,
): ParseContext => {
  const flags = (named: object) =>
    Object.fromEntries(Object.keys(named).map((name) => [name, true]));
  const unused = { unusedAttrNames: flags(attrNames), unusedAttrVals: flags(attrVals) };
  return { attrNames, attrVals, ...unused, ...lookups };
};

const names = { '#a': 'alpha', '#b': 'beta', '#unused': 'x' };
const texts: [string, Parser['parse'], string][] = [
  ['a condition', freshParse.condition, '#a = :v AND (NOT #b.c[1] < :w OR size(#a) > :v)'],
  ['BETWEEN and IN', freshParse.condition, '#a BETWEEN :v AND :w OR #b IN (:v, :w)'],
  ['an unknown value', freshParse.condition, '#a = :nowhere'],
  ['a syntax error', freshParse.condition, '#a = = :v'],
  ['a reserved word', freshParse.condition, 'size = :v'],
  ['a type', freshParse.condition, 'attribute_type(#a, :v)'],
  ['an update', freshParse.update, 'SET #a = if_not_exists(#b, :v) + :w, c.d = :v REMOVE e'],
];

const parsed = (parser: Parser['parse'], text: string, given: ParseContext): unknown => {
  try {
    return parser(text, { context: given });
  } catch (error) {
    return String(error);
  }
};

describe('a remembered parse', () => {
  for (const [what, original, text] of texts)
    it(`of ${what} equals a fresh one, whatever the values, and marks what it used`, () => {
      const memory = remembering(original);
      const numbers: AttributeValue[] = [{ N: '1' }, { N: '9' }, { N: '5' }];
      const values: AttributeValue[] = [
        ...numbers,
        { S: 'S' },
        { S: 'no type' },
        { L: [{ N: '1' }] },
      ];
      for (let round = 0; round < 2; round += 1)
        for (const v of values)
          for (const w of values) {
            const [fresh, remembered] = [
              context(names, { ':v': v, ':w': w }),
              context(names, { ':v': v, ':w': w }),
            ];
            const expected = parsed(original, text, fresh);
            expect(parsed(memory, text, remembered)).toEqual(expected);
            if (typeof expected !== 'string') expect(remembered).toEqual(fresh);
          }
    });
});

it('does not carry values, names or key conditions from one call to the next', () => {
  const { twin } = openThings();
  const put = (v: string, expected: string) =>
    twin.handle('PutItem', {
      TableName: 'Things',
      Item: { ...at('a', '1'), v: { S: v } },
      ConditionExpression: 'attribute_not_exists(pk) OR #v = :v',
      ExpressionAttributeNames: { '#v': 'v' },
      ExpressionAttributeValues: { ':v': { S: expected } },
    }).status;
  expect([put('1', ''), put('2', '1'), put('3', '1'), put('3', '2')]).toEqual([200, 200, 400, 200]);
  const between = (low: string, high: string) => ({
    TableName: 'Things',
    KeyConditionExpression: 'pk = :p AND sk BETWEEN :low AND :high',
    ExpressionAttributeValues: { ':p': { S: 'a' }, ':low': { S: low }, ':high': { S: high } },
  });
  expect(ok(twin, 'Query', between('0', '2')).Count).toBe(1);
  refused(twin, 'Query', between('2', '0'), 'ValidationException');
  expect(ok(twin, 'Query', between('1', '1')).Count).toBe(1);
});
