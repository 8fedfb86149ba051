// What people do beyond answering, in a browser: barring a tool, revoking a permission, making versions with a diff, taking an
// approval back, asking for exact arguments; and the audit that tells of all of it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '../../../functions/adapters/model/script.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, say } from '../rig/person.ts';
import { askingAgent, sceneScripts } from '../rig/scenes.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

/** Proposes a refund, and a smaller one when the first was not let through. */
const refunder: Script = {
  scenes: [
    {
      when: {},
      turns: [
        {
          call: [
            {
              name: 'crm_refund',
              arguments: { payment_id: 'pay_1003', amount_cents: 4900, reason: 'Asked.' },
            },
          ],
        },
        {
          say: 'Refunded.',
          onError: {
            say: 'A smaller one, then.',
            call: [
              {
                name: 'crm_refund',
                arguments: { payment_id: 'pay_1003', amount_cents: 100, reason: 'Asked.' },
              },
            ],
          },
        },
        { say: 'That is all.' },
      ],
    },
  ],
};

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([
    openWorld({ scripts: { ...sceneScripts, refunder } }),
    openBrowser(),
  ]);
  await askingAgent(world);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const textOf = (value: unknown, name: string): string => String(Reflect.get(Object(value), name));
const at = async (
  place: string,
  person: 'ana' | 'ben' = 'ana',
  locale: 'en-GB' | 'fr-FR' = 'en-GB',
) => arrive(browser, world, { person, place, locale });

const confirm = async (page: Page, name: string, reason: string, button: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole('button', { name: button, exact: true }).click();
};

