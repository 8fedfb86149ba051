// The CRM's read tools as registered in Reprise; two of them serve the look-ups of writing tools.
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';
import { demoDestination, demoHeaders, object, text } from './registration-parts.ts';

const crmRead = (
  url: string,
  read: { name: string; description: string; query: string; path: string; says: string },
): ToolRegistrationInput => ({
  name: read.name,
  description: read.description,
  arguments: object({ [read.query]: text(read.says) }),
  transport: {
    kind: 'http',
    method: 'GET',
    url: `${url}/crm/${read.path}`,
    query: {
      [read.query]: `{{args.${read.query}}}`,
      ...(read.path === 'opportunities' ? { include_archived: 'true' } : {}),
    },
    headers: demoHeaders,
  },
  contract: { effect: 'read', destination: demoDestination('demo-crm'), preset: 'http' },
});

/** What the agent, and a look-up, can read in the CRM. */
export const crmReads = (url: string): ToolRegistrationInput[] => [
  crmRead(url, {
    name: 'crm_find_customer',
    description: 'Finds customers by a part of their name, contact, address or city.',
    path: 'customers',
    query: 'query',
    says: 'What to search for, such as a company name',
  }),
  crmRead(url, {
    name: 'crm_find_opportunities',
    description: 'Lists all opportunities of one customer, archived ones included.',
    path: 'opportunities',
    query: 'customer_id',
    says: 'The customer’s id, such as cus_acme',
  }),
  crmRead(url, {
    name: 'crm_find_opportunity_by_reference',
    description: 'Finds opportunities, archived ones included, by the reference of their action.',
    path: 'opportunities',
    query: 'reference',
    says: 'The reference that was given at creation',
  }),
  crmRead(url, {
    name: 'crm_find_payments',
    description: 'Lists the payments of one customer.',
    path: 'payments',
    query: 'customer_id',
    says: 'The customer’s id, such as cus_acme',
  }),
  crmRead(url, {
    name: 'crm_find_refund_by_reference',
    description: 'Finds refunds by the reference of their action.',
    path: 'refunds',
    query: 'reference',
    says: 'The reference that was given with the refund',
  }),
  {
    ...crmRead(url, {
      name: 'crm_get_note',
      description: 'Reads one note by its id.',
      path: 'notes/{{args.id}}',
      query: 'id',
      says: 'The note’s id',
    }),
    transport: {
      kind: 'http',
      method: 'GET',
      url: `${url}/crm/notes/{{args.id}}`,
      headers: demoHeaders,
    },
  },
];
