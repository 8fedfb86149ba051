// The recovery sheet over the API: three forms, two languages, one schema; what others wrote stays text.
import chromium from '@sparticuz/chromium';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { chromium as playwright } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ActionView } from '../../../../functions/api/schemas/schemas.ts';
import type { ActionId } from '../../../../functions/core/base/ids.ts';
import { frenchOf } from '../../../../functions/core/french/said.ts';
import { Message } from '../../../../functions/core/records/conversation.ts';
import { Sheet } from '../../../../functions/core/sheet/sheet.ts';
import { claimIt, decide, evidence } from '../problems/desk-cases.ts';
import { openRig, type Rig } from '../rig.ts';
import {
  askApproval,
  type Begun,
  begin,
  converse,
  loseReply,
  sendCall,
  startRun,
  takeStep,
} from '../story.ts';

let rig: Rig;
let begun: Begun;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterEach(() => rig.close());

const sheetOf = (actionId: string, accept: string, lang: 'en' | 'fr' = 'en') =>
  rig.call({
    path: `/v1/actions/${actionId}/sheet`,
    query: { lang },
    as: 'rob',
    headers: { accept, host: 'desk.example' },
  });
const lost = async (tool?: string) =>
  loseReply(rig, await startRun(rig, await converse(rig, begun.agentId)), tool);

/** One action in each situation that a sheet may be asked for. */
const situations: { readonly [name: string]: () => Promise<ActionId> } = {
  'waits for its approval': async () =>
    (await askApproval(rig, await startRun(rig, begun.conversationId))).actionId,
  'is not known': () => lost(),
  'has a key': () => lost('keyed_note'),
  'is confirmed': async () => sendCall(rig, await startRun(rig, begun.conversationId), 'confirmed'),
  'is claimed, observed and abandoned': async () => {
    const actionId = await lost();
    await claimIt(rig, actionId);
    await rig.call({
      method: 'POST',
      path: `/v1/actions/${actionId}/observations`,
      body: { ...evidence, says: 'nothing' },
      as: 'rob',
    });
    await decide(rig, actionId, { kind: 'abandon', reason: 'The customer left.' });
    return actionId;
  },
  'was reissued': async () => {
    const actionId = await lost();
    await claimIt(rig, actionId);
    const risk = { reason: 'It is urgent.', riskAccepted: 'It may be there twice.' };
    await decide(rig, actionId, { kind: 'reissue', ...risk });
    return actionId;
  },
};

