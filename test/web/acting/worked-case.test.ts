// The worked case with a browser, from the message to the settled sheet, in both languages: the reply of a write is lost and
// found again by its reference; a mail's outcome stays open until the person on duty claims it, reads the eight fields, adds
// what they found and decides; a third call is not sent, its permission having been withdrawn. Judged by the destination.
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '../../../functions/adapters/model/script.ts';
import { en as sheetEn } from '../../../functions/core/sheet/en.ts';
import { fr as sheetFr } from '../../../functions/core/sheet/fr.ts';
import type { AllWords } from '../../../web/words/later.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, hasFocus, languages, scriptedAgent, tabTo } from '../rig/person.ts';
import { openWorld, type World } from '../rig/world.ts';

const mail = { to: 'marta@acme.example', subject: '{{message}}', text: 'Your offer is ready.' };
const sale: Script = {
  scenes: [
    {
      when: {},
      turns: [
        {
          say: 'First the opportunity.',
          call: [
            {
              name: 'crm_create_opportunity',
              arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 480_000 },
            },
          ],
        },
        { say: 'Now the mail.', call: [{ name: 'mail_send', arguments: mail }] },
        {
          say: 'Last, a note.',
          call: [
            { name: 'crm_put_note', arguments: { customer_id: 'cus_acme', text: '{{message}}' } },
          ],
        },
        { say: 'All is written.', onError: { say: 'The note was not written: {{error}}' } },
      ],
    },
  ],
};

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ scripts: { sale } }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const textOf = async (download: Download): Promise<string> => {
  let text = '';
  for await (const chunk of await download.createReadStream()) text += String(chunk);
  return text;
};

const begin = async (
  page: Page,
  words: AllWords,
  agent: string,
  message: string,
): Promise<void> => {
  await page.getByRole('heading', { name: words.conversations.title }).waitFor();
  await page.keyboard.press('n');
  await page
    .getByRole('region', { name: words.conversations.new })
    .getByRole('combobox', { name: words.conversations.agent })
    .selectOption({ label: agent });
  const field = page.getByLabel(words.conversations.firstMessage);
  await field.focus();
  await page.keyboard.type(message);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('log', { name: words.thread.label }).waitFor();
};

/** Approves what waits, with the keyboard alone: out of the field, to what needs somebody, and there the button. */
const approve = async (page: Page, words: AllWords): Promise<void> => {
  const button = page.getByRole('button', { name: words.approval.approve, exact: true });
  await button.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await expect.poll(() => hasFocus(button)).toBe(true);
  await page.keyboard.press('Enter');
};

