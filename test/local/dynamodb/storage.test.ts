// The commit of the store.

import { expect, it } from 'vitest';
import { openStorage } from '../../../local/dynamodb/storage.ts';

it('undoes a commit that fails half-way and goes on with the next', () => {
  const storage = openStorage({ file: ':memory:', synchronous: 'FULL' });
  const insert = (key: string): unknown => storage.sql.insertItem.run(1, key, '{}', null);
  const failing = (): unknown =>
    storage.commit(() => {
      insert('a');
      insert('a');
    });
  expect(failing).toThrow(/UNIQUE/);
  expect(storage.item(1, 'a')).toBeUndefined();
  storage.commitLazily(() => insert('b'));
  expect(storage.item(1, 'b')).toMatchObject({ item: '{}' });
  storage.close();
});
