// What the scripted model says in the demo: data only. It plays the sales assistant, so that the demo needs no key and no
// network, and it says that it is scripted; and for any agent it makes the call that a person writes out, so that a tool of one's
// own can be tried as well. Owns: the scenes of the walk-through and of the benchmarks.
import type { Scene, Script } from '../../functions/adapters/model/script.ts';
import { frenchDefaults, frenchScenes } from './script-fr.ts';

/** An agent that has these is the demo's. */
const demoTools = ['crm_create_opportunity', 'crm_refund', 'mail_send', 'crm_find_customer'];

/** `call ticket_open {"subject": "hello"}`: that call, as it is written; several, each begun on a line of its own, in one step. */
const asWritten: Scene = {
  when: { matches: '^\\s*call[ \\t]+\\S' },
  turns: [
    {
      say: 'I make the call as you wrote it.',
      callEach: {
        // The arguments go on until the next call begins, or to the end.
        matches:
          '^[ \\t]*call[ \\t]+(?<tool>[^\\s{]+)(?<arguments>[\\s\\S]*?)(?=^[ \\t]*call[ \\t]|$(?![\\s\\S]))',
        name: '{{match.tool}}',
        arguments: '{{json:match.arguments}}',
      },
      onNoJson: {
        say: 'I made no call. What you wrote after {{noJson}} is no JSON. Write the name of a tool, and its arguments as one JSON object:\n\n```\n{{sampleCalls}}\n```',
      },
    },
    {
      say: 'The result: {{told}}',
      onError: { say: 'I cannot say that it is done. What is known: {{told}}' },
    },
  ],
};

const demo: Script = {
  paceMs: 40,
  scenes: [
    asWritten,
    {
      // "Create an opportunity for Acme: 12 seats, 4,800 euros" → look up, create, answer.
      when: { matches: 'opportunity for (?<customer>[\\wÀ-ÿ ]+?)(?:[:,](?<title>.*))?$' },
      turns: [
        {
          say: 'I look up the customer first.',
          call: [{ name: 'crm_find_customer', arguments: { query: '{{match.customer}}' } }],
        },
        {
          say: 'Found. Now I create the opportunity in the CRM.',
          call: [
            {
              name: 'crm_create_opportunity',
              arguments: {
                customer_id: '{{result.0.customers.0.id}}',
                title: '{{message}}',
                amount_cents: 480_000,
              },
            },
          ],
          onError: { say: 'I could not find that customer: {{error}}' },
        },
        {
          say: 'Done. The CRM answered: {{result.last}}',
          onError: { say: 'I cannot say that it is done. What is known: {{error}}' },
        },
      ],
    },
    {
      // "Refund pay_1003 by 4900" → irreversible, waits for an approval.
      when: { matches: 'refund (?<payment>pay_\\w+)(?: by (?<amount>\\d+))?' },
      turns: [
        {
          say: 'A refund cannot be taken back, so a person has to approve it.',
          call: [
            {
              name: 'crm_refund',
              arguments: {
                payment_id: '{{match.payment}}',
                amount_cents: '{{number:match.amount}}',
                reason: 'Requested in the conversation',
              },
            },
          ],
        },
        {
          say: 'The refund is made: {{result.last}}',
          onError: { say: 'The refund was not made. {{error}}' },
        },
      ],
    },
    {
      // "Mail marta@acme.example: …" → irreversible and without key or look-up: undetermined when the reply is lost.
      when: { matches: 'mail (?<to>\\S+@\\S+?)[: ]+(?<body>.*)' },
      turns: [
        {
          say: 'I prepare the mail; a person approves what is sent.',
          call: [
            {
              name: 'mail_send',
              arguments: {
                to: '{{match.to}}',
                subject: 'From your sales team',
                text: '{{match.body}}',
              },
            },
          ],
        },
        { say: 'The mail: {{result.last}}', onError: { say: 'About the mail: {{error}}' } },
      ],
    },
    {
      // "Book a call with Acme on 2026-12-03 at 10:00" → an MCP tool.
      when: {
        matches:
          'book (?:a )?(?<title>.+?) on (?<day>\\d{4}-\\d{2}-\\d{2}) at (?<time>\\d{2}:\\d{2})',
      },
      turns: [
        {
          say: 'I put it into the calendar.',
          call: [
            {
              name: 'calendar_create_event',
              arguments: {
                title: '{{match.title}}',
                starts_at: '{{match.day}}T{{match.time}}:00Z',
              },
            },
          ],
        },
        { say: 'Booked: {{result.last}}', onError: { say: 'About the booking: {{error}}' } },
      ],
    },
    {
      // "Who is Acme?"
      when: { matches: '(?:who is|find) (?<customer>[\\wÀ-ÿ ]+)' },
      turns: [
        {
          say: 'I ask the CRM.',
          call: [{ name: 'crm_find_customer', arguments: { query: '{{match.customer}}' } }],
        },
        {
          say: 'The CRM says: {{result.last}}',
          onError: { say: 'The CRM did not answer: {{error}}' },
        },
      ],
    },
    ...frenchScenes,
    ...frenchDefaults(demoTools),
    {
      when: { has: demoTools },
      turns: [
        {
          say: 'I am a scripted model: I play a few scenes and understand nothing else. Try: "Create an opportunity for Acme: 12 seats", "Refund pay_1003 by 4900", "Mail marta@acme.example: hello", "Book a call on 2026-12-03 at 10:00" or "Who is Acme?". Or write out a call, and I make it:\n\n```\n{{sampleCalls}}\n```',
        },
      ],
    },
    {
      when: {},
      turns: [
        {
          say: 'I am a scripted model and understand no sentences. Write out a call, and I make it:\n\n```\n{{sampleCalls}}\n```',
        },
      ],
    },
  ],
};

/** "loop 300" creates 300 opportunities, one per step: for the benchmarks and the long-run tests. */
const loop: Script = {
  scenes: [
    asWritten,
    {
      when: { matches: 'loop (?<times>\\d+)' },
      turns: [
        {
          call: [
            {
              name: 'crm_create_opportunity',
              arguments: {
                customer_id: 'cus_acme',
                title: '{{message}}, number {{step}}',
                amount_cents: '{{number:step}}',
              },
            },
          ],
          times: '{{match.times}}',
        },
        { say: 'The loop is over.' },
      ],
    },
    { when: {}, turns: [{ say: 'Say "loop" and a number.' }] },
  ],
};

export const scripts: { readonly [name: string]: Script } = { demo, loop };
