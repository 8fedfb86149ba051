// The seven interruption trials as an engineer runs them: the real command, on a destination that was not made for this,
// honest and lying.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../cli/trials/session.ts';
import { subjectFrom } from '../../cli/trials/subject.ts';
import { reprise } from '../cli/command-line.ts';
import { mustBe, partOf, verdictsOf } from './parts.ts';
import { openStore, storeKey, storeLookUp, toolFile } from './store.ts';
import { storeTrier } from './try-store.ts';

const limitMs = 600_000;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reprise-trials-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const tryStore = storeTrier(() => dir);

const filesFor = async (file: object) => {
  const path = join(dir, `${crypto.randomUUID()}.json`);
  await writeFile(path, JSON.stringify(file));
  const secrets = { 'store-token': 's3cret-of-the-store' };
  return { tool: path, environment: 'sandbox', secrets };
};

describe.concurrent('A destination that was not made for this', () => {
  test(
    'passes all seven when it does what its contract says, and nothing is there twice',
    async () => {
      const { tool, code, err, objects, out } = await tryStore({});
      expect(code, err).toBe(0);
      expect(new Set(Object.values(verdictsOf(mustBe(tool))))).toEqual(new Set(['pass']));
      const references = objects.map(({ reference }) => reference);
      expect(new Set(references).size).toBe(references.length);
      expect(mustBe(tool).verification?.keyHeldMs).toBeGreaterThanOrEqual(20_000);
      expect(out).not.toContain('s3cret-of-the-store');
    },
    limitMs,
  );

  test(
    'with a key and no look-up, is repeated under the same key, counted by an exhibit',
    async () => {
      const exhibit = join(dir, 'exhibit.json');
      await writeFile(
        exhibit,
        JSON.stringify({
          tool: 'find_things',
          arguments: { reference: '$reference', name: '$args.name' },
          hits: 'things',
        }),
      );
      const { tool, code, err } = await tryStore({}, { lookUp: undefined }, [
        '--exhibit',
        exhibit,
        '--only',
        'reply_lost',
        '--only',
        'retention_exceeded',
      ]);
      expect(code, err).toBe(0);
      expect(partOf(mustBe(tool), 'lost')).toMatchObject({
        verdict: 'pass',
        exhibit: {
          effect: 'confirmed',
          objects: { by: 'exhibit', count: 1 },
          proxy: { forwarded: 2 },
        },
      });
      expect(verdictsOf(mustBe(tool)).retention_exceeded).toBe('pass');
    },
    limitMs,
  );

  test(
    'fails when it ignores the key that its contract promises',
    async () => {
      const { tool, code } = await tryStore({ keys: 'ignored' }, {}, ['--only', 'content_changed']);
      expect(code).toBe(5);
      expect(partOf(mustBe(tool), 'key_honoured')).toMatchObject({
        verdict: 'fail',
        because: expect.arrayContaining([expect.stringContaining('The key is ignored')]),
      });
    },
    limitMs,
  );

  test(
    'fails when its look-up never finds what was made',
    async () => {
      const { tool, code, objects } = await tryStore({ search: 'never', keys: 'ignored' }, {}, [
        '--only',
        'reply_lost',
      ]);
      expect(code).toBe(5);
      expect(partOf(mustBe(tool), 'look_up_finds')?.because.join(' ')).toContain('does not find');
      expect(partOf(mustBe(tool), 'lost')).toMatchObject({ verdict: 'fail' });
      const lost = objects.filter(({ name }) => name.includes('lost'));
      expect(partOf(mustBe(tool), 'lost')?.exhibit?.proxy.forwarded).toBe(lost.length);
    },
    limitMs,
  );

  test(
    'fails when its look-up lags beyond the declared settle time',
    async () => {
      const { tool, code } = await tryStore({ search: { lagMs: 4_000 } }, {}, [
        '--only',
        'reply_lost',
      ]);
      expect(code).toBe(5);
      expect(partOf(mustBe(tool), 'look_up_finds')?.because.join(' ')).toContain('300 ms suffice');
    },
    limitMs,
  );

  test(
    'fails when a real success does not look as declared, and when the look-up covers another account',
    async () => {
      const { tool, code } = await tryStore(
        {},
        {
          success: [{ reply: { status: [200] } }],
          lookUp: { ...storeLookUp, coverage: { ...storeLookUp.coverage, account: 'acc-2' } },
          key: storeKey,
        },
        ['--only', 'content_changed'],
      );
      expect(code).toBe(5);
      expect(partOf(mustBe(tool), 'success')?.because.join(' ')).toContain('answered 201');
      expect(partOf(mustBe(tool), 'same_system')?.verdict).toBe('fail');
    },
    limitMs,
  );
});

test(
  'no secret is on the command line of any process that the trials start',
  async () => {
    const store = await openStore();
    const session = await openSession(await subjectFrom(await filesFor(toolFile(store.url))), {
      patienceMs: 30_000,
      unique: 'x',
    });
    try {
      const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      expect(stdout).toContain('twin-child.ts');
      expect(stdout).not.toContain('s3cret-of-the-store');
    } finally {
      await session.close();
      await store.close();
    }
  },
  limitMs,
);

describe.concurrent('Nothing is sent', () => {
  test.each(['production', 'prod', 'PROD-eu', 'live'])('to the environment %s', async (name) => {
    const { code, err, objects } = await tryStore({}, {}, ['--environment', name]);
    expect(code).toBe(2);
    expect(err).toContain('no test environment');
    expect(objects).toEqual([]);
  });

  test('when the contract is about another environment than the one named', async () => {
    const { code, err, objects } = await tryStore({}, {}, ['--environment', 'staging']);
    expect({ code, objects }).toEqual({ code: 2, objects: [] });
    expect(err).toContain('"sandbox"');
  });

  test('when the value of a secret is missing', async () => {
    const store = await openStore();
    try {
      const file = join(dir, 'no-secret.json');
      await writeFile(file, JSON.stringify(toolFile(store.url)));
      const { code, err } = await reprise(['trials', '--tool', file, '--environment', 'sandbox']);
      expect(code).toBe(2);
      expect(err).toContain('store-token');
      expect(store.objects()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  test('when the contract contradicts itself', async () => {
    const { code, err, objects } = await tryStore({}, { key: { kind: 'none' } });
    expect({ code, objects }).toEqual({ code: 1, objects: [] });
    expect(err).toContain('contract.lookUp.by');
  });
});
