// What an update expression means, where it is easily got wrong: everything refers to the item as
// it was.

import { describe, expect, it } from 'vitest';
import type { AttributeValue, Item } from '../../../local/dynamodb/values.ts';
import { at, ok, openThings, refused } from './twin.ts';

const Key = at('u', '1');
const list = (...texts: string[]): AttributeValue => ({ L: texts.map((S) => ({ S })) });

const change = (item: Item, UpdateExpression: string, values?: Item, more: object = {}) => {
  const { twin } = openThings();
  ok(twin, 'PutItem', { TableName: 'Things', Item: { ...Key, ...item } });
  const request = {
    TableName: 'Things',
    Key,
    UpdateExpression,
    ReturnValues: 'ALL_NEW',
    ...(values ? { ExpressionAttributeValues: values } : {}),
    ...more,
  };
  return { twin, request };
};

const result = (item: Item, expression: string, values?: Item, more?: object): unknown => {
  const { twin, request } = change(item, expression, values, more);
  const { Attributes } = ok(twin, 'UpdateItem', request);
  expect(ok(twin, 'GetItem', { TableName: 'Things', Key }).Item).toEqual(Attributes);
  const { pk: _pk, sk: _sk, ...rest } = Attributes as Item;
  return rest;
};

const refusal = (item: Item, expression: string, values?: Item): unknown => {
  const { twin, request } = change(item, expression, values);
  const read = (): unknown => ok(twin, 'GetItem', { TableName: 'Things', Key }).Item;
  const before = read();
  const { message } = refused(twin, 'UpdateItem', request, 'ValidationException');
  expect(read()).toEqual(before);
  return message;
};

describe('an update', () => {
  it('removes the list members that were named, not their successors', () => {
    expect(result({ l: list('0', '1', '2', '3') }, 'REMOVE l[0], l[1]')).toEqual({
      l: list('2', '3'),
    });
  });

  it('sets and removes members of one list by their old positions', () => {
    const values = { ':a': { S: 'A' }, ':b': { S: 'B' } };
    expect(
      result({ l: list('0', '1', '2') }, 'REMOVE l[0] SET l[1] = :a, l[9] = :b', values),
    ).toEqual({
      l: list('A', '2', 'B'),
    });
  });

  it('copies values: a later change of the source does not reach the copy', () => {
    const m = { M: { x: { N: '1' } } };
    expect(result({ m }, 'SET b = m, m.x = :v', { ':v': { N: '2' } })).toEqual({
      m: { M: { x: { N: '2' } } },
      b: m,
    });
  });

  it('swaps two attributes', () => {
    expect(result({ a: { S: 'A' }, b: { S: 'B' } }, 'SET a = b, b = a')).toEqual({
      a: { S: 'B' },
      b: { S: 'A' },
    });
  });

  it('counts exactly in 38 digits and refuses a sum that needs more', () => {
    const n = { N: '99999999999999999999999999999999999999' };
    expect(result({ n }, 'SET n = n - :v', { ':v': { N: '1' } })).toEqual({
      n: { N: '99999999999999999999999999999999999998' },
    });
    expect(refusal({ n }, 'ADD n :v', { ':v': { N: '0.1' } })).toMatch(/38 significant digits/);
    expect(refusal({ n: { N: '9e125' } }, 'ADD n :v', { ':v': { N: '9e125' } })).toMatch(
      /overflow/,
    );
  });

  it('makes the item when there is none, and counts from a default', () => {
    const { twin } = openThings();
    const request = {
      TableName: 'Things',
      Key,
      UpdateExpression: 'SET n = if_not_exists(n, :zero) + :one',
      ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    };
    expect(ok(twin, 'UpdateItem', request)).toEqual({ Attributes: { n: { N: '1' } } });
    expect(ok(twin, 'UpdateItem', request)).toEqual({ Attributes: { n: { N: '2' } } });
  });

  it('deletes a set with its last member', () => {
    expect(
      result({ s: { SS: ['a', 'b'] } }, 'DELETE s :v', { ':v': { SS: ['a', 'b', 'c'] } }),
    ).toEqual({});
  });

  it('takes names that JavaScript objects inherit for names like any other', () => {
    const names = { ExpressionAttributeNames: { '#c': 'constructor', '#p': '__proto__' } };
    const values = { ':v': { S: 'x' } };
    const changed = result({}, 'SET #c = if_not_exists(#c, :v), #p = :v', values, names);
    expect(Object.entries(changed as Item)).toEqual([
      ['constructor', { S: 'x' }],
      ['__proto__', { S: 'x' }],
    ]);
  });

  it('is refused, and changes nothing, when a path, operand or attribute is not there', () => {
    expect(refusal({}, 'SET m.x = :v', { ':v': { N: '1' } })).toMatch(/document path/);
    expect(refusal({}, 'SET a = b')).toMatch(/does not exist in the item/);
    expect(refusal({ a: { S: 'x' } }, 'SET a = a + :v', { ':v': { N: '1' } })).toMatch(/data type/);
    expect(refusal({}, 'SET grp = :v', { ':v': { N: '1' } })).toMatch(
      /Type mismatch for Index Key grp/,
    );
    expect(refusal({ n: { N: '1' } }, 'SET grp = n')).toMatch(/secondary index key/);
    expect(refusal({}, 'SET grp = :v', { ':v': { S: '' } })).toMatch(/empty string value/);
    expect(refusal({}, 'SET sk = :v', { ':v': { S: 'x' } })).toMatch(/part of the key/);
    expect(refusal({}, 'SET big = :v', { ':v': { S: 'x'.repeat(409_600) } })).toMatch(/Item size/);
  });

  it('applies the old AttributeUpdates too', () => {
    const { twin } = openThings();
    const request = {
      TableName: 'Things',
      Key,
      AttributeUpdates: {
        n: { Action: 'ADD', Value: { N: '2' } },
        t: { Action: 'PUT', Value: { S: 'x' } },
      },
      ReturnValues: 'ALL_NEW',
    };
    ok(twin, 'UpdateItem', request);
    const { Attributes } = ok(twin, 'UpdateItem', request);
    expect(Attributes).toEqual({ ...Key, n: { N: '4' }, t: { S: 'x' } });
  });
});