test('a tool is barred and let again, with who, since when and why; a refusal is told in the reader’s language', async () => {
  const ben = await at('/tools/crm_put_note', 'ben', 'fr-FR');
  await ben.page.getByRole('button', { name: 'Interdire cet outil…' }).click();
  const dialog = ben.page.getByRole('dialog', { name: /Interdire crm_put_note/ });
  await dialog.getByLabel(/^Motif/).fill('Pour voir.');
  await dialog.getByRole('button', { name: 'L’interdire' }).click();
  await dialog.getByRole('alert').getByText(/rôle/).waitFor();
  await ben.context.close();
  const { page, context, trouble } = await at('/tools/crm_put_note');
  await page.getByText('Not barred.').waitFor();
  await page.getByRole('button', { name: 'Bar this tool…' }).click();
  expect(await page.getByRole('button', { name: 'Bar it' }).isDisabled()).toBe(true);
  await confirm(page, 'Bar crm_put_note for everybody?', 'It doubles.', 'Bar it');
  await page.getByText(/^Barred by Ana/).waitFor();
  await page.getByText(/no attempt of this tool opens, whoever decided it/).waitFor();
  await page.getByRole('button', { name: 'Let it be used again…' }).click();
  await confirm(page, 'Let crm_put_note be used again?', 'Mended.', 'Let it be used');
  await page.getByText('Not barred.').waitFor();
  await page.getByRole('list', { name: 'Changes' }).getByText('It doubles.').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('an agent’s permission for a tool is revoked and restored, and the audit tells of it and finds it by filter', async () => {
  const { page, context, trouble } = await at(`/agents/${world.agentId}`);
  await page.getByRole('button', { name: 'Revoke crm_put_note…' }).click();
  await confirm(page, 'Revoke the permission to use crm_put_note?', 'Not this one.', 'Revoke it');
  const row = page.getByRole('row', { name: /crm_put_note/ });
  await row.getByText('revoked', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Restore crm_put_note…' }).click();
  await confirm(page, 'Restore the permission to use crm_put_note?', 'It may.', 'Restore it');
  await row.getByText('stands').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('Ana restored the permission to use crm_put_note').waitFor();
  await page.getByLabel('What').selectOption({ label: 'Barred tools' });
  await page.getByText('Ana let crm_put_note be used again').waitFor();
  await page.getByText('Ana barred crm_put_note for everybody').waitFor();
  await page.getByLabel('Who').selectOption({ label: 'Ana' });
  await page.getByText('Ana barred crm_put_note for everybody').waitFor();
  await page.getByText(/restored the permission/).waitFor({ state: 'detached' });
  await page.getByLabel('What').selectOption({ label: 'Permissions to use tools' });
  const entry = page.getByRole('listitem').filter({ hasText: 'restored' });
  await entry.getByRole('button', { name: /^Copy .* as…$/ }).click();
  await entry.getByRole('button', { name: 'Copy link' }).click();
  await entry.getByText('Copied').first().waitFor();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await page.locator('li[aria-current="location"]').getByText('It may.').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a tool and a skill get their next version with what was and what becomes shown before, and two are compared', async () => {
  const { page, context, trouble } = await at('/tools/crm_put_note');
  await page.getByRole('button', { name: 'Make a new version' }).click();
  const field = page.getByLabel('Registration as JSON, to edit');
  const before = await field.inputValue();
  await field.fill('[');
  await page.getByText('This is no JSON object.').waitFor();
  const description: unknown = Reflect.get(Object(JSON.parse(before)), 'description');
  await field.fill(before.replace(JSON.stringify(description), '"Takes a note."'));
  await page.getByRole('insertion').getByText('Takes a note.').waitFor();
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText(/^Version 2,/).waitFor();
  await page.getByRole('deletion').getByText(String(description)).waitFor();
  await page.getByLabel('with').selectOption({ label: 'Version 2' });
  await page.getByText('Nothing changed.').waitFor();
  await page.goto(`${world.url}/#/skills/refunding`);
  await page.getByRole('button', { name: 'Make a new version' }).click();
  const skill = page.getByLabel('Skill as JSON, to edit');
  await skill.fill((await skill.inputValue()).replace('Find the payment first.', 'Ask first.'));
  await page
    .getByRole('insertion')
    .getByText(/Ask first/)
    .waitFor();
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText(/^Version 2,/).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

const refunderAgent = async (): Promise<string> =>
  textOf(
    await world.api('ana', 'POST', '/v1/agents', {
      name: 'Refunder',
      prompt: 'Refund.',
      model: { provider: 'scripted', script: 'refunder' },
      tools: [{ name: 'crm_refund' }],
    }),
    'agentId',
  );

test('changes are asked for with the exact arguments wanted; the next proposal shows what changed, and why it needs an approval', async () => {
  const { conversationId: id } = await say(world, 'Refund it', await refunderAgent());
  const { page, context, trouble } = await at(`/c/${id}`);
  const request = page.getByRole('region', { name: 'This needs your approval' });
  await request.getByText('It cannot be taken back: such a call always needs one.').waitFor();
  await request.getByRole('button', { name: 'Request changes…' }).click();
  await request.getByLabel(/^What must change/).fill('Less.');
  const wanted = request.getByLabel(/^The exact arguments/);
  await wanted.fill((await wanted.inputValue()).replace('4900', '100'));
  await request.getByRole('insertion').getByText('100').waitFor();
  await request.getByRole('button', { name: 'Send the request' }).click();
  await page
    .getByText(/Propose it again with exactly these arguments/)
    .first()
    .waitFor();
  const again = request.filter({ hasText: 'What changed since its earlier proposal' });
  await again.getByRole('deletion').getByText('4900').waitFor();
  await again.getByRole('insertion').getByText('100').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('an approval that may still be used is taken back from the thread, with what that means', async () => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const { conversationId: id } = await say(world, 'Mail marta@acme.example: your offer is ready');
  const { page, context, trouble } = await at(`/c/${id}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Allow no further attempt…' }).click();
  await page.getByText(/1 attempt was made under it\. What was sent is not called back/).waitFor();
  await page.getByText('Only further attempts are prevented, repeats too.').waitFor();
  await confirm(page, 'Take this approval back?', 'The customer withdrew.', 'Take it back');
  await page.getByText(/^Taken back by Ana/).waitFor();
  await page
    .getByRole('button', { name: 'Allow no further attempt…' })
    .waitFor({ state: 'detached' });
  expect(trouble).toEqual([]);
  await context.close();
});

test('evidence has an address of its own, which leads to it; the copied call names $TOKEN', async () => {
  const { conversationId: id } = await say(world, 'Create an opportunity for Acme: 12 seats');
  const path = `/v1/conversations/${id}/runs`;
  await until('the run was over', async () =>
    JSON.stringify(await world.api('ana', 'GET', path)).includes('"finished"'),
  );
  const { page, context, trouble } = await at(`/c/${id}`);
  const call = page.getByRole('article').filter({ hasText: 'crm_create_opportunity' });
  await call.getByText('crm_create_opportunity').first().click();
  const line = call.getByRole('listitem').filter({ hasText: 'confirms the effect' }).first();
  await line.getByRole('button', { name: /^Copy obs_/ }).click();
  await line.getByRole('button', { name: 'Copy curl' }).click();
  await line.getByText('Copied').first().waitFor();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toMatch(
    /^curl -sS '.*\/v1\/actions\/act_\w+' -H "Authorization: Bearer \$TOKEN" \| jq/,
  );
  await line.getByRole('button', { name: 'Copy link' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/#\/action\/act_\w+\?at=obs_\w+$/);
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  const focused = page.locator('li[aria-current="location"]');
  await focused.getByText(/confirms the effect/).waitFor();
  await expect.poll(() => focused.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(trouble).toEqual([]);
  await context.close();
});
