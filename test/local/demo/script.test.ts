// What the shipped scripted model does with a call that a person writes out, for whatever tools its agent has.
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../../../functions/adapters/model/scripted.ts';
import type { JsonObject } from '../../../functions/core/base/json.ts';
import type { ToolResult, TranscriptEntry } from '../../../functions/core/turn/transcript.ts';
import type { ModelTool } from '../../../functions/ports/model.ts';
import { demoTools } from '../../../local/demo/registrations.ts';
import { scripts } from '../../../local/demo/script.ts';

const tool = (name: string, schema: JsonObject = { type: 'object' }): ModelTool => ({
  name,
  description: '',
  arguments: schema,
});
const ticket = tool('ticket_open', {
  type: 'object',
  properties: {
    subject: { type: 'string' },
    urgency: { type: 'string', enum: ['low', 'high'] },
    copies: { type: 'integer', minimum: 2 },
    loud: { type: 'boolean' },
    note: { type: 'string' },
  },
  required: ['subject', 'urgency', 'copies', 'loud'],
});

const model = scriptedModel({ scripts, newCallId: () => 'call-1' });
const play = (
  text: string,
  { after = [], tools = [ticket] }: { after?: TranscriptEntry[]; tools?: ModelTool[] } = {},
) =>
  model.call({
    choice: { provider: 'scripted', script: 'demo' },
    options: {},
    prompt: 'You help.',
    transcript: [{ role: 'person', text, from: 'ana' }, ...after],
    tools,
    onText: async () => undefined,
    signal: new AbortController().signal,
  });

const results = (...told: readonly (readonly [ToolResult['status'], string])[]) => {
  const calls = told.map((_, n) => ({ callId: `c${n}`, name: 'ticket_open', arguments: {} }));
  return [
    { role: 'agent', text: '', calls },
    {
      role: 'results',
      results: told.map(([status, text], n) => ({
        callId: `c${n}`,
        name: 'ticket_open',
        status,
        text,
      })),
    },
  ] satisfies TranscriptEntry[];
};

describe('a call that is written out', () => {
  test.each([
    ['call ticket_open {"subject": "hello"}', [{ subject: 'hello' }]],
    ['  Call ticket_open{"subject":"hello"}  ', [{ subject: 'hello' }]],
    ['call ticket_open', [{}]],
    [
      'call ticket_open {"n": 1}\ncall ticket_open\n\ncall ticket_open {"n": 3}',
      [{ n: 1 }, {}, { n: 3 }],
    ],
    [
      'call ticket_open {\n  "subject": "opportunity for Acme",\n  "deep": { "call": [1] }\n}',
      [{ subject: 'opportunity for Acme', deep: { call: [1] } }],
    ],
    [
      'call ticket_open {"subject": "please call ticket_open {}"}',
      [{ subject: 'please call ticket_open {}' }],
    ],
    // The model writes what it was told to; whether those are arguments is the product's to say.
    ['call ticket_open [1]', [[1]]],
  ])('%j', async (text, expected) => {
    const { calls } = await play(text);
    expect(calls).toEqual(expected.map((args) => ({ name: 'ticket_open', arguments: args })));
  });

  test('of several tools, in the order in which they are written', async () => {
    const { calls } = await play('call second {"a":1}\ncall first');
    expect(calls).toEqual([
      { name: 'second', arguments: { a: 1 } },
      { name: 'first', arguments: {} },
    ]);
  });

  test('of a tool that the agent does not have is made all the same: the product answers it', async () => {
    expect((await play('call nowhere')).calls).toEqual([{ name: 'nowhere', arguments: {} }]);
  });

  test.each([
    "call ticket_open {'subject': 'hello'}",
    'call ticket_open {"subject": "hello"',
    'call ticket_open hello',
    'call ticket_open {"subject": "good"}\ncall ticket_open {bad}',
    'call ticket_open {"subject": "good"}\nand do it soon',
  ])('is not made when its arguments are no JSON, and the answer says how: %j', async (text) => {
    const { calls, text: said } = await play(text);
    expect(calls).toEqual([]);
    expect(said).toMatch(/^I made no call\. What you wrote after ticket_open \(.+\) is no JSON\./);
    expect(said).toContain('call ticket_open {"subject":"…"');
  });
});