describe.each(Object.keys(situations))('an action that %s', (name) => {
  test.each(['en', 'fr'] as const)(
    'has a sheet in %s that fits the published schema',
    async (lang) => {
      const actionId = (await situations[name]?.()) ?? '';
      const schema = await rig.call({ path: '/v1/schemas/sheet.json' });
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      const validate = ajv.compile(schema.body);
      const reply = await sheetOf(actionId, 'application/json', lang);
      expect(reply.headers['content-language']).toBe(lang);
      expect(validate(reply.body), JSON.stringify(validate.errors)).toBe(true);
      const sheet = Sheet.parse(reply.body);
      expect(sheet.fields.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const observed = sheet.fields
        .flatMap(({ lines }) => lines)
        .filter(({ says }) => says === 'observation');
      expect(observed.every(({ at }) => at !== undefined)).toBe(true);
      const intent = sheet.fields[0]?.lines ?? [];
      const asked = intent.find(({ says }) => says === 'asked');
      expect(asked?.text).toContain('Hello');
      expect(asked?.text).toContain('Ben');
      const conversationId = asked?.link?.split('/').at(-1);
      const said = await rig.call({ path: `/v1/conversations/${conversationId}/messages` });
      expect(asked?.at).toBe(z.object({ items: z.array(Message) }).parse(said.body).items[0]?.at);
      expect(reply.text).not.toMatch(/“”|«\s*»/);
      expect(reply.text).not.toMatch(/\bverified\b|\bvérifié\b/i);
    },
  );
});

/** Sentences of Reprise's own, in English: none of them belongs on a French page. */
const english = /\b(The|the|was|were|whether|Nothing|Nobody|known|answered|broke|it|It)\b/;

test('in French nothing of what Reprise itself says is in English, in any of the three forms', async () => {
  const actionId = await lost();
  await claimIt(rig, actionId);
  await decide(rig, actionId, { kind: 'suspend', reason: 'Demain.' });
  for (const accept of ['application/json', 'text/markdown', 'text/html']) {
    const { text } = await sheetOf(actionId, accept, 'fr');
    const shown = accept === 'text/html' ? text.replaceAll(/<style>[\s\S]*?<\/style>/g, '') : text;
    expect(shown.match(english)?.[0], accept).toBeUndefined();
  }
});

test('the API says the ledger’s reasons in the caller’s language, and leaves content alone', async () => {
  const actionId = await lost();
  const read = async (path: string, language: string) =>
    (await rig.call({ path, as: 'rob', headers: { 'accept-language': language } })).body;
  const shown = ActionView.parse(await read(`/v1/actions/${actionId}`, 'fr'));
  const plain = ActionView.parse(await read(`/v1/actions/${actionId}`, 'en'));
  const reasonsOf = ({ journal }: typeof shown) =>
    [...journal.ends, ...journal.observations].map(({ because }) => because);
  expect(reasonsOf(shown)).toEqual(reasonsOf(plain).map(frenchOf));
  expect(reasonsOf(shown)).not.toEqual(reasonsOf(plain));
  expect(shown.action.arguments).toEqual(plain.action.arguments);
  expect(shown.action.told).toEqual(plain.action.told);
});

test('the eight titles are the article’s, in French and English', async () => {
  const actionId = await lost();
  const titles = async (lang: 'en' | 'fr') =>
    Sheet.parse((await sheetOf(actionId, 'application/json', lang)).body).fields.map(
      ({ title }) => title,
    );
  expect(await titles('fr')).toEqual([
    'Intention approuvée',
    'Identité stable',
    'Destination',
    'Dernier fait connu',
    'Preuve de l’effet',
    'Contrat de répétition',
    'Mandat actuel',
    'Décision et responsable',
  ]);
  expect(await titles('en')).toEqual([
    'Approved intent',
    'Stable identity',
    'Destination',
    'Last known fact',
    'Evidence of effect',
    'Repetition contract',
    'Current mandate',
    'Decision and owner',
  ]);
});

test('as Markdown it has front matter, one title, eight headings, and nothing that others wrote becomes markup', async () => {
  const runId = await startRun(rig, begun.conversationId);
  const sly = '](http://x) **bold** <img src=x>\n# Title\n---\nid: other';
  const { actionId } = await takeStep(rig, runId, {
    tool: 'note',
    arguments: { payment: sly, cents: 1 },
  });
  const { text, headers } = await sheetOf(actionId, 'text/markdown');
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const keys = front.split('\n').map((line) => line.split(':')[0]);
  expect(keys).toEqual([
    'id',
    'state',
    'disposition',
    'owner',
    'lease_end',
    'claim_fence',
    'head',
    'digest',
    'language',
    'generated_at',
    'generated_by',
    'permalink',
  ]);
  // Nothing was decided: "open" would read as the state of the action itself.
  expect(front).toMatch(/^disposition: null$/m);
  expect(body.match(/^# /gm)).toHaveLength(1);
  expect(body.match(/^## \d\. /gm)).toHaveLength(8);
  expect(body).toContain('\\*\\*bold\\*\\*');
  expect(body).not.toMatch(/(?<!\\)<img/);
  expect(body).toContain('State at this time: ');
  expect(body).toContain(`<https://desk.example/#/action/${actionId}>`);
});

test('as HTML it is one file without script, under a policy that allows its style alone', async () => {
  const runId = await startRun(rig, begun.conversationId);
  const { actionId } = await takeStep(rig, runId, {
    tool: 'note',
    arguments: { payment: '<script>alert(1)</script>', cents: 1 },
  });
  const { text, headers } = await sheetOf(actionId, 'text/html', 'fr');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(text).toContain('<html lang="fr">');
  expect(text).not.toMatch(/<script|<img|<link|@import|url\(/i);
  expect(text).toContain('&lt;script&gt;');
});

test('evidence that proves nothing leaves the field supposed; waiting says until when and who decided it', async () => {
  const actionId = await lost();
  await claimIt(rig, actionId);
  const read = async () => Sheet.parse((await sheetOf(actionId, 'application/json')).body).fields;
  const before = await read();
  expect(before[4]?.is).toBe('supposed');
  expect(before[7]?.missing.map(({ says }) => says)).toContain('personsDecision');
  const until = new Date(rig.now() + 3_600_000).toISOString();
  await decide(rig, actionId, { kind: 'wait', until, reason: 'They call back.' });
  const waits = (await read())[7];
  expect(waits?.missing.map(({ says }) => says)).not.toContain('personsDecision');
  expect(waits?.lines.find(({ says }) => says === 'waits')?.text).toMatch(/^until .* decided by /);
  // Its contract declares no look-up: nothing but a person looks then.
  expect(waits?.lines.map(({ says }) => says)).toContain('nextPerson');
  await decide(rig, actionId, { kind: 'abandon', reason: 'The customer left.' });
  const after = (await read())[7]?.lines ?? [];
  expect(after.map(({ says }) => says)).not.toContain('waits');
  expect(after.find(({ says }) => says === 'disposed')?.text).toMatch(/^abandoned by Rob/);
});

test('what was redacted stays so, and no credential is in any form', async () => {
  const actionId = await lost();
  for (const accept of ['application/json', 'text/markdown', 'text/html']) {
    const { text } = await sheetOf(actionId, accept);
    expect(text).not.toMatch(/authorization|bearer|\{\{secret/i);
  }
});

test('prints an ordinary action on one A4 page, its links written out', async () => {
  const actions = [
    await situations['has a key']?.(),
    await situations['is claimed, observed and abandoned']?.(),
    await situations['was reissued']?.(),
  ];
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: true,
  });
  try {
    const page = await browser.newPage();
    for (const [actionId, lang] of actions.flatMap((id) => [
      [id ?? '', 'en'] as const,
      [id ?? '', 'fr'] as const,
    ])) {
      await page.setContent((await sheetOf(actionId, 'text/html', lang)).text);
      const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
      expect(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]).toBe('1');
      await page.emulateMedia({ media: 'print' });
      const after = await page.evaluate(() => {
        const link = document.querySelector('a');
        return link === null ? '' : getComputedStyle(link, '::after').content;
      });
      expect(after).toContain('desk.example/#/');
      await page.emulateMedia({ media: null });
    }
  } finally {
    await browser.close();
  }
});
