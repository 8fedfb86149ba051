// How the demo's agent and tools are registered in Reprise: plain data in the shape of the tool contract. What a contract
// promises here is held against the running demo by its test. The demo's own process does not read this file.
import type { AgentConfigurationInput } from '../../functions/core/registry/agent.ts';
import type { ReplyPattern } from '../../functions/core/registry/reply-pattern.ts';
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';
import {
  demoDestination,
  demoHeaders,
  object,
  ours,
  ownReply,
  text,
} from './registration-parts.ts';
import { calendarTools } from './registrations-calendar.ts';
import { crmReads } from './registrations-reads.ts';

const refusal = (status: number[]) => ({
  reply: ownReply(status, 'error.code'),
  because: 'The service named its error and, as documented, did nothing.',
});
/** Without the token the answer names no environment; only the service itself answers so. */
const noToken = {
  reply: { status: [401], fields: [{ path: 'error.code', equals: 'unauthorised' }] },
  because: 'The service refused the token before it looked at the request.',
};

const dayMs = 86_400_000;

/** A look-up by reference in a list that covers the whole account; what it finds shows the reference it was made with. */
const lookUpByReference = (tool: string, list: string, compared: readonly string[]) => ({
  tool,
  arguments: { reference: '$reference' },
  by: 'reference' as const,
  hits: list,
  found: ownReply([200], `${list}.0.id`),
  absent: { status: [200], fields: [...ours(), { path: list, equals: [] }] },
  compare: {
    $reference: 'reference',
    ...Object.fromEntries(compared.map((name) => [name, name])),
  },
  reference: 'id',
  coverage: {
    account: 'demo-account',
    environment: 'test',
    archived: true,
    readRights: 'all records of the account',
    period: 'since the account exists',
    complete: true,
  },
  settleMs: 1_000,
});

const keyInUse: ReplyPattern = {
  status: [409],
  fields: [{ path: 'error.code', equals: 'key_in_use' }],
};

const verified = (how: string) => ({
  by: 'the demo’s own tests',
  at: '2026-11-29T09:00:00Z',
  how,
});