const evidence = async (page: Page, words: AllWords, what: string): Promise<void> => {
  const { recovery } = words;
  await page.getByLabel(recovery.what).fill(what);
  await page.getByLabel(recovery.where).fill('Demo mail, account demo-account, test');
  expect(await page.getByLabel(recovery.when).inputValue()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  await page.getByLabel(recovery.coverage).fill('Sent mails of the account, no archive');
};

for (const { locale, words } of languages)
  test(`from the message to the settled sheet (${locale})`, async () => {
    const titles = locale === 'fr-FR' ? sheetFr : sheetEn;
    const agent = `Agent ${locale}`;
    const message = `Sell 12 seats to Acme (${locale})`;
    const agentId = await scriptedAgent(world, 'sale', {
      name: agent,
      tools: [{ name: 'crm_create_opportunity' }, { name: 'mail_send' }, { name: 'crm_put_note' }],
    });
    const before = (await world.effects()).length;
    const lost = { mode: 'drop_reply_after_write' };
    await world.fault({ ...lost, service: 'crm', operation: 'create_opportunity' });
    await world.fault({ ...lost, service: 'mail' });
    const { page, trouble, context } = await arrive(browser, world, { locale });
    const call = (name: string) => page.getByRole('article').filter({ hasText: name });

    // The reply is lost; the look-up finds the object by the action's own reference.
    await begin(page, words, agent, message);
    const opportunity = call('crm_create_opportunity');
    await opportunity.getByText(words.effects.confirmed, { exact: true }).first().waitFor();
    await opportunity.locator('summary').focus();
    await page.keyboard.press('Enter');
    await opportunity
      .getByText(`${words.sources.look_up}${words.colon}${words.says.confirms}`)
      .waitFor();

    // The mail is approved, its reply lost, and nobody can look: the run waits for the person on duty.
    await approve(page, words);
    const send = call('mail_send');
    await send.getByText(words.effects.undetermined, { exact: true }).first().waitFor();
    await page.getByText(words.runLine.waitingFor(words.waitsFor.recovery)).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(\d+\)/);
    const withdrawn = { reason: 'The customer withdrew.' };
    await world.api('ana', 'POST', `/v1/agents/${agentId}/tools/crm_put_note/revoke`, withdrawn);

    // To the desk and to the sheet, by keys.
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: words.desk.title }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'mail_send' });
    await row.getByText(words.desk.needsPerson).waitFor();
    await tabTo(page, row.getByRole('link', { name: 'mail_send' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'mail_send', level: 1 }).waitFor();

    // The eight fields: each says whether it is observed or supposed, and what is missing to decide.
    const sheet = page.getByRole('region', { name: words.desk.sheet });
    const fields = sheet.locator('ol > li');
    await sheet.getByRole('heading', { name: titles.fields.decision }).waitFor();
    expect(await fields.count()).toBe(8);
    const readings = await fields.allTextContents();
    for (const [place, title] of Object.values(titles.fields).entries()) {
      expect(readings[place]).toContain(title);
      expect(readings[place]).toMatch(new RegExp(`${titles.is.observed}|${titles.is.supposed}`));
    }
    expect(readings[0]).toContain(message);
    expect(readings[4]).toContain(words.desk.missing);

    // Claimed; what was found is added first, and decides nothing.
    await page.getByRole('button', { name: words.recovery.claim }).click();
    await page.getByText(words.recovery.yours).waitFor();
    await page.getByRole('button', { name: words.desk.observe }).click();
    await page.getByLabel(words.desk.says.nothing).check();
    await evidence(page, words, 'The log of the mail server was rotated.');
    await page.getByRole('button', { name: words.desk.add }).click();
    await page
      .getByText(`${words.sources.person}${words.colon}${words.says.nothing}`)
      .first()
      .waitFor();

    // Decided: it happened. The run goes on, is refused the third call, and answers.
    await page.getByRole('button', { name: words.recovery.kinds.attach }).click();
    await evidence(page, words, 'The mail is in the outbox.');
    await page.keyboard.press('Enter');
    await page.getByText(words.effects.confirmed, { exact: true }).first().waitFor();
    await page.getByRole('link', { name: words.inbox.open }).click();
    await page.getByText(/^The note was not written: .*revoked/).waitFor();
    await page.getByText(words.runEnds.done, { exact: true }).first().waitFor();
    await call('crm_put_note').getByText(words.dispositions.refused).first().waitFor();

    // The sheet says how it was settled, by whom, on which evidence; and leaves the page.
    await send.locator('summary').click();
    await send.getByRole('link', { name: words.call.openAction }).click();
    const owner = sheet.locator('ol > li').last();
    await owner.getByText('Ana').first().waitFor();
    expect(await sheet.textContent()).toContain('The mail is in the outbox.');
    expect(await page.getByRole('button', { name: words.recovery.claim }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: words.desk.markdown }).click(),
    ]);
    const exported = await textOf(download);
    for (const title of Object.values(titles.fields)) expect(exported).toContain(title);
    expect(exported).toContain('The mail is in the outbox.');
    expect(exported).toContain('The log of the mail server was rotated.');

    // The destination's own record: one of each, and no note.
    const effects = (await world.effects()).slice(before);
    expect(effects.map(({ operation }) => operation).toSorted()).toEqual([
      'create_opportunity',
      'send',
    ]);
    expect(trouble).toEqual([]);
    await context.close();
  });
