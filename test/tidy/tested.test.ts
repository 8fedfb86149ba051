// Where the test of a file is: at the same path under test/, or named in the file's head. A head that names a test that is gone fails.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, under } from './sources.ts';

const mirrored = (path: string): string[] => {
  const at = path.startsWith('functions/core/')
    ? path.replace('functions/', 'test/')
    : `test/${path}`;
  return [at.replace(/\.ts$/, '.test.ts'), at.replace(/\.ts$/, '.test.tsx')];
};

const named = (text: string): string | undefined =>
  /^\/\/.*\bTested in (test\/\S+\.test\.tsx?)/m.exec(text)?.[1];

test.each(['functions/core', 'functions/adapters', 'functions/api'])(
  'each file of %s has its test at the same path, or its head names it',
  (room) => {
    const files = under(room);
    expect(files.length).toBeGreaterThan(0);
    const offenders = files.flatMap(({ path, text }) => {
      if (mirrored(path).some((at) => existsSync(join(root, at)))) return [];
      const at = named(text);
      if (at === undefined) return [`${path} names no test`];
      return existsSync(join(root, at)) ? [] : [`${path} names ${at}, which is not there`];
    });
    expect(offenders).toEqual([]);
  },
);
