// The lists and the overview of a workspace of ten thousand conversations: whole, in pages, narrowed and searched; counted in
// queries, not in time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayPlus } from '../../../../functions/core/base/days.ts';
import { agentId } from '../../../core/samples.ts';
import { openRig, type Rig } from '../rig.ts';
import {
  answered,
  ask,
  conversationIdOf,
  count,
  days,
  fill,
  perDay,
  runIdOf,
} from './large-workspace.ts';

const requests = 1_000;
let rig: Rig;
let today: string;
beforeAll(async () => {
  rig = await openRig();
  today = new Date(rig.now()).toISOString().slice(0, 10);
  const endMs = Date.parse(`${dayPlus(today, 1)}T00:00:00Z`);
  fill(rig, endMs);
  ask(rig, endMs, requests);
});
afterAll(() => rig.close());

type Query = { readonly [name: string]: string };
interface Listed {
  readonly items: readonly Record<string, unknown>[];
  readonly next?: string;
  readonly lookedTo?: string;
}

const get = async (path: string, query: Query = {}): Promise<Listed & Record<string, unknown>> => {
  const reply = await rig.call({ path, query });
  expect(reply.status, reply.text).toBe(200);
  return JSON.parse(reply.text);
};

/** Every page, and how many it took. */
const all = async (path: string, query: Query = {}) => {
  const items: Record<string, unknown>[] = [];
  let next: string | undefined;
  let pages = 0;
  do {
    const page = await get(path, { ...query, ...(next === undefined ? {} : { cursor: next }) });
    items.push(...page.items);
    pages += 1;
    next = page.next;
  } while (next !== undefined);
  return { items, pages };
};

describe('the overview', () => {
  const overview = async (query: Query) =>
    JSON.parse(JSON.stringify(await get('/v1/overview', query)));

  test('counts every run of the period, by day and by why it ended, with a bounded number of queries', async () => {
    rig.queries();
    const { runs, from, to } = await overview({ days: '90' });
    expect(rig.queries()).toBeLessThan(40);
    expect({ from, to }).toEqual({ from: dayPlus(today, -89), to: today });
    expect(runs).not.toHaveProperty('countedFrom');
    expect(runs.total).toBe(90 * perDay);
    expect(runs.standings).toMatchObject({
      running: 90,
      failed: 900,
      done: 90 * perDay - 990,
      stopped: 0,
    });
    expect(runs.byDay).toHaveLength(90);
    for (const day of runs.byDay) expect(day.total, day.day).toBe(perDay);
    expect(runs.byAgent).toMatchObject([{ agentId, total: 90 * perDay, priced: false }]);
  });

  test('tells tokens of agents without a price table, and no money', async () => {
    const { spent } = await overview({ days: '2' });
    const usage = { inputTokens: perDay * 1_000, outputTokens: perDay * 100, cachedInputTokens: 0 };
    expect(spent).toEqual([
      { day: today, agentId, runs: perDay, usage },
      { day: dayPlus(today, -1), agentId, runs: perDay, usage },
    ]);
  });

  test('counts the days of the zone it is asked for', async () => {
    // Each day's runs begin at its first minutes in UTC: west of it they are of the day before.
    const { runs } = await overview({
      days: '3',
      zone: 'America/New_York',
      to: dayPlus(today, -2),
    });
    expect(runs.byDay.map(({ total }: { total: number }) => total)).toEqual([
      perDay,
      perDay,
      perDay,
    ]);
    const { runs: none } = await overview({ days: '1', zone: 'America/New_York', to: today });
    expect(none.total).toBe(0);
  });

  test('says how long open requests have waited', async () => {
    const { waits } = await overview({});
    expect(waits.moreOpen).toBe(false);
    const { open } = waits.byKind.find(({ on }: { on: string }) => on === 'approval');
    expect(open.count).toBe(requests);
    expect(open.longestMs).toBeGreaterThanOrEqual(open.p90Ms);
    expect(open.p90Ms).toBeGreaterThanOrEqual(open.medianMs);
  });

  test.each([
    [{ zone: 'Mars/Olympus' }, 'zone'],
    [{ days: '0' }, 'days'],
    [{ to: '2027-02-30' }, 'to'],
  ])('refuses %j', async (query, field) => {
    const { status, body } = await rig.call({ path: '/v1/overview', query });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field }]);
  });

  test('is empty for somebody of another workspace', async () => {
    const { body } = await rig.call({ path: '/v1/overview', as: 'stranger' });
    expect(body).toMatchObject({ runs: { total: 0 }, spent: [], undetermined: { byTool: [] } });
  });
});

describe('runs', () => {
  test('of the workspace come newest first, each once, whatever their conversation', async () => {
    const first = await get('/v1/runs', { limit: '100' });
    expect(first.items.map(({ runId }) => runId)).toEqual(
      Array.from({ length: 100 }, (_, index) => runIdOf(count - 1 - index)),
    );
    const second = await get('/v1/runs', { limit: '100', cursor: first.next ?? '' });
    expect(second.items[0]).toMatchObject({ runId: runIdOf(count - 101) });
  });

  test('narrowed by how they stand are all found, page after page', async () => {
    const { items, pages } = await all('/v1/runs', { state: 'running', limit: '100' });
    expect(items).toHaveLength(count / 100);
    expect(new Set(items.map(({ runId }) => runId)).size).toBe(count / 100);
    expect(pages).toBeLessThanOrEqual(4);
    expect((await get('/v1/runs', { state: 'stopped' })).items).toEqual([]);
  });

  test('a narrowed page says how far it looked', async () => {
    const page = await get('/v1/runs', { state: 'stopped' });
    expect(page.next).toBeDefined();
    expect(page.lookedTo).toMatch(/^\d{4}-/);
  });

  test('refuse a state that is none, and another list’s cursor', async () => {
    const odd = await rig.call({ path: '/v1/runs', query: { state: 'sleeping' } });
    expect(odd.body).toMatchObject({ status: 400, errors: [{ field: 'state' }] });
    const { next } = await get('/v1/conversations');
    const foreign = await rig.call({ path: '/v1/runs', query: { cursor: next ?? '' } });
    expect(foreign.status).toBe(400);
  });
});

