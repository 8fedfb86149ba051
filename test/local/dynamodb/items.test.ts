// Single items: Put, Get, Delete, their conditions, return values and refusals; what comes in that
// is no request.

import { describe, expect, it } from 'vitest';
import { at, ok, openThings, refused } from './twin.ts';

const table = { TableName: 'Things' };
const everything = {
  ...at('a', '1'),
  text: { S: 'é😀"\\' },
  number: { N: '-12.5' },
  bytes: { B: 'AAH/' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  texts: { SS: ['b', 'a'] },
  numbers: { NS: ['1', '2'] },
  blobs: { BS: ['AQ==', 'Ag=='] },
  list: { L: [{ S: 'x' }, { M: { deep: { L: [] } } }] },
  map: { M: { 'a.b': { S: '' } } },
};

const nested = (levels: number): object =>
  levels === 0 ? { S: 'x' } : { M: { a: nested(levels - 1) } };

describe('Put, Get and Delete', () => {
  it('return what was put, whatever its types', () => {
    const { twin } = openThings();
    ok(twin, 'PutItem', { ...table, Item: everything });
    expect(ok(twin, 'GetItem', { ...table, Key: at('a', '1') })).toEqual({ Item: everything });
    expect(ok(twin, 'GetItem', { ...table, Key: at('a', '2') })).toEqual({});
    const removal = { ...table, Key: at('a', '1'), ReturnValues: 'ALL_OLD' };
    expect(ok(twin, 'DeleteItem', removal)).toEqual({ Attributes: everything });
    expect(ok(twin, 'DeleteItem', removal)).toEqual({});
  });

  it('keep the 38 digits of a number and refuse the 39th', () => {
    const { twin } = openThings();
    const N = '12345678901234567890123456789012345.678';
    ok(twin, 'PutItem', { ...table, Item: { ...at('a', '1'), n: { N } } });
    const read = ok(twin, 'GetItem', { ...table, Key: at('a', '1'), ProjectionExpression: 'n' });
    expect(read).toEqual({ Item: { n: { N } } });
    const more = { ...table, Item: { ...at('a', '1'), n: { N: `${N}9` } } };
    expect(refused(twin, 'PutItem', more, 'ValidationException').message).toMatch(/38/);
  });

  it('refuse a write whose condition fails, with the old item when asked', () => {
    const { twin } = openThings();
    const Item = { ...at('a', '1'), v: { N: '1' } };
    ok(twin, 'PutItem', { ...table, Item });
    const again = {
      ...table,
      Item: { ...at('a', '1'), v: { N: '2' } },
      ConditionExpression: 'attribute_not_exists(pk)',
    };
    expect(refused(twin, 'PutItem', again, 'ConditionalCheckFailedException')).toEqual({
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: 'The conditional request failed',
    });
    const told = { ...again, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    expect(refused(twin, 'PutItem', told, 'ConditionalCheckFailedException').Item).toEqual(Item);
    const removal = {
      ...table,
      Key: at('a', '1'),
      ConditionExpression: 'v > :v',
      ExpressionAttributeValues: { ':v': { N: '1' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
    expect(refused(twin, 'DeleteItem', removal, 'ConditionalCheckFailedException').Item).toEqual(
      Item,
    );
    const absent = { ...removal, Key: at('a', '9') };
    expect(
      refused(twin, 'DeleteItem', absent, 'ConditionalCheckFailedException').Item,
    ).toBeUndefined();
  });

  it('compare documents, sets and bytes by value', () => {
    const { twin } = openThings();
    ok(twin, 'PutItem', { ...table, Item: everything });
    const holds = (ConditionExpression: string, values: object, names?: object) =>
      ok(twin, 'PutItem', {
        ...table,
        Item: everything,
        ConditionExpression,
        ExpressionAttributeValues: values,
        ...(names ? { ExpressionAttributeNames: names } : {}),
      });
    const names = { '#list': 'list', '#map': 'map', '#bytes': 'bytes', '#text': 'text' };
    holds('#list = :v', { ':v': everything.list }, { '#list': 'list' });
    holds('#map = :v', { ':v': everything.map }, { '#map': 'map' });
    holds('texts = :v', { ':v': { SS: ['a', 'b'] } });
    holds('begins_with(#bytes, :v)', { ':v': { B: 'AAE=' } }, { '#bytes': names['#bytes'] });
    holds('contains(#bytes, :v)', { ':v': { B: '/w==' } }, { '#bytes': names['#bytes'] });
    // 'é' has two bytes in UTF-8, the smiley four.
    holds('size(#text) = :v', { ':v': { N: '8' } }, { '#text': names['#text'] });
  });

  it('report consumed capacity when asked', () => {
    const { twin } = openThings();
    const Item = { ...at('a', '1'), big: { S: 'é'.repeat(1000) } };
    const put = ok(twin, 'PutItem', { ...table, Item, ReturnConsumedCapacity: 'TOTAL' });
    expect(put.ConsumedCapacity).toEqual({ CapacityUnits: 2, TableName: 'Things' });
    const get = { ...table, Key: at('a', '1'), ReturnConsumedCapacity: 'INDEXES' };
    expect(ok(twin, 'GetItem', get).ConsumedCapacity).toEqual({
      CapacityUnits: 0.5,
      TableName: 'Things',
      Table: { CapacityUnits: 0.5 },
    });
  });
});

describe('what is refused', () => {
  const { twin } = openThings();
  const put = (more: object) => ({ ...table, Item: { ...at('a', '1'), ...more } });
  const cases: [string, string, unknown, string, RegExp][] = [
    [
      'a table that is not there',
      'PutItem',
      { ...put({}), TableName: 'Nope' },
      'ResourceNotFoundException',
      /^Requested resource not found$/,
    ],
    ['an unknown operation', 'PutItems', {}, 'UnknownOperationException', /PutItems/],
    ['a body that is no object', 'PutItem', 'text', 'SerializationException', /not a JSON object/],
    [
      'an item that is no map',
      'PutItem',
      { ...table, Item: 'x' },
      'SerializationException',
      /Unexpected field type/,
    ],
    [
      'a number given as a number',
      'PutItem',
      put({ n: { N: 1 } }),
      'SerializationException',
      /cannot be converted to String/,
    ],
    [
      'bytes that are not base64',
      'PutItem',
      put({ b: { B: 'x' } }),
      'SerializationException',
      /Base64/,
    ],
    [
      'a missing key',
      'PutItem',
      { ...table, Item: { pk: { S: 'a' } } },
      'ValidationException',
      /Missing the key sk/,
    ],
    [
      'a key of the wrong type',
      'PutItem',
      { ...table, Item: { pk: { S: 'a' }, sk: { N: '1' } } },
      'ValidationException',
      /Type mismatch for key sk/,
    ],
    [
      'an empty key',
      'PutItem',
      { ...table, Item: at('', '1') },
      'ValidationException',
      /empty string value. Key: pk/,
    ],
    [
      'an empty index key',
      'PutItem',
      put({ grp: { S: '' } }),
      'ValidationException',
      /IndexName: byGroup, IndexKey: grp/,
    ],
    [
      'an index key of the wrong type',
      'PutItem',
      put({ rank: { S: '1' } }),
      'ValidationException',
      /Type mismatch for Index Key rank/,
    ],
    [
      'an index key too long',
      'PutItem',
      put({ grp: { S: 'é'.repeat(1025) } }),
      'ValidationException',
      /2048 bytes/,
    ],
    [
      'a null member',
      'PutItem',
      put({ a: null }),
      'ValidationException',
      /Supplied AttributeValue is empty/,
    ],
    [
      'a null member of a list',
      'PutItem',
      put({ a: { L: [null] } }),
      'ValidationException',
      /Supplied AttributeValue is empty/,
    ],
    [
      'a null member of a set',
      'PutItem',
      put({ a: { SS: [null] } }),
      'ValidationException',
      /null string/,
    ],
    [
      'two types in one value',
      'PutItem',
      put({ a: { S: 'x', N: '1' } }),
      'ValidationException',
      /more than one datatypes/,
    ],
    ['an empty set', 'PutItem', put({ a: { SS: [] } }), 'ValidationException', /may not be empty/],
    [
      'a set with a member twice',
      'PutItem',
      put({ a: { SS: ['x', 'x'] } }),
      'ValidationException',
      /contains duplicates/,
    ],
    [
      'an item over 400 KiB',
      'PutItem',
      put({ a: { S: 'é'.repeat(204_800) } }),
      'ValidationException',
      /Item size has exceeded/,
    ],
    ['33 levels', 'PutItem', put({ a: nested(32) }), 'ValidationException', /Nesting Levels/],
    ['2,000 levels', 'PutItem', put({ a: nested(2000) }), 'ValidationException', /Nesting Levels/],
    [
      'a syntax error',
      'PutItem',
      { ...put({}), ConditionExpression: 'a = ' },
      'ValidationException',
      /Invalid ConditionExpression: Syntax error/,
    ],
    [
      'an unused value',
      'PutItem',
      {
        ...put({}),
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':v': { S: 'x' } },
      },
      'ValidationException',
      /unused in expressions/,
    ],
    [
      'a reserved word',
      'PutItem',
      { ...put({}), ConditionExpression: 'attribute_exists(size)' },
      'ValidationException',
      /reserved keyword: size/,
    ],
    [
      'an unknown choice',
      'PutItem',
      { ...put({}), ReturnValuesOnConditionCheckFailure: 'NEW' },
      'ValidationException',
      /ALL_OLD, NONE/,
    ],
  ];
  for (const [what, operation, body, error, message] of cases)
    it(`${what}`, () => {
      const answer = refused(twin, operation, body, error);
      expect(String(answer.message)).toMatch(message);
      expect(ok(twin, 'Scan', table).Count).toBe(0);
    });

  it('stores 31 levels in an attribute, and leaves the request of the caller as it was', () => {
    const request = Object.freeze({ ...put({ a: nested(31) }), Unknown: 1 });
    const before = JSON.stringify(request);
    expect(twin.handle('PutItem', request).status).toBe(200);
    expect(JSON.stringify(request)).toBe(before);
    ok(twin, 'DeleteItem', { ...table, Key: at('a', '1') });
  });
});
