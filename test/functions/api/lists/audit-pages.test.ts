// The audit of thousands of decisions, narrowed to a few of them: full pages, bounded answers, and a cursor under which nothing is
// passed over or told twice, whatever is decided meanwhile.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionId, DecisionId, RequestId } from '../../../../functions/core/base/ids.ts';
import type { ItemOf } from '../../../../functions/core/records/change.ts';
import { actionWith, conversationId, isoAt, runId, workspace } from '../../../core/samples.ts';
import { openRig, type Rig } from '../rig.ts';

let rig: Rig;
let beganMs: number;
beforeEach(async () => {
  rig = await openRig();
  beganMs = rig.now() - 86_400_000;
});
afterEach(() => rig.close());

const suffix = (number: number): string => String(number).padStart(26, '0');
const atOf = (second: number): string => isoAt(beganMs + second * 1_000);
const by = (subject: string) => ({ kind: 'person', subject, name: subject }) as const;
const actionIdOf = (number: number) => ActionId.parse(`act_${suffix(number)}`);

const answered = (second: number, subject = 'ana'): ItemOf<'request'> => ({
  schema: 1,
  workspace,
  requestId: RequestId.parse(`req_${suffix(second)}`),
  conversationId,
  runId,
  actionId: actionIdOf(second),
  openedAt: atOf(0),
  on: 'question',
  message: 'Which one?',
  form: { type: 'object', properties: { which: { type: 'string' } } },
  onExpiry: 'continue',
  decision: { kind: 'declined' },
  decidedAt: atOf(second),
  decidedBy: by(subject),
});

const decided = (second: number, about = second): ItemOf<'decision'> => ({
  schema: 1,
  workspace,
  actionId: actionIdOf(about),
  decisionId: DecisionId.parse(`dec_${suffix(second)}`),
  entry: second + 1,
  kind: 'abandon',
  reason: 'No.',
  by: by('rob'),
  at: atOf(second),
  fence: 1,
  seenHead: 1,
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

interface Page {
  readonly items: readonly Record<string, string>[];
  readonly next?: string;
  readonly lookedTo?: string;
}
const page = async (query: Record<string, string>, cursor?: string): Promise<Page> => {
  const all = { ...query, ...(cursor === undefined ? {} : { cursor }) };
  const reply = await rig.call({ path: '/v1/audit', query: all });
  expect(reply.status, reply.text).toBe(200);
  return JSON.parse(reply.text);
};

/** Every page. `meanwhile` is done between them. */
const pages = async (
  query: Record<string, string>,
  meanwhile: (read: number) => void = () => undefined,
): Promise<Page[]> => {
  const all: Page[] = [];
  let cursor: string | undefined;
  do {
    const one = await page(query, cursor);
    all.push(one);
    cursor = one.next;
    if (cursor !== undefined) meanwhile(all.length);
  } while (cursor !== undefined);
  return all;
};
const idsOf = (all: readonly Page[]): string[] =>
  all.flatMap(({ items }) => items.map(({ id }) => id ?? ''));

test('a page narrowed to one in a hundred is full, with a bounded number of queries', async () => {
  rig.putMany(
    'request',
    numbers(3_000).map((second) => answered(second, second % 100 === 0 ? 'ben' : 'ana')),
  );
  rig.queries();
  const first = await page({ by: 'ben', limit: '10' });
  // Five pages of each of three lists at most.
  expect(rig.queries()).toBeLessThanOrEqual(15);
  expect(first.items.map(({ at }) => at)).toEqual(
    numbers(10).map((place) => atOf(2_900 - place * 100)),
  );
  const all = await pages({ by: 'ben', limit: '10' });
  expect(all.slice(0, 3).map(({ items }) => items.length)).toEqual([10, 10, 10]);
  expect(new Set(idsOf(all)).size).toBe(30);
});

test('what lies beyond what one answer looks at is told as such, and found from its cursor', async () => {
  rig.putMany('decision', [decided(1)]);
  rig.putMany(
    'request',
    numbers(5_000).map((second) => answered(second + 10)),
  );
  rig.queries();
  const first = await page({ kind: 'decision' });
  // Five pages of each of three lists at most.
  expect(rig.queries()).toBeLessThanOrEqual(15);
  expect(first.items).toEqual([]);
  expect(first.next).toBeDefined();
  expect(first.lookedTo).toBe(atOf(2_510));
  const all = await pages({ kind: 'decision' });
  expect(all.length).toBeLessThanOrEqual(4);
  expect(idsOf(all)).toEqual([decided(1).decisionId]);
  expect(all.at(-1)?.lookedTo).toBeUndefined();
});

test.each([{}, { kind: 'decision' }, { by: 'rob' }, { by: 'ana' }])(
  'what is decided while one reads %j moves nothing: each entry once, none passed over',
  async (query: Record<string, string>) => {
    // Both tables decide in the same seconds, so that pages end between entries of one instant.
    const [answers, decisions] = [numbers(120).map((n) => answered(n)), numbers(120)];
    rig.putMany('request', answers);
    rig.putMany(
      'decision',
      decisions.map((second) => decided(second)),
    );
    const before = idsOf(await pages({ ...query, limit: '100' }));
    let newest = 1_000;
    const seen = idsOf(
      await pages({ ...query, limit: '13' }, () => {
        newest += 1;
        rig.putMany('request', [answered(newest)]);
        rig.putMany('decision', [decided(newest)]);
      }),
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(before);
    expect(before).toHaveLength(Object.keys(query).length === 0 ? 240 : 120);
  },
);

test('a tool is found by the action that was decided about, read for those alone that fit otherwise', async () => {
  const rare = actionWith({ actionId: actionIdOf(7) });
  rig.putMany('action', [
    rare,
    actionWith({ actionId: actionIdOf(8), tool: { ...rare.tool, name: 'other' } }),
  ]);
  rig.putMany(
    'decision',
    numbers(1_500).map((second) => decided(second, second === 3 ? 7 : 8)),
  );
  const { items, next } = await page({ tool: rare.tool.name });
  expect(items).toMatchObject([{ at: atOf(3), tool: rare.tool.name, actionId: rare.actionId }]);
  expect(next).toBeUndefined();
  const of = await page({ tool: rare.tool.name, actionId: actionIdOf(8) });
  expect(of.items).toEqual([]);
});
