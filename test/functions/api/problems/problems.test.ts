// Holds docs/problems.md against the running API: each row's input is sent, and status, type and sentence are compared.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { handlerOver } from '../../../../functions/api/handler.ts';
import { problemTypeBase } from '../../../../functions/api/problems/problems.ts';
import { problemSlugs, wordsOf } from '../../../../functions/api/problems/words.ts';
import type { Store } from '../../../../functions/ports/store.ts';
import { openRig, type Reply, type Rig } from '../rig.ts';
import { begin, say } from '../story.ts';
import { deskCases } from './desk-cases.ts';
import { faultCases } from './fault-cases.ts';
import { peopleCases } from './people-cases.ts';
import { cases as otherCases } from './problem-cases.ts';
import { recoveryCases } from './recovery-cases.ts';
import { routineCases } from './routine-cases.ts';

const cases = [
  ...otherCases,
  ...deskCases,
  ...peopleCases,
  ...recoveryCases,
  ...routineCases,
  ...faultCases,
];
const file = path.join(import.meta.dirname, '../../../../docs/problems.md');

interface Row {
  readonly input: string;
  readonly status: number;
  readonly slug: string;
  readonly sentence: string;
}
const rows: readonly Row[] = readFileSync(file, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const match = /^\| (.+?) +\| (\d{3}) +\| `([a-z-]+)` +\| (.+?) +\|$/.exec(line);
    if (match === null) return [];
    const [, input = '', status = '', slug = '', sentence = ''] = match;
    return [{ input, status: Number(status), slug, sentence }];
  });

const pattern = (sentence: string): RegExp =>
  new RegExp(`^${sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')}$`, 's');

const expectRow = (row: Row, reply: Reply): void => {
  expect(reply.headers['content-type']).toBe('application/problem+json');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect({ status: reply.status, type: reply.body.type }).toEqual({
    status: row.status,
    type: `${problemTypeBase}${row.slug}`,
  });
  expect(reply.body.detail).toMatch(pattern(row.sentence));
  expect(reply.body.status).toBe(row.status);
  expect(reply.body.instance).toMatch(/^\/v1\//);
  expect(reply.text).not.toMatch(/\.ts:|node_modules|Exception|at Object/);
};

const within = async (work: (rig: Rig) => Promise<void>): Promise<void> => {
  const rig = await openRig();
  try {
    await work(rig);
  } finally {
    rig.close();
  }
};

const failing = (rig: Rig, error: Error) => {
  const store: Store = {
    ...rig.world.store,
    read: async () => {
      throw error;
    },
  };
  return { ...rig.world, store };
};

/** Inputs that need another world than the usual one. */
const odd: { readonly [input: string]: (row: Row) => Promise<void> } = {
  'a key whose first request is still handled': (row) =>
    within(async (rig) => {
      const begun = await begin(rig);
      const both = await Promise.all([
        say(rig, begun.conversationId, 'Hello', 'one-key'),
        say(rig, begun.conversationId, 'Hello', 'one-key'),
      ]);
      const [first, second] = both.toSorted((a, b) => a.status - b.status);
      expect(first?.status).toBe(202);
      if (second === undefined) throw new Error('Two requests have two replies.');
      expectRow(row, second);
    }),
  'a change that lost against others too often': (row) =>
    within(async (rig) => {
      const begun = await begin(rig);
      const store: Store = {
        ...rig.world.store,
        commit: async () => ({ kind: 'conflict', on: 'conversation' }),
      };
      const clock = { ...rig.world.clock, pause: async () => undefined };
      const reply = await rig.over(handlerOver({ ...rig.world, store, clock })).call({
        method: 'POST',
        path: `/v1/conversations/${begun.conversationId}/messages`,
        body: { text: 'Hello' },
      });
      expectRow(row, reply);
    }),
  'a store that answers nonsense': (row) =>
    within(async (rig) => {
      const begun = await begin(rig);
      const world = failing(rig, new Error('secret inner detail'));
      const reply = await rig
        .over(handlerOver(world))
        .call({ path: `/v1/conversations/${begun.conversationId}` });
      expectRow(row, reply);
      expect(reply.text).not.toContain('secret inner detail');
      expect(rig.logged).toHaveLength(1);
    }),
};

describe('docs/problems.md', () => {
  test.each(rows)('$input → $status $slug', async (row) => {
    const special = odd[row.input];
    if (special) return special(row);
    const found = cases.find(({ input }) => input === row.input);
    if (found === undefined) throw new Error(`No request brings about "${row.input}".`);
    return within(async (rig) => expectRow(row, await found.run(rig, await begin(rig))));
  });

  test('has a row for every problem, and every case has a row', () => {
    expect([...new Set(rows.map(({ slug }) => slug))].toSorted()).toEqual(
      [...problemSlugs].toSorted(),
    );
    const inputs = rows.map(({ input }) => input);
    for (const { input } of cases) expect(inputs).toContain(input);
  });

  test('French and English differ in every title', () => {
    for (const slug of problemSlugs) {
      const { en, fr } = wordsOf(slug, sample);
      expect(fr.title).not.toBe(en.title);
      expect(fr.detail).not.toBe(en.detail);
    }
  });
});

const at = '2026-11-30T09:00:00Z';
const sample = {
  was: 1,
  en: 'It is barred.',
  fr: 'C’est interdit.',
  role: 'admin',
  allowed: 'GET',
  bytesMax: 1,
  depthMax: 1,
  name: 'x',
  max: 1,
  reason: 'done',
  by: 'Ana',
  at,
  decision: 'approved' as const,
  digest: 'sha256:0',
  on: 'approval',
  head: 1,
  until: at,
  effect: 'confirmed',
  because: 'not_claimed' as const,
  tool: 'x',
  fact: 'Ana',
  fence: 1,
  count: 2,
  why: 'irreversible' as const,
  rev: 2,
  hindrance: 'skipped' as const,
  step: 1,
  call: 0,
};

test('a French reader gets French, also for fields', () =>
  within(async (rig) => {
    const reply = await rig.call({
      method: 'POST',
      path: '/v1/agents',
      body: { name: '', model: { provider: 'scripted', script: 'x' } },
      headers: { 'accept-language': 'de, fr-CA;q=0.8, en;q=0.5' },
    });
    expect(reply.headers['content-language']).toBe('fr');
    expect(reply.body.title).toBe('Contenu invalide');
    expect(reply.body.errors).toContainEqual({
      field: 'prompt',
      code: 'invalid_type',
      reason: expect.stringContaining('attendu'),
    });
  }));
