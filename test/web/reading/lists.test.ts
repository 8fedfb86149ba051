// A workspace of five thousand conversations before a person: the newest first, filters and a search that reach the oldest, and
// nothing that moves by itself. Counted in requests and rows, not in time.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ActionId,
  AgentId,
  ConversationId,
  MessageId,
  RequestId,
  RunId,
} from '../../../functions/core/base/ids.ts';
import { noUsage } from '../../../functions/core/records/run.ts';
import { actionWith, approvalWith, isoAt, runWith, undetermined } from '../../core/samples.ts';
import { conversationOf } from '../../fakes/items.ts';
import { openBrowser, openPage } from '../rig/browser.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

const count = 5_000;
let world: World;
let browser: Browser;
let workspace: string;

const suffix = (number: number): string => String(number).padStart(26, '0');
const idOf = (number: number) => ConversationId.parse(`cnv_${suffix(number)}`);

/** One a minute until an hour ago; each has ended, the oldest unseen. */
const fill = async (): Promise<void> => {
  const agent = await world.api('ana', 'GET', `/v1/agents/${world.agentId}`);
  workspace =
    typeof agent === 'object' && agent !== null ? String(Reflect.get(agent, 'workspace')) : '';
  const firstMs = Date.now() - 3_600_000 - count * 60_000;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const atOf = (number: number): string => isoAt(firstMs + number * 60_000);
  world.putMany(
    'conversation',
    numbers.map((number) => ({
      ...conversationOf(workspace, idOf(number), world.agentId),
      title: `Order ${number}`,
      createdAt: atOf(number),
      eventNumber: 9,
      runs: 1,
      ...(number === 3
        ? {
            lastRun: { runId: RunId.parse(`run_${suffix(3)}`), reason: 'done' as const },
            lastFinished: 9,
          }
        : {}),
    })),
  );
  world.putMany(
    'message',
    numbers.slice(0, 10).map((number) => ({
      schema: 1,
      workspace,
      conversationId: idOf(number),
      messageId: MessageId.parse(`msg_${suffix(number)}`),
      number: 1,
      text: number === 5 ? 'Où en est la réunion ?' : 'Please.',
      author: { kind: 'person', subject: 'ben', name: 'Ben' },
      at: atOf(number),
      fate: { fate: 'withdrawn', at: atOf(number) },
    })),
  );
};

/** Long ago the agent answered in one of the oldest. */
const answerOnce = (): void => {
  const at = isoAt(Date.now() - 100 * 86_400_000);
  const runId = RunId.parse(`run_${suffix(8)}`);
  const state = { status: 'finished', reason: 'done', detail: 'Over.', at } as const;
  const run = { workspace, runId, conversationId: idOf(8), agentId: AgentId.parse(world.agentId) };
  world.putMany('run', [runWith({ ...run, state, startedAt: at, touchedAt: at })]);
  world.putMany('step', [
    {
      ...{ schema: 1, runId, step: 1, attempt: 'one', calls: [], took: [], results: [], at },
      text: 'The quay is open until nine.',
      usage: { ...noUsage, callId: 'call', model: 'scripted' },
    },
  ]);
};

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
  await fill();
  answerOnce();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const signedIn = async () => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address('ana'));
  await watched.page.getByRole('link', { name: /Order 4999/ }).waitFor();
  return watched;
};
const rowsOf = (page: Page) => page.getByRole('link', { name: /^Order \d+/ });

test('a page at a time; however many are shown, a look costs two requests', async () => {
  const { page, context, trouble } = await signedIn();
  await expect.poll(() => rowsOf(page).count()).toBe(100);
  for (let pages = 2; pages <= 6; pages += 1) {
    await page.getByRole('button', { name: 'Show older conversations' }).press('Enter');
    await until(
      `${pages} pages are there`,
      async () => (await rowsOf(page).count()) === pages * 100,
    );
  }
  let first = 0;
  let further = 0;
  page.on('request', (request) => {
    if (!request.url().includes('/v1/conversations?')) return;
    if (request.url().includes('cursor=')) further += 1;
    else first += 1;
  });
  await until('it looked three times', () => Promise.resolve(first >= 3));
  expect(further).toBeLessThanOrEqual(first);
  expect(trouble).toEqual([]);
  await context.close();
});

test('what is new is announced, and moves no row until it is asked for', async () => {
  const { page, context } = await signedIn();
  const body = { agentId: world.agentId, title: 'Order new' };
  await world.api('ana', 'POST', '/v1/conversations', body);
  const announced = page.getByRole('button', { name: '1 new conversation' });
  await announced.waitFor();
  expect(await page.getByRole('link', { name: /^Order new/ }).count()).toBe(0);
  await announced.click();
  await page.getByRole('link', { name: /^Order new/ }).waitFor();
  await announced.waitFor({ state: 'detached' });
  await context.close();
});

