// Contracts that say what their destination does not do: each is found by the trials, by the real command. What the destination
// did is judged by its own list.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustBe, partOf } from './parts.ts';
import { type StoreHabits, storeExhibit, storeKey, storeLookUp } from './store.ts';
import { storeTrier } from './try-store.ts';

const limitMs = 600_000;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reprise-lies-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
const tryStore = storeTrier(() => dir);

interface Lie {
  readonly what: string;
  readonly habits: StoreHabits;
  readonly contract?: Readonly<Record<string, unknown>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly only: string;
  readonly part: string;
  readonly because: RegExp;
}

const exhibit = storeExhibit;
const quickest = 'authorisation_withdrawn';
const lies: readonly Lie[] = [
  {
    what: 'the key is ignored, and nothing counts',
    habits: { keys: 'ignored' },
    contract: { lookUp: undefined },
    only: quickest,
    part: 'key_honoured',
    because: /name different objects \(t\d+ \/ t\d+\)/,
  },
  {
    what: 'the first result is returned, and a second thing is made',
    habits: { keys: 'answered_and_made_again' },
    contract: { lookUp: undefined },
    more: { exhibit },
    only: quickest,
    part: 'key_honoured',
    because: /made 2 objects/,
  },
  {
    what: 'the key is honoured one after the other, not at once',
    habits: { keys: 'only_one_after_the_other' },
    only: quickest,
    part: 'key_at_once',
    because: /made 2 objects/,
  },
  {
    what: 'the key is compared with a part of the content',
    habits: { keys: 'compared_in_part' },
    only: 'content_changed',
    part: 'content-same-key',
    because: /took a changed "name"/,
  },
  {
    what: 'the key is forgotten before automatic repeats are over',
    habits: { keys: { forgottenMs: 6_000 } },
    contract: { repeatWindowMs: 8_000 },
    only: 'retention_exceeded',
    part: 'held',
    because: /made 2 objects/,
  },
  {
    what: 'the look-up by reference searches by name',
    habits: { search: 'by_name' },
    only: quickest,
    part: 'look_up_misses',
    because: /came to "hit"/,
  },
  {
    what: 'the look-up shows only the newest',
    habits: { search: 'newest_only' },
    only: quickest,
    part: 'look_up_still_finds',
    because: /no longer finds it/,
  },
  {
    what: 'the look-up finds now and then',
    habits: { search: 'now_and_then' },
    only: quickest,
    part: 'look_up_finds',
    because: /and then no longer/,
  },
  {
    what: 'a refusal that proves that nothing was done did it',
    habits: { refusals: 'write' },
    only: quickest,
    part: 'answers_true',
    because: /proof that nothing was done, and 1 object/,
  },
  {
    what: 'a success that is none is declared as one',
    habits: { success: 'claimed_when_wrong' },
    only: quickest,
    part: 'answers_true',
    because: /takes this answer for a success, and nothing is there/,
  },
  {
    what: 'what was taken never happens',
    habits: { success: 'never_made' },
    contract: { success: [], lookUp: undefined, key: { kind: 'reference', place: storeKey.place } },
    more: { exhibit },
    only: quickest,
    part: 'success',
    because: /is "accepted", and nothing is at the destination/,
  },
  {
    what: 'an undisturbed call is confirmed, and nothing is there',
    habits: { success: 'never_made' },
    contract: { lookUp: undefined },
    more: { exhibit },
    only: quickest,
    part: 'success',
    because: /nothing is at the destination/,
  },
  {
    what: '"not now" did it',
    habits: { busy: 'writes' },
    contract: { rateLimit: { reply: { status: [429] }, waitMs: 100 } },
    only: quickest,
    part: 'not_now_true',
    because: /proof that nothing was done, and 1 object/,
  },
];

describe('Found', () => {
  test.each(lies)(
    '$what',
    async ({ habits, contract, more, only, part, because }) => {
      const { tool, code, err } = await tryStore(habits, contract, ['--only', only], more);
      const found = partOf(mustBe(tool), part);
      expect(found, err).toMatchObject({ id: part, verdict: 'fail' });
      expect(found?.because.join(' ')).toMatch(because);
      expect({ code, verification: mustBe(tool).verification }).toEqual({ code: 5 });
    },
    limitMs,
  );
});

describe('Honest', () => {
  test(
    'without a key and without a look-up, counted by a list',
    async () => {
      const key = { kind: 'reference', place: storeKey.place };
      const contract = { key, lookUp: undefined };
      const { tool, code, err } = await tryStore({}, contract, [], { exhibit });
      expect(code, err).toBe(0);
      expect(partOf(mustBe(tool), 'key_honoured')?.verdict).toBe('does_not_apply');
      expect(mustBe(tool).verification).not.toHaveProperty('keyHeldMs');
    },
    limitMs,
  );

  test(
    'with an API that refuses a repeat by an error under status 200, declared as such',
    async () => {
      const refused = { fields: [{ path: 'errors.0.code', equals: 'KEY_ALREADY_USED' }] };
      const contract = {
        key: { ...storeKey, onRepeat: 'error' },
        alreadyExists: refused,
        lookUp: { ...storeLookUp },
        repeatWindowMs: 8_000,
      };
      const { tool, code, err } = await tryStore({ repeats: 'error_with_200' }, contract);
      expect(code, err).toBe(0);
      expect(partOf(mustBe(tool), 'key_honoured')).toMatchObject({ verdict: 'pass' });
      expect(mustBe(tool).verification).toMatchObject({ by: 'reprise trials' });
    },
    limitMs,
  );

  test(
    'with a limit that does nothing',
    async () => {
      const contract = { rateLimit: { reply: { status: [429] }, waitMs: 300 } };
      const only = ['--only', quickest];
      const { tool, code, err } = await tryStore({ busy: 'does_nothing' }, contract, only);
      expect(code, err).toBe(0);
      expect(partOf(mustBe(tool), 'not_now_true')?.verdict).toBe('pass');
    },
    limitMs,
  );
});

test(
  'What nothing can count is not run, has an exit code of its own, and verifies nothing',
  async () => {
    const quiet = { success: [{ reply: { status: [201] } }], lookUp: undefined };
    const args = ['--only', 'reply_lost', '--only', 'content_changed'];
    const { tool, code, err, objects } = await tryStore(
      { keys: 'answered_and_made_again' },
      quiet,
      args,
    );
    expect(code, err).toBe(6);
    for (const id of ['success', 'key_honoured', 'key_at_once', 'lost'])
      expect(partOf(mustBe(tool), id), id).toMatchObject({ verdict: 'not_run' });
    expect(mustBe(tool)).not.toHaveProperty('verification');
    expect(new Set(objects.map(({ reference }) => reference)).size).toBeLessThan(objects.length);
  },
  limitMs,
);
