// A contract that contradicts itself is refused, field by field; one that leaves something open is told what it costs.
import { describe, expect, test } from 'vitest';
import {
  checkRegistration,
  noteCodes,
  type RefusalCode,
  refusalCodes,
} from '../../../functions/core/registry/contract-check.ts';
import {
  ToolRegistration,
  type ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';
import { demoTools } from '../../../local/demo/registrations.ts';

type ContractInput = ToolRegistrationInput['contract'];

const lookUp = {
  tool: 'find',
  arguments: { reference: '$reference' },
  by: 'reference' as const,
  hits: 'items',
  found: { status: [200] },
  absent: { status: [404] },
  compare: { amount: 'amount' },
  coverage: {
    account: 'a',
    environment: 'test',
    archived: true,
    readRights: 'all',
    period: 'always',
    complete: true,
  },
  settleMs: 0,
};
const key = {
  kind: 'key' as const,
  place: { in: 'header' as const, name: 'idempotency-key' },
  scope: 'account',
  retentionMs: 86_400_000,
  onRepeat: 'returns_first_result' as const,
  comparesParameters: true,
};
const contract: ContractInput = {
  effect: 'write',
  destination: { provider: 'p', account: 'a', environment: 'test', apiVersion: '1' },
  success: [{ reply: { status: [201] } }],
  key,
  lookUp,
  verification: { by: 'a trial', at: '2026-11-30T09:00:00Z', how: 'Cut after the write.' },
};
const http = {
  kind: 'http' as const,
  method: 'POST' as const,
  url: 'https://p.test/things',
  body: { as: 'arguments' as const },
};
const put = { ...http, method: 'PUT' as const, url: 'https://p.test/things/{{reference}}' };
const tool: ToolRegistrationInput = {
  name: 'make_thing',
  description: 'Makes a thing.',
  arguments: {
    type: 'object',
    properties: { amount: { type: 'integer' } },
    additionalProperties: false,
  },
  transport: http,
  contract,
};

const checked = (change: Partial<ToolRegistrationInput>) =>
  checkRegistration(ToolRegistration.parse({ ...tool, ...change }));
const withContract = (change: Partial<ContractInput>) =>
  checked({ contract: { ...contract, ...change } });

const { key: _key, lookUp: _lookUp, verification: _verification, ...bare } = contract;

const refused: { readonly [Code in RefusalCode]: () => ReturnType<typeof checked> } = {
  reserved_name: () => checked({ name: 'ask_user' }),
  key_on_a_read: () => withContract({ effect: 'read' }),
  look_up_on_a_read: () => withContract({ effect: 'read' }),
  read_that_writes: () =>
    checked({ transport: { ...http, method: 'DELETE' }, contract: { ...bare, effect: 'read' } }),
  reference_does_not_travel: () => checked({ contract: { ...bare, lookUp } }),
  reference_not_asked_for: () =>
    withContract({ lookUp: { ...lookUp, arguments: { amount: '$args.amount' } } }),
  reference_in_another_form: () =>
    withContract({ lookUp: { ...lookUp, arguments: { reference: '$reference:uuid' } } }),
  only_a_reference_may_be_contained: () =>
    withContract({
      lookUp: { ...lookUp, compare: { amount: { path: 'note', match: 'contains' } } },
    }),
  empty_template: () => checked({ transport: { ...http, body: { as: 'json', template: {} } } }),
  unknown_argument: () => withContract({ likeness: ['colour'] }),
  already_exists_without_look_up: () =>
    checked({ contract: { ...bare, alreadyExists: { status: [409] } } }),
  looks_up_itself: () => withContract({ lookUp: { ...lookUp, tool: 'make_thing' } }),
  nothing_compared: () => withContract({ lookUp: { ...lookUp, compare: {} } }),
  found_is_absent: () => withContract({ lookUp: { ...lookUp, absent: { status: [200] } } }),
  success_is_disproof: () =>
    withContract({ disproof: [{ reply: { status: [201] }, because: 'Odd.' }] }),
  margin_beyond_retention: () => withContract({ key: { ...key, marginMs: 86_400_000 } }),
  polls_past_its_limit: () =>
    withContract({ progress: { running: { status: [202] }, everyMs: 10, untilMs: 5 } }),
  asks_only_over_mcp: () => withContract({ asksBeforeActing: true }),
  poll_status_proves_nothing: () =>
    withContract({
      progress: {
        running: { status: [202] },
        untilMs: 60_000,
        poll: { tool: 'job', arguments: {}, failed: [{ reply: { status: [404] } }] },
      },
    }),
  header_is_not_read: () =>
    checked({
      transport: { kind: 'mcp', url: 'https://p.test/mcp', tool: 'make' },
      contract: {
        ...bare,
        success: [{ reply: { headers: [{ name: 'x-done', exists: true }] } }],
      },
    }),
  preset_needs_a_key: () => checked({ contract: { ...bare, preset: 'ietf' } }),
  preset_needs_put: () => withContract({ preset: 'put' }),
  preset_needs_http: () =>
    checked({
      transport: { kind: 'mcp', url: 'https://p.test/mcp', tool: 'make' },
      contract: { ...contract, preset: 'ietf' },
    }),
  preset_key_elsewhere: () =>
    withContract({ preset: 'ietf', key: { ...key, place: { in: 'body', path: 'key' } } }),
  preset_repeat_differs: () =>
    withContract({ preset: 'stripe-v1', key: { ...key, comparesParameters: false } }),
  preset_retention_too_long: () =>
    withContract({ preset: 'stripe-v1', key: { ...key, retentionMs: 2 * 86_400_000 } }),
  put_not_conditional: () =>
    checked({
      transport: { ...put, headers: { 'If-None-Match': '"v1"' } },
      contract: { ...bare, lookUp, preset: 'put' },
    }),
  put_without_reference: () =>
    checked({
      transport: { ...put, url: 'https://p.test/things/1' },
      contract: { ...bare, lookUp, preset: 'put' },
    }),
  preset_on_a_read: () => checked({ contract: { ...bare, effect: 'read', preset: 'ietf' } }),
  condition_does_not_parse: () =>
    withContract({ policy: { approval: { when: 'condition', expression: '((' } } }),
  condition_has_no_bound: () =>
    withContract({ policy: { approval: { when: 'condition', expression: '$sum([1..99])' } } }),
};

describe('a registration', () => {
  test('that is whole has neither refusals nor notes', () => {
    expect(checked({})).toEqual({ refusals: [], notes: [] });
  });

  test.each(refusalCodes)('is refused: %s', (code) => {
    expect(refused[code]().refusals.map((found) => found.code)).toContain(code);
  });

  test('is told which field is wrong', () => {
    expect(withContract({ likeness: ['amount', 'colour'] }).refusals).toEqual([
      { field: 'contract.likeness.1', code: 'unknown_argument' },
    ]);
    expect(withContract({ lookUp: { ...lookUp, compare: { colour: 'colour' } } }).refusals).toEqual(
      [{ field: 'contract.lookUp.compare.colour', code: 'unknown_argument' }],
    );
  });

  test('whose template carries the reference may be looked up by it', () => {
    const body = { as: 'json' as const, template: { ref: '{{reference}}' } };
    const found = checked({ transport: { ...http, body }, contract: { ...bare, lookUp } });
    expect(found.refusals).toEqual([]);
  });

  test('that leaves everything open is accepted, with what it costs', () => {
    const { effect: _effect, success: _success, ...open } = bare;
    const { refusals, notes } = checked({ contract: { ...open, effect: 'irreversible' } });
    expect(refusals).toEqual([]);
    expect(notes.map(({ code }) => code)).toEqual([
      'no_automatic_repeat',
      'nothing_proves_the_effect',
      'always_needs_approval',
      'nobody_can_check',
    ]);
  });

  test('whose natural key claims a complete search is told that it proves no absence', () => {
    const natural = { ...lookUp, by: 'natural' as const };
    const codes = withContract({ lookUp: natural }).notes.map(({ code }) => code);
    expect(codes).toEqual(['natural_key_never_proves_absence']);
    expect(noteCodes).toContain(codes[0]);
  });

  test('of an MCP tool that says that it asks before it acts is told that this is believed', () => {
    const { notes, refusals } = checked({
      transport: { kind: 'mcp', url: 'https://p.test/mcp', tool: 'make' },
      contract: { ...bare, asksBeforeActing: true },
    });
    expect(refusals).toEqual([]);
    expect(notes.map(({ code }) => code)).toContain('asking_is_believed');
  });

  test('whose secret could not be read on AWS is told so, wherever it stands', () => {
    const codes = (secret: string) => {
      const authorization = `Bearer {{ secret:${secret} }}`;
      return checked({ transport: { ...http, headers: { authorization } } }).notes;
    };
    expect(codes('reprise/api-key')).toEqual([]);
    expect(codes('api-key')).toEqual([{ field: 'transport', code: 'secret_outside_reprise' }]);
  });

  test('of a read needs nothing', () => {
    const { notes, refusals } = checked({ contract: { ...bare, effect: 'read', success: [] } });
    expect({ notes, refusals }).toEqual({ notes: [], refusals: [] });
  });
});

test('every tool of the demo passes', () => {
  for (const input of demoTools('http://127.0.0.1:1')) {
    const { refusals } = checkRegistration(ToolRegistration.parse(input));
    expect(refusals, input.name).toEqual([]);
  }
});
