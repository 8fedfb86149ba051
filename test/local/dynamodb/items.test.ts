// Single items: Put, Get, Update, Delete, their conditions, return values and refusals.

import { describe, expect, it } from 'vitest';
import { at, ok, openThings, refused } from './twin.ts';

const table = { TableName: 'Things' };

describe('Put and Get', () => {
  it('returns what was put, whatever its types', () => {
    const { twin } = openThings();
    const Item = {
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
    ok(twin, 'PutItem', { ...table, Item });
    expect(ok(twin, 'GetItem', { ...table, Key: at('a', '1') })).toEqual({ Item });
    expect(ok(twin, 'GetItem', { ...table, Key: at('a', '2') })).toEqual({});
  });

  it('keeps the 38 digits of a number and refuses the 39th', () => {
    const { twin } = openThings();
    const N = '12345678901234567890123456789012345.678';
    ok(twin, 'PutItem', { ...table, Item: { ...at('a', '1'), N: { N } } });
    expect(ok(twin, 'GetItem', { ...table, Key: at('a', '1') })).toMatchObject({
      Item: { N: { N } },
    });
    refused(
      twin,
      'PutItem',
      { ...table, Item: { ...at('a', '1'), N: { N: `${N}9` } } },
      'ValidationException',
    );
  });

  it('refuses a put whose condition fails, with the old item when asked', () => {
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
  });
});
