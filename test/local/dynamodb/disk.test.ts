// A full disk: the call fails with a clear error and leaves nothing behind, the twin goes on.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Item } from '../../../local/dynamodb/values.ts';
import { ok, openTwin, things } from './twin.ts';

const writer = fileURLToPath(new URL('disk-writer.ts', import.meta.url));

it('answers 500 when the disk is full, keeps what was acknowledged and nothing else, and goes on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-disk-'));
  try {
    const file = join(folder, 'store.db');
    const { twin } = openTwin(file);
    ok(twin, 'CreateTable', things);
    twin.close();
    // No file of the process can grow beyond this many blocks; the signal would kill it, the error
    // must not.
    const limited = 'trap "" XFSZ; ulimit -f 8000; exec "$@"';
    const run = spawnSync('sh', ['-c', limited, 'sh', process.execPath, writer, file], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const told = JSON.parse(run.stdout) as {
      written: number;
      failure: { body: { message: string } };
    };
    expect(told).toMatchObject({
      again: 500,
      read: 200,
      small: 200,
      failure: { status: 500 },
      // Calls that share a commit fail each for itself.
      together: [200, 500, 200],
    });
    expect(told.written).toBeGreaterThan(0);
    expect(told.failure.body).toMatchObject({
      __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
      message: expect.stringMatching(
        /could not be read or written.*Nothing of this call was kept.*free space/,
      ),
    });
    const reopened = openTwin(file).twin;
    const expected = Array.from({ length: told.written }, (_, n) => [`a${n}`, `b${n}`]).flat();
    const found = ok(reopened, 'Scan', { TableName: 'Things', IndexName: 'byRank' })
      .Items as Item[];
    expect(found.map((item) => item.pk?.S).sort()).toEqual(
      [...expected, 'small', 'first', 'second'].sort(),
    );
    expect(reopened.readStream('Things', '0', 1000)).toHaveLength(expected.length + 3);
    reopened.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
