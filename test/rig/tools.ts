// The tools of the tests: the demo's operations with a short time limit, so that a lost attempt is over soon.
// `plain` ones give the destination nothing to know a repeat by and promise no look-up: whatever is sent twice is done twice
// there, and what is not known stays so. `kept` ones are the demo's own, with their look-ups and keys.
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';
import {
  demoDestination,
  demoHeaders,
  object,
  ownReply,
  text,
} from '../../local/demo/registration-parts.ts';
import { demoTools } from '../../local/demo/registrations.ts';

export const toolMs = 1_000;

/** What the agents of the tests may call unless they say otherwise. */
export const toolNames = ['create', 'refund', 'mail', 'find'] as const;

const cents = { type: 'integer' as const, minimum: 0 };
const refusal = {
  reply: ownReply([400, 404, 422], 'error.code'),
  because: 'The service named its error and, as documented, did nothing.',
};

const create = (url: string, timeoutMs: number): ToolRegistrationInput => ({
  name: 'create',
  description: 'Creates an opportunity.',
  arguments: object({ customer_id: text('Customer'), title: text('Title'), amount_cents: cents }),
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${url}/crm/opportunities`,
    headers: demoHeaders,
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
    destination: demoDestination('demo-crm'),
    success: [{ reply: ownReply([201], 'opportunity.id'), reference: 'opportunity.id' }],
    disproof: [refusal],
    key: { kind: 'reference', place: { in: 'body', path: 'reference' } },
    likeness: ['customer_id', 'title'],
    timeoutMs,
  },
});

const refund = (url: string, timeoutMs: number): ToolRegistrationInput => ({
  name: 'refund',
  description: 'Refunds a payment. It cannot be taken back.',
  arguments: object({ payment_id: text('Payment'), amount_cents: cents, reason: text('Why') }),
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
      },
    },
  },
  contract: {
    effect: 'irreversible',
    destination: demoDestination('demo-crm'),
    success: [{ reply: ownReply([201], 'refund.id'), reference: 'refund.id' }],
    disproof: [refusal],
    key: { kind: 'reference', place: { in: 'body', path: 'reference' } },
    policy: { approval: { when: 'always' } },
    timeoutMs,
  },
});

const plainTools = (url: string, timeoutMs: number): ToolRegistrationInput[] => [
  create(url, timeoutMs),
  refund(url, timeoutMs),
];

/** The demo's own tools by name, some under a shorter one. */
const keptNames: Readonly<Record<string, string>> = {
  crm_create_opportunity: 'crm_create_opportunity',
  crm_find_opportunity_by_reference: 'crm_find_opportunity_by_reference',
  crm_find_customer: 'find',
  mail_send: 'mail',
};

export const toolsAt = (url: string, timeoutMs: number = toolMs): ToolRegistrationInput[] => [
  ...demoTools(url).flatMap((tool) => {
    const name = keptNames[tool.name];
    return name === undefined ? [] : [{ ...tool, name, contract: { ...tool.contract, timeoutMs } }];
  }),
  ...plainTools(url, timeoutMs),
];

/** A call of the write; its title tells one test's effects from another's. */
export const callCreate = (title: string) => ({
  name: 'create',
  arguments: { customer_id: 'cus_acme', title, amount_cents: 4_800 },
});
export const callRefund = (paymentId: string, amountCents: number | string) => ({
  name: 'refund',
  arguments: { payment_id: paymentId, amount_cents: amountCents, reason: 'Asked for' },
});
export const callMail = (subject: string) => ({
  name: 'mail',
  arguments: { to: 'marta@acme.example', subject, text: 'Hello Marta.' },
});

/** The demo's own refund with the look-up that its contract names. */
export const demoRefund = (url: string): ToolRegistrationInput[] =>
  demoTools(url)
    .filter(({ name }) => name === 'crm_refund' || name === 'crm_find_refund_by_reference')
    .map((tool) => ({ ...tool, contract: { ...tool.contract, timeoutMs: toolMs } }));