const createOpportunity = (url: string): ToolRegistrationInput => ({
  name: 'crm_create_opportunity',
  description: 'Creates an opportunity for a customer. Find the customer first to know its id.',
  arguments: object({
    customer_id: text('The customer’s id, such as cus_acme'),
    title: text('What is to be sold', 200),
    amount_cents: { type: 'integer', minimum: 0, description: 'Expected amount in euro cents' },
  }),
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${url}/crm/opportunities`,
    headers: { ...demoHeaders, 'idempotency-key': '{{reference}}' },
    body: {
      as: 'json',
      template: {
        customer_id: '{{args.customer_id}}',
        title: '{{args.title}}',
        amount_cents: '{{args.amount_cents}}',
        reference: '{{reference}}',
      },
    },
  },
  contract: {
    effect: 'write',
    operations: ['POST /crm/opportunities'],
    destination: demoDestination('demo-crm'),
    success: [{ reply: ownReply([201], 'opportunity.id'), reference: 'opportunity.id' }],
    disproof: [refusal([400, 422]), noToken],
    key: {
      kind: 'key',
      place: { in: 'header', name: 'idempotency-key' },
      scope: 'account',
      retentionMs: dayMs,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
      stillRunning: keyInUse,
    },
    lookUp: lookUpByReference('crm_find_opportunity_by_reference', 'opportunities', [
      'customer_id',
      'title',
      'amount_cents',
    ]),
    likeness: ['customer_id', 'title'],
    verification: verified('Same key twice, in parallel, after a lost reply and past retention.'),
  },
});

const putNote = (url: string): ToolRegistrationInput => ({
  name: 'crm_put_note',
  description: 'Writes a note about a customer.',
  arguments: object({
    customer_id: text('The customer’s id, such as cus_acme'),
    text: text('The note', 10_000),
  }),
  transport: {
    kind: 'http',
    method: 'PUT',
    url: `${url}/crm/notes/{{reference}}`,
    headers: { ...demoHeaders, 'if-none-match': '*' },
    body: { as: 'json', template: { customer_id: '{{args.customer_id}}', text: '{{args.text}}' } },
  },
  contract: {
    effect: 'write',
    operations: ['PUT /crm/notes/{id}'],
    destination: demoDestination('demo-crm'),
    success: [{ reply: ownReply([201], 'note.id'), reference: 'note.id' }],
    disproof: [refusal([400, 422]), noToken],
    alreadyExists: ownReply([412], 'error.code'),
    key: {
      kind: 'key',
      place: { in: 'path', name: 'id' },
      scope: 'account',
      // A note's id is never given away again: as long as there are notes.
      retentionMs: 3_650 * dayMs,
      onRepeat: 'error',
      comparesParameters: false,
    },
    lookUp: {
      ...lookUpByReference('crm_get_note', 'note', ['customer_id', 'text']),
      arguments: { id: '$reference' },
      found: ownReply([200], 'note.id'),
      absent: { status: [404], fields: [...ours(), { path: 'error.code', equals: 'not_found' }] },
    },
    verification: verified('Put twice with If-None-Match: one note, the second is told so.'),
  },
});

const refund = (url: string): ToolRegistrationInput => ({
  name: 'crm_refund',
  description: 'Refunds a payment, wholly or in part. It cannot be taken back.',
  arguments: object({
    payment_id: text('The payment’s id, such as pay_1001'),
    amount_cents: {
      type: 'integer',
      minimum: 1,
      description: 'Amount to give back, in euro cents',
    },
    reason: text('Why', 500),
  }),
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${url}/crm/refunds`,
    headers: demoHeaders,
    body: {
      as: 'json',
      template: {
        payment_id: '{{args.payment_id}}',
        amount_cents: '{{args.amount_cents}}',
        reason: '{{args.reason}}',
        reference: '{{reference}}',
        idempotency_key: '{{reference}}',
      },
    },
  },
  contract: {
    effect: 'irreversible',
    operations: ['POST /crm/refunds'],
    destination: demoDestination('demo-crm'),
    success: [{ reply: ownReply([201], 'refund.id'), reference: 'refund.id' }],
    disproof: [refusal([400, 404, 422]), noToken],
    key: {
      kind: 'key',
      place: { in: 'body', path: 'idempotency_key' },
      scope: 'account',
      retentionMs: dayMs,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
      stillRunning: keyInUse,
    },
    lookUp: lookUpByReference('crm_find_refund_by_reference', 'refunds', [
      'payment_id',
      'amount_cents',
      'reason',
    ]),
    likeness: ['payment_id'],
    policy: { approval: { when: 'always' } },
  },
});

const sendMail = (url: string): ToolRegistrationInput => ({
  name: 'mail_send',
  description: 'Sends a mail to a customer’s contact. It cannot be taken back.',
  arguments: object({
    to: { ...text('Mail address of the recipient', 254), format: 'email' },
    subject: text('Subject', 300),
    text: text('The mail itself, plain text', 50_000),
  }),
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${url}/mail/messages`,
    headers: demoHeaders,
    body: { as: 'arguments' },
  },
  // No key and no look-up: what is not answered stays undetermined. 202 means accepted, not delivered.
  contract: {
    effect: 'irreversible',
    operations: ['POST /mail/messages'],
    destination: demoDestination('demo-mail'),
    disproof: [refusal([400]), noToken],
    likeness: ['to', 'subject'],
    policy: { approval: { when: 'always' } },
  },
});

/** All tools of the demo; `url` is the running demo's address without a slash at the end. */
export const demoTools = (url: string): ToolRegistrationInput[] => [
  ...crmReads(url),
  createOpportunity(url),
  putNote(url),
  refund(url),
  sendMail(url),
  ...calendarTools(url),
];

/** The agent of the demo. Its script is called `demo`; give it another model to have a real one. */
export const salesAssistant: AgentConfigurationInput = {
  name: 'Sales assistant',
  prompt: `You help a sales team with its CRM, mail and calendar.
Look up a customer before you write anything about it, and use the ids you found.
Amounts are in euro cents. Call a tool only for what was asked.
Report what the tools answered; when an outcome is not known, say that it is not known.`,
  model: { provider: 'scripted', script: 'demo' },
  tools: demoTools('').map(({ name }) => ({ name })),
};
