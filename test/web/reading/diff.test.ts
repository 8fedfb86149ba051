// What changed between two versions: which fields, and that things in a list are compared by their names.
import { expect, test } from 'vitest';
import { changesOf } from '../../../web/agents/diff.ts';
import { namedField } from '../../../web/agents/field-names.ts';

const fieldsOf = (...two: Parameters<typeof changesOf>) =>
  changesOf(...two).map(({ field, before, after }) => [field, before, after]);

test('a thing in a list is compared by its name, and one that came or went is shown whole', () => {
  const before = {
    tools: [
      { name: 'find', version: 1 },
      { name: 'refund', version: 1 },
    ],
  };
  const after = { tools: [{ name: 'mail' }, { name: 'find', version: 2 }] };
  expect(fieldsOf(before, after)).toEqual([
    ['tools.find.version', '1', '2'],
    ['tools.refund', '{"name":"refund","version":1}', '–'],
    ['tools.mail', '–', '{"name":"mail"}'],
  ]);
});

test('another order is a difference, and so are lists whose things have no name of their own', () => {
  const [one, two] = [{ name: 'find' }, { name: 'refund' }];
  expect(fieldsOf({ tools: [one, two] }, { tools: [two, one] })).toHaveLength(1);
  expect(fieldsOf({ tools: [one] }, { tools: [one, one] })).toEqual([
    ['tools', '[{"name":"find"}]', '[{"name":"find"},{"name":"find"}]'],
  ]);
  expect(fieldsOf({ likeness: ['a'] }, { likeness: ['a', 'b'] })).toHaveLength(1);
  expect(fieldsOf({ tools: [] }, { tools: {} })).toEqual([['tools', '[]', '{}']]);
});

test('a field has its words, a part of one keeps the rest of its path, an unknown one its path', () => {
  const names = { 'contract.key': 'Key' };
  expect(namedField('contract.key', names)).toEqual({ name: 'Key', rest: '' });
  expect(namedField('contract.key.retentionMs', names)).toEqual({
    name: 'Key',
    rest: 'retentionMs',
  });
  expect(namedField('contract.keys', names)).toEqual({ name: undefined, rest: 'contract.keys' });
});