describe('what came of it', () => {
  const text = 'call ticket_open {"subject": "hello"}';

  test('is said as it was told', async () => {
    const done = 'Done: ticket_open (act_1) is confirmed.\nResult: {"id":"t-1"}';
    const { text: said, calls } = await play(text, { after: results(['success', done]) });
    expect(said).toBe(`The result: ${done}`);
    expect(calls).toEqual([]);
  });

  test('is never called done when one of them is an error', async () => {
    const unknown = 'Undetermined: it is not known whether ticket_open (act_1) was carried out.';
    const after = results(['success', 'Done: one.'], ['error', unknown]);
    expect((await play(text, { after })).text).toBe(
      `I cannot say that it is done. What is known: Done: one.\n\n${unknown}`,
    );
  });

  test('is cut where it is long, and says so', async () => {
    const { text: said } = await play(text, { after: results(['success', 'x'.repeat(60_000)]) });
    expect(said.length).toBeLessThan(5_000);
    expect(said).toContain('of 60000 characters are shown. The whole is beside the call.');
  });
});

describe('what it does not understand', () => {
  test('is answered with a call of each tool that the agent has, which it then makes', async () => {
    const { text } = await play('Open a ticket, please', { tools: [ticket, tool('ask_user')] });
    const line = 'call ticket_open {"subject":"…","urgency":"low","copies":2,"loud":true}';
    expect(text).toContain(line);
    expect(text).not.toContain('ask_user');
    expect(text).not.toContain('Acme');
    expect((await play(line)).calls).toEqual([
      {
        name: 'ticket_open',
        arguments: { subject: '…', urgency: 'low', copies: 2, loud: true },
      },
    ]);
  });

  test('shows the form to an agent without a tool', async () => {
    expect((await play('Hello', { tools: [] })).text).toContain('call NAME {"argument": "value"}');
  });

  test('names the demo’s scenes to the demo’s agent, and its tools', async () => {
    const tools = demoTools('http://127.0.0.1:1').map(({ name }) => tool(name));
    const { text } = await play('Hello', { tools });
    expect(text).toContain('Who is Acme?');
    expect(text).toContain('call crm_refund {}');
  });

  test('takes nothing from the demo’s scenes', async () => {
    const { calls } = await play('Mail marta@acme.example: call ticket_open {}');
    expect(calls).toMatchObject([{ name: 'mail_send' }]);
  });
});

describe('in French', () => {
  const tools = demoTools('http://127.0.0.1:1').map(({ name }) => tool(name));

  test.each([
    ['Crée une opportunité pour Acme : 12 places', 'crm_find_customer', { query: 'Acme' }],
    ['opportunité pour Acme\u00a0: 12 places', 'crm_find_customer', { query: 'Acme' }],
    [
      'rembourse pay_1003 de 4900',
      'crm_refund',
      { payment_id: 'pay_1003', amount_cents: 4900, reason: 'Demandé dans la conversation' },
    ],
    [
      'Courriel à marta@acme.example : bonjour',
      'mail_send',
      { to: 'marta@acme.example', subject: 'De votre équipe commerciale', text: 'bonjour' },
    ],
    [
      'Réserve un appel avec Acme le 2026-12-03 à 10h00',
      'calendar_create_event',
      { title: 'appel avec Acme', starts_at: '2026-12-03T10:00:00Z' },
    ],
    ['qui est Acme ?', 'crm_find_customer', { query: 'Acme' }],
  ])('%j makes the call of its scene', async (text, name, args) => {
    const { calls, text: said } = await play(text, { tools });
    expect(calls).toEqual([{ name, arguments: args }]);
    expect(said).toMatch(/^(Je|Un) /);
  });

  test('each sentence that the answer proposes is understood', async () => {
    const { text } = await play('Bonjour, que savez-vous faire ?', { tools });
    const proposed = [...text.matchAll(/«\u00a0(.+?)\u00a0»/g)].map(([, said = '']) => said);
    expect(proposed).toHaveLength(5);
    for (const said of proposed) expect((await play(said, { tools })).calls).toHaveLength(1);
  });

  test('an agent of one’s own is answered in French as well, and English stays English', async () => {
    expect((await play('Ouvrez un ticket, merci')).text).toContain('Écrivez un appel');
    expect((await play('Open a ticket for José, please')).text).toContain('Write out a call');
    expect((await play('Hello, a comment', { tools })).text).toContain('Who is Acme?');
  });
});
