// The first version of a tool and of an agent, made on the page from its example; what is wrong with it is named by its field.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const at = async (person: 'ana' | 'ben', place: string) => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('navigation').waitFor();
  await watched.page.goto(`${world.url}/#${place}`);
  return watched;
};

const change = async (page: Page, label: string, from: string, to: string): Promise<void> => {
  const field = page.getByLabel(label);
  await field.fill((await field.inputValue()).replace(from, to));
};

test('a tool is registered on the page; a field that is wrong is named, and nothing is registered', async () => {
  const { page, trouble, context } = await at('ana', '/tools');
  await page.getByRole('button', { name: 'Register a tool' }).click();
  await change(page, 'Registration as JSON, to edit', '"effect": "write"', '"effect": "wriet"');
  await page.getByRole('button', { name: 'Register a tool' }).click();
  await page.getByRole('alert').getByText('contract.effect').waitFor();
  await change(page, 'Registration as JSON, to edit', '"effect": "wriet"', '"effect": "write"');
  await page.getByRole('button', { name: 'Register a tool' }).click();
  await page.getByRole('heading', { name: 'ticket_open' }).waitFor();
  expect(page.url()).toContain('/tools/ticket_open/1');
  expect(trouble).toEqual([]);
  await context.close();
});

test('an agent is made on the page, with the model that is there', async () => {
  const { page, context } = await at('ana', '/agents');
  await page.getByRole('button', { name: 'Make an agent' }).click();
  await change(page, 'Configuration as JSON', '"tools": []', '"tools": [{ "name": "mail_send" }]');
  await page.getByRole('button', { name: 'Make an agent' }).click();
  await page.getByRole('heading', { name: 'Help desk' }).waitFor();
  await page.getByRole('link', { name: 'mail_send' }).first().waitFor();
  await context.close();
});

test('a skill is registered on the page', async () => {
  const { page, context } = await at('ana', '/skills');
  await page.getByRole('button', { name: 'Register a skill' }).click();
  await page.getByRole('button', { name: 'Register a skill' }).click();
  await page.getByRole('heading', { name: 'refunds' }).waitFor();
  await context.close();
});

test('who may not register is not offered to', async () => {
  const { page, context } = await at('ben', '/tools');
  await page.getByRole('link', { name: 'mail_send' }).waitFor();
  expect(await page.getByRole('button', { name: 'Register a tool' }).count()).toBe(0);
  await context.close();
});
