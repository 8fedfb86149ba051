// The demo's own writing tools as subjects of the trials: what is tried when no tool is named. Owns: their sample arguments
// and how to count what they left, including the mail service's, which has no look-up.
import type { JsonObject } from '../../functions/core/base/json.ts';
import { ToolRegistration } from '../../functions/core/registry/tool.ts';
import { demoDestination, demoSecretName } from '../../local/demo/registration-parts.ts';
import { demoTools } from '../../local/demo/registrations.ts';
import { changeOf, type Subject } from './subject.ts';

const samples: { readonly [tool: string]: JsonObject } = {
  crm_create_opportunity: {
    customer_id: 'cus_acme',
    title: 'Trial {{unique}}',
    amount_cents: 4_800,
  },
  crm_put_note: { customer_id: 'cus_acme', text: 'Trial {{unique}}' },
  crm_refund: { payment_id: 'pay_1004', amount_cents: 100, reason: 'Trial {{unique}}' },
  mail_send: { to: 'marta@acme.example', subject: 'Trial {{unique}}', text: 'A trial.' },
  calendar_create_event: {
    title: 'Trial {{unique}}',
    starts_at: '2031-05-06T09:00:00Z',
    ends_at: '2031-05-06T10:00:00Z',
  },
};

/** The demo's own list of what it did, as a read tool: how the mails are counted, which nothing else can. */
const mailsSent = (url: string): ToolRegistration =>
  ToolRegistration.parse({
    name: 'demo_mails_sent',
    description: 'Lists what the demo mail service has sent.',
    arguments: { type: 'object', properties: {}, additionalProperties: false },
    transport: { kind: 'http', method: 'GET', url: `${url}/_admin/effects?service=mail` },
    contract: { effect: 'read', destination: demoDestination('demo-mail'), preset: 'http' },
  });

const mailExhibit = {
  tool: 'demo_mails_sent',
  arguments: {},
  hits: 'effects',
  match: { 'arguments.subject': '$args.subject' },
  reference: 'id',
  settleMs: 0,
};

/** Shorter than in the demo, so that a lost attempt is over soon. */
const timeoutMs = 4_000;

/** The subjects at a running demo; `names` keeps those named, in the demo's order. */
export const demoSubjects = (
  url: string,
  secret: string,
  names: readonly string[] = ['crm_create_opportunity', 'mail_send'],
): readonly Subject[] => {
  const tools = demoTools(url).map((tool) =>
    ToolRegistration.parse({ ...tool, contract: { ...tool.contract, timeoutMs } }),
  );
  const reads = tools.filter(({ contract }) => contract.effect === 'read');
  return tools.flatMap((tool) => {
    const sample = samples[tool.name];
    if (sample === undefined || !names.includes(tool.name)) return [];
    return [
      {
        tool,
        reads: tool.name === 'mail_send' ? [...reads, mailsSent(url)] : reads,
        arguments: sample,
        changed: changeOf(sample, tool),
        exhibit: tool.name === 'mail_send' ? mailExhibit : undefined,
        refusedArguments: [],
        passTime: undefined,
        environment: 'test',
        secrets: { [demoSecretName]: secret },
      },
    ];
  });
};

export const demoSubjectNames: readonly string[] = Object.keys(samples);
