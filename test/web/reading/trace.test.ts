// The twin's trace page with a browser: from a finished run, from a waiting one that goes on under the reader's eyes, from one whose
// states failed and were taken up again; and a history of many thousand events.
import { readFile } from 'node:fs/promises';
import type { Context } from 'aws-lambda';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerFor as performHandlerFor } from '../../../functions/run/perform.ts';
import { handlerFor as thinkHandlerFor } from '../../../functions/run/think.ts';
import { openBrowser, openPage } from '../rig/browser.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
/** Errors that the next invocations throw in place of their work. */
const failing = { think: [] as Error[], perform: [] as Error[] };

type Handler = (input: unknown, context: Context) => Promise<unknown>;
const failingNow =
  (errors: Error[], handler: Handler): Handler =>
  async (input, context) => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return handler(input, context);
  };

beforeAll(async () => {
  const handlers = {
    think: (substrate: Parameters<typeof thinkHandlerFor>[0]) =>
      failingNow(failing.think, thinkHandlerFor(substrate)),
    perform: (substrate: Parameters<typeof performHandlerFor>[0]) =>
      failingNow(failing.perform, performHandlerFor(substrate)),
  };
  [world, browser] = await Promise.all([openWorld({ handlers }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const member = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;

const say = async (text: string): Promise<string> => {
  const body = { agentId: world.agentId, title: text };
  const made = await world.api('ana', 'POST', '/v1/conversations', body);
  const place = `/v1/conversations/${String(member(made, 'conversationId'))}/messages`;
  return String(member(await world.api('ana', 'POST', place, { text }), 'runId'));
};
const reaches = (runId: string, status: string): Promise<void> =>
  until(`${runId} was ${status}`, async () => {
    const run = await world.api('ana', 'GET', `/v1/runs/${runId}`);
    return member(member(run, 'state'), 'status') === status;
  });

/** As a person comes to it: by the run's page. */
const openTrace = async (runId: string) => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(await world.address('ana'));
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${world.url}/#/run/${runId}`);
  await page.getByRole('link', { name: `Trace ${runId}` }).click();
  await page.getByRole('heading', { name: 'Trace', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  return watched;
};

const rowOf = (page: Page, state: string, ends: string) =>
  page.getByRole('row').filter({ hasText: state }).filter({ hasText: ends });

test('a finished run: its graph, each state with its data, each event, and the history as a file', async () => {
  const runId = await say('Create an opportunity for Acme: 12 seats');
  await reaches(runId, 'finished');
  const { page, trouble, context } = await openTrace(runId);
  await page.getByText('Succeeded').first().waitFor();
  await page.getByRole('img', { name: /^Graph of reprise-run: \d+ states$/ }).waitFor();
  await page.getByText('The graph as a list').click();
  const unreached = page.getByRole('listitem').filter({ hasText: /^AwaitApproval/ });
  expect(await unreached.textContent()).toMatch(/Not reached.*within Act/);

  await page.getByRole('combobox', { name: 'State' }).selectOption('Perform');
  const perform = rowOf(page, 'Perform', 'Act, iteration 1').first();
  await perform.getByRole('button', { name: /^Data Perform/ }).click();
  await page.getByRole('heading', { name: 'Input' }).waitFor();
  await page.getByText('settled', { exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Details Event 1', exact: true }).click();
  await page.getByText('conversationId').first().waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the history as JSON' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${runId}.history.json`);
  const kept: unknown = JSON.parse(await readFile(await file.path(), 'utf8'));
  const events = member(kept, 'events');
  expect(Array.isArray(events) && events.map((event) => member(event, 'id'))).toEqual(
    Array.isArray(events) ? events.map((_, place) => place + 1) : [],
  );
  expect(member(Array.isArray(events) ? events.at(-1) : {}, 'type')).toBe('ExecutionSucceeded');

  await perform.getByRole('link', { name: /^act_/ }).first().click();
  await page.getByRole('heading', { name: 'Journal' }).waitFor();
  expect(page.url()).toContain('/#/action/act_');
  await page.goto(`${world.url}/#/trace/nonsense`);
  await page
    .getByRole('alert')
    .getByText(/Invalid Arn/)
    .waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a waiting run goes on under the reader’s eyes, who stays where he is; task tokens are never shown', async () => {
  const runId = await say('Refund pay_1003 by 4900');
  await reaches(runId, 'waiting');
  const { page, trouble, context } = await openTrace(runId);
  await rowOf(page, 'AwaitApproval', 'Waiting').waitFor();
  await page.getByText('The graph as a list').click();
  const here = page
    .getByRole('listitem')
    .filter({ hasText: 'AwaitApproval' })
    .filter({ hasText: 'Here now' });
  await here.first().waitFor();

  const scheduled = page.getByRole('row').filter({ hasText: 'TaskScheduled' }).last();
  await scheduled.getByRole('button').click();
  await page.getByText('•••', { exact: true }).waitFor();
  const place = () => scheduled.evaluate((row) => row.getBoundingClientRect().top);
  await scheduled.scrollIntoViewIfNeeded();
  const before = await place();
  const inbox = await world.api('ana', 'GET', '/v1/requests');
  const items = member(inbox, 'items');
  const request = Array.isArray(items) ? items.find((item) => member(item, 'runId') === runId) : {};
  await world.api('ana', 'POST', `/v1/requests/${String(member(request, 'requestId'))}/answer`, {
    kind: 'approve',
    digest: member(request, 'digest'),
  });
  await page.getByRole('row').filter({ hasText: 'ExecutionSucceeded' }).waitFor();
  await page.getByText('•••', { exact: true }).waitFor();
  const moved = page.getByRole('row').filter({ hasText: 'TaskScheduled' });
  await expect.poll(() => moved.count()).toBeGreaterThan(4);
  const opened = page.getByRole('button', { expanded: true });
  const after = await opened.evaluate(
    (button) => button.closest('tr')?.getBoundingClientRect().top,
  );
  expect(Math.abs((after ?? 0) - before)).toBeLessThan(3);
  expect(trouble).toEqual([]);
  await context.close();
});

test('a failed attempt that was retried, and an error that was caught, are told apart from what went well', async () => {
  failing.think.push(Object.assign(new Error('busy'), { name: 'TryAgain' }));
  failing.perform.push(Object.assign(new Error('The disk is full.'), { name: 'Boom' }));
  const runId = await say('Who is Acme?');
  await reaches(runId, 'finished');
  const { page, trouble, context } = await openTrace(runId);
  const think = rowOf(page, 'Think', '1 retry').first();
  expect(await think.textContent()).toContain('Succeeded');
  await think.getByRole('button').click();
  await page.getByText('TryAgain').first().waitFor();
  await think.getByRole('button').click();
  const caught = rowOf(page, 'Perform', 'Error caught').first();
  await caught.getByRole('button').click();
  const failures = page.getByRole('list').filter({ hasText: 'Boom' });
  expect(await failures.textContent()).toContain('The disk is full.');
  await page.getByText('The graph as a list').click();
  const perform = page.getByRole('listitem').filter({ hasText: /^Perform/ });
  expect(await perform.textContent()).toMatch(/Error caught ×2/);
  expect(trouble).toEqual([]);
  await context.close();
});

test('twenty thousand events: one page of rows at a time, any page at once', async () => {
  const runId = await say('Who is Acme?');
  await reaches(runId, 'finished');
  const { page, trouble, context } = await openPage(browser);
  const all = 20_000;
  const eventAt = (id: number) => ({
    id,
    previousEventId: id - 1,
    timestamp: 1_700_000_000 + id,
    ...(id === 1
      ? { type: 'ExecutionStarted' }
      : id === all
        ? { type: 'ExecutionSucceeded' }
        : id % 2 === 0
          ? { type: 'PassStateEntered', stateEnteredEventDetails: { name: 'Go', input: '{}' } }
          : { type: 'PassStateExited', stateExitedEventDetails: { name: 'Go', output: '{}' } }),
  });
  await page.route(`${world.url}/`, async (route) => {
    const request = route.request();
    if (request.headers()['x-amz-target'] !== 'AWSStepFunctions.GetExecutionHistory')
      return route.continue();
    const { nextToken, maxResults }: { nextToken?: string; maxResults: number } =
      request.postDataJSON();
    const from = Number(nextToken ?? 0);
    const events = Array.from({ length: maxResults }, (_, index) => eventAt(from + index + 1));
    const next = from + maxResults;
    return route.fulfill({ json: { events, ...(next < all ? { nextToken: String(next) } : {}) } });
  });
  await page.goto(await world.address('ana'));
  await page.getByRole('navigation').first().waitFor();
  const run = await world.api('ana', 'GET', `/v1/runs/${runId}`);
  const executions = member(run, 'executions');
  const trace = member(Array.isArray(executions) ? executions[0] : {}, 'trace');
  await page.goto(`${world.url}${String(trace)}`);
  const pages = page.getByRole('navigation', { name: 'History: Pages' });
  await pages.getByText('1 to 200 of 20,000').waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(310);
  const tookMs = await page.evaluate(async () => {
    const last = [...document.querySelectorAll('nav button')].filter(
      (button) => button.textContent === 'Last',
    );
    const beganMs = performance.now();
    for (const button of last) if (button instanceof HTMLElement) button.click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - beganMs;
  });
  await page.getByRole('row').filter({ hasText: 'ExecutionSucceeded' }).waitFor();
  // The limit is for a page that lays out every row, not for a busy machine.
  expect(tookMs).toBeLessThan(10_000);
  expect(trouble).toEqual([]);
  await context.close();
});