test('a search finds the oldest title and message, and says what it searches', async () => {
  const { page, context, trouble } = await signedIn();
  await page.getByRole('searchbox').fill(idOf(17));
  await page.getByRole('link', { name: /^Order 17 / }).waitFor();
  await page.getByText(/what agents answered are searched/).waitFor();
  await page.getByRole('searchbox').fill('REUNION');
  const found = page.getByRole('link', { name: /^Order 5 / });
  await found.getByText('Où en est la réunion ?').waitFor();
  await page.getByRole('searchbox').fill('QUAY nine');
  const answer = page.getByRole('link', { name: /^Order 8 / });
  await answer.getByText('Agent: The quay is open until nine.').waitFor();
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('Nothing was found.').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('link', { name: /Order 4999/ }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a filter reaches the oldest; reading it clears the mark', async () => {
  const { page, context } = await signedIn();
  await page.getByRole('button', { name: 'Finished while away' }).click();
  const row = page.getByRole('link', { name: /^Order 3 / });
  await row.getByText('finished while you were away').waitFor();
  await row.click();
  await row.getByText('finished while you were away').waitFor({ state: 'detached' });
  await context.close();
});

test('three hundred open requests: all are counted, a page at a time, and only what is near is asked for', async () => {
  const expiresAtMs = Date.now() + 86_400_000;
  world.putMany('action', [actionWith({ workspace })]);
  world.putMany(
    'request',
    Array.from({ length: 300 }, (_, number) =>
      approvalWith({
        workspace,
        requestId: RequestId.parse(`req_${suffix(number)}`),
        conversationId: idOf(number),
        openedAt: isoAt(Date.now() - 3_600_000 + number * 1_000),
        expiresAtMs,
      }),
    ),
  );
  const { page, context, trouble } = await signedIn();
  await page.goto(`${world.url}/#/inbox`);
  await page.getByRole('main').getByText('300 open requests').waitFor();
  const rows = page.locator('.inbox-entry');
  await expect.poll(() => rows.count()).toBe(100);
  await rows.first().getByRole('button', { name: 'Approve' }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBeLessThan(20);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await until('the next page is there', async () => (await rows.count()) === 200);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Question');
  await page.getByText('Nothing fits.').waitFor();
  expect(page.url()).toContain('on=question');
  expect(trouble).toEqual([]);
  await context.close();
});

test('the overview shows the period one chooses, and what fills it where it is empty', async () => {
  const { page, context, trouble } = await signedIn();
  await page.goto(`${world.url}/#/overview`);
  await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
  await page.getByRole('heading', { name: 'Runs, by agent' }).waitFor();
  await page.getByText('reprise send').waitFor();
  await page.getByRole('button', { name: '7 days' }).click();
  await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
  expect(page.url()).toContain('days=7');
  expect(trouble).toEqual([]);
  await context.close();
});

test('the desk says how many actions it has, also where it shows the first hundred, and of those that fit', async () => {
  const atOf = (number: number): string => isoAt(Date.now() - 7_200_000 + number * 1_000);
  world.putMany(
    'action',
    Array.from({ length: 120 }, (_, number) =>
      undetermined({
        workspace,
        actionId: ActionId.parse(`act_${suffix(500 + number)}`),
        firstEngagedAt: atOf(number),
        effect: number % 12 === 0 ? 'in_progress' : 'undetermined',
      }),
    ),
  );
  const { page, context, trouble } = await signedIn();
  await page.goto(`${world.url}/#/desk`);
  await page.getByRole('main').getByText('120 actions, 110 undetermined').waitFor();
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('120 actions, 110 undetermined').waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('undetermined');
  await page.getByRole('main').getByText('110 actions, 110 undetermined').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('the audit shows a page, looks further back when asked to, and holds back what is decided meanwhile', async () => {
  const decided = (number: number) =>
    approvalWith({
      workspace,
      requestId: RequestId.parse(`req_${suffix(1_000 + number)}`),
      decision: { kind: 'refused', reason: `Reason ${number}.` },
      decidedAt: isoAt(Date.now() - 7_200_000 + number * 1_000),
      decidedBy: { kind: 'person', subject: 'ana', name: 'Ana' },
    });
  const some = Array.from({ length: 60 }, (_, number) => decided(number));
  world.putMany('request', some);
  const { page, context, trouble } = await signedIn();
  await page.goto(`${world.url}/#/audit`);
  const rows = page.locator('.audit > li');
  await page.getByText('“Reason 59.”').waitFor();
  expect(await rows.count()).toBe(50);
  world.putMany('request', [decided(70)]);
  await page.getByRole('button', { name: 'Look further back' }).click();
  await page.getByText('“Reason 0.”').waitFor();
  expect(await rows.filter({ hasText: 'Reason' }).count()).toBe(60);
  await page.getByRole('button', { name: '1 new entry' }).click();
  await rows.filter({ hasText: 'Reason' }).first().getByText('“Reason 70.”').waitFor();
  await page.getByLabel('What').selectOption({ label: 'Barred tools' });
  await page.getByText('Nothing fits.').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});
