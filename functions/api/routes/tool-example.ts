// The tool that the OpenAPI document shows: an HTTP write with a key and a look-up by reference.
// Tested in test/functions/api/registry/contracts-page.test.ts.
import type { JsonObject } from '../../core/base/json.ts';
import type { ToolRegistrationInput } from '../../core/registry/tool.ts';

export const toolExample: JsonObject = {
  name: 'crm_create_opportunity',
  description: 'Creates an opportunity for a customer.',
  arguments: {
    type: 'object',
    properties: { customer_id: { type: 'string' }, title: { type: 'string' } },
    required: ['customer_id', 'title'],
    additionalProperties: false,
  },
  transport: {
    kind: 'http',
    method: 'POST',
    url: 'https://crm.example.com/opportunities',
    headers: { authorization: 'Bearer {{secret:reprise/crm-token}}' },
    body: { as: 'arguments' },
  },
  contract: {
    effect: 'write',
    destination: { provider: 'crm', account: 'acme', environment: 'production', apiVersion: '2' },
    success: [{ reply: { status: [201] }, reference: 'id' }],
    disproof: [{ reply: { status: [422] }, because: 'The service validates before it writes.' }],
    key: {
      kind: 'key',
      place: { in: 'header', name: 'idempotency-key' },
      scope: 'account',
      retentionMs: 86_400_000,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
    },
    lookUp: {
      tool: 'crm_find_opportunity',
      arguments: { reference: '$reference' },
      by: 'reference',
      hits: 'opportunities',
      found: { status: [200], fields: [{ path: 'opportunities.0.id', exists: true }] },
      absent: { status: [200], fields: [{ path: 'opportunities', equals: [] }] },
      compare: { customer_id: 'customer_id', title: 'title' },
      reference: 'id',
      coverage: {
        account: 'acme',
        environment: 'production',
        archived: true,
        readRights: 'all records of the account',
        period: 'since the account exists',
        complete: true,
      },
      settleMs: 1_000,
    },
  },
} satisfies ToolRegistrationInput;