describe('conversations', () => {
  test('whose run goes on are all found, however old', async () => {
    const { items } = await all('/v1/conversations', { mark: 'working', limit: '100' });
    expect(items).toHaveLength(count / 100);
    expect(items.at(-1)).toMatchObject({ conversationId: conversationIdOf(7) });
  });

  test('that ended unseen are found until they were read', async () => {
    const unread = () => get('/v1/conversations', { mark: 'unread', limit: '2' });
    const [first] = (await unread()).items;
    expect(first).toMatchObject({ conversationId: conversationIdOf(count - 1) });
    await rig.call({
      method: 'POST',
      path: `/v1/conversations/${first?.conversationId}/read`,
      body: { number: 9 },
    });
    expect((await unread()).items[0]).toMatchObject({
      conversationId: conversationIdOf(count - 2),
    });
  });

  test('of another agent are none', async () => {
    const { items } = await all('/v1/conversations', { agentId: 'agt_0000000000000000000000000Z' });
    expect(items).toEqual([]);
  });
});

describe('a search', () => {
  test('finds a title among ten thousand', async () => {
    const { items } = await all('/v1/search', { q: 'order 4321' });
    expect(items).toMatchObject([
      { conversation: { conversationId: conversationIdOf(4_321) }, found: { in: 'title' } },
    ]);
  });

  test('finds what a person said, whatever the case and accents, and shows it', async () => {
    const { items } = await all('/v1/search', { q: 'ZURICH  reunion' });
    expect(items).toMatchObject([
      {
        conversation: { title: 'Order 1234' },
        found: { in: 'message', excerpt: 'Où en est la réunion de Zürich ?' },
      },
    ]);
  });

  test('says how far it looked, with a bounded number of queries, and goes on from there', async () => {
    rig.queries();
    const page = await get('/v1/search', { q: 'zurich' });
    expect(rig.queries()).toBeLessThanOrEqual(20);
    const since = expect.any(String);
    expect(page).toMatchObject({
      items: [],
      searched: { titlesFrom: since, messagesFrom: since, answersFrom: since },
    });
    const { pages } = await all('/v1/search', { q: 'zurich' });
    expect(pages).toBeLessThanOrEqual(11);
  });

  test('finds what agents answered when a run ended, each once, and names the run', async () => {
    const { items } = await all('/v1/search', { q: 'MALAGA harbour' });
    expect(items).toMatchObject([
      {
        conversation: { conversationId: conversationIdOf(9_955) },
        found: { in: 'answer', runId: runIdOf(9_955), excerpt: answered[9_955] },
      },
      {
        conversation: { conversationId: conversationIdOf(512) },
        found: { in: 'answer', runId: runIdOf(512), excerpt: answered[512] },
      },
    ]);
  });

  test('tells a conversation’s newest text alone, and what is erased is not found', async () => {
    const read = { steps: [{ runId: runIdOf(9_955), step: 1 }] };
    const [step] = (await rig.world.store.read(read)).steps;
    if (step === undefined) throw new Error('The run has no step.');
    const found = async (q: string) => (await get('/v1/search', { q })).items;
    const at = new Date(Date.parse(step.at) + 1_000).toISOString();
    rig.putMany('step', [{ ...step, text: 'Please look at 9955, the quay.', at }]);
    expect(await found('look 9955')).toMatchObject([
      { found: { in: 'answer', excerpt: 'Please look at 9955, the quay.' } },
    ]);
    expect(await found('malaga open')).toEqual([]);
    rig.putMany('step', [{ ...step, text: '', at }]);
    expect(await found('quay')).toEqual([]);
    expect(await found('look 9955')).toMatchObject([{ found: { in: 'message' } }]);
  });

  test('shows nothing of another workspace', async () => {
    const { body } = await rig.call({
      path: '/v1/search',
      query: { q: 'order' },
      as: 'stranger',
    });
    expect(body).toMatchObject({ items: [], searched: {} });
  });

  test('refuses a cursor that is none of its own', async () => {
    const { next } = await get('/v1/conversations');
    const { status } = await rig.call({
      path: '/v1/search',
      query: { q: 'x', cursor: next ?? '' },
    });
    expect(status).toBe(400);
  });
});

describe('the inbox', () => {
  test('of a thousand requests comes in pages, oldest first when asked, and its counts are right', async () => {
    const { items, pages } = await all('/v1/requests', { order: 'oldest', limit: '100' });
    expect(items).toHaveLength(requests);
    expect(pages).toBeLessThanOrEqual(11);
    const opened = items.map(({ openedAt }) => String(openedAt));
    expect(opened).toEqual(opened.toSorted());
    const { needsYou, more } = (await rig.call({ path: '/v1/inbox/summary' })).body;
    expect({ needsYou, more }).toMatchObject({ needsYou: { total: requests }, more: false });
  });

  test('is narrowed by kind, agent, tool and age', async () => {
    expect((await all('/v1/requests', { on: 'question', limit: '100' })).items).toEqual([]);
    expect((await all('/v1/requests', { tool: 'refund', limit: '100' })).items).toEqual([]);
    const own = await get('/v1/requests', { agentId, on: 'approval', limit: '5' });
    expect(own.items).toHaveLength(5);
    const old = await get('/v1/requests', { olderThanMs: String(days * 86_400_000) });
    expect(old.items).toEqual([]);
  });
});
