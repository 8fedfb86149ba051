// A preset is written out into the contract's own fields: what each convention then says of a reply, and that what a person
// gave stands before it.
import { describe, expect, test } from 'vitest';
import { readReply } from '../../../functions/core/perform/reply.ts';
import { checkRegistration } from '../../../functions/core/registry/contract-check.ts';
import { withPreset } from '../../../functions/core/registry/presets.ts';
import type { Reply } from '../../../functions/core/registry/reply-pattern.ts';
import {
  ToolRegistration,
  type ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';

type ContractInput = ToolRegistrationInput['contract'];

const lookUp: ContractInput['lookUp'] = {
  tool: 'find_thing',
  arguments: { id: '$reference' },
  by: 'reference',
  hits: 'thing',
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
const key: ContractInput['key'] = {
  kind: 'key',
  place: { in: 'header', name: 'Idempotency-Key' },
  scope: 'account',
  retentionMs: 3_600_000,
  onRepeat: 'returns_first_result',
  comparesParameters: true,
};

const registered = (
  contract: Partial<ContractInput>,
  transport: Partial<Extract<ToolRegistrationInput['transport'], { kind: 'http' }>> = {},
): ToolRegistration =>
  withPreset(
    ToolRegistration.parse({
      name: 'make_thing',
      description: 'Makes a thing.',
      arguments: {
        type: 'object',
        properties: { amount: { type: 'integer' } },
        additionalProperties: false,
      },
      transport: {
        kind: 'http',
        method: 'POST',
        url: 'https://p.test/things',
        body: { as: 'arguments' },
        ...transport,
      },
      contract: {
        effect: 'write',
        destination: { provider: 'p', account: 'a', environment: 'test', apiVersion: '1' },
        ...contract,
      },
    }),
  );

const ietf = registered({ preset: 'ietf', key });
const stripe = registered({ preset: 'stripe-v1' });
const put = registered(
  { preset: 'put', lookUp },
  { method: 'PUT', url: 'https://p.test/things/{{reference}}' },
);
const says = ({ contract }: ToolRegistration, status: number, body?: Reply['body']) => {
  const { says: word, alreadyExists, notNowMs } = readReply(contract, { status, body });
  if (alreadyExists === true) return 'already exists';
  return notNowMs === undefined ? word : 'not now';
};

describe('ietf', () => {
  test.each([
    [200, {}, 'confirms'],
    [201, {}, 'confirms'],
    [201, undefined, 'accepts'],
    [202, {}, 'accepts'],
    [204, undefined, 'accepts'],
    [400, {}, 'disproves'],
    [409, {}, 'in_progress'],
    [422, {}, 'disproves'],
    [412, {}, 'nothing'],
    [429, {}, 'nothing'],
    [500, {}, 'nothing'],
  ])('%s with %j %s', (status, body, word) => {
    expect(says(ietf, status, body)).toBe(word);
  });

  test('fixes no retention, so that a key must be declared', () => {
    const { refusals } = checkRegistration(registered({ preset: 'ietf' }));
    expect(refusals.map(({ code }) => code)).toEqual(['preset_needs_a_key']);
  });
});

describe('stripe-v1', () => {
  const error = { error: { type: 'invalid_request_error' } };

  test('declares a key of 24 hours in its header, which compares parameters', () => {
    expect(stripe.contract.key).toMatchObject({
      kind: 'key',
      place: { in: 'header', name: 'idempotency-key' },
      retentionMs: 86_400_000,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
    });
  });

  test.each([
    [200, { id: 'ch_1' }, 'confirms'],
    [200, {}, 'nothing'],
    [400, error, 'disproves'],
    [401, error, 'disproves'],
    [402, error, 'nothing'],
    [409, error, 'in_progress'],
    [429, error, 'not now'],
    [429, 'slow down', 'nothing'],
    [403, '<html>gateway</html>', 'nothing'],
    [500, error, 'nothing'],
  ])('%s with %j %s', (status, body, word) => {
    expect(says(stripe, status, body)).toBe(word);
  });

  test('a shorter retention that was given stands', () => {
    const given = registered({ preset: 'stripe-v1', key });
    expect(given.contract.key).toMatchObject({ retentionMs: 3_600_000 });
    expect(checkRegistration(given).refusals).toEqual([]);
  });
});

describe('put', () => {
  test('sends the condition under which it only creates', () => {
    expect(put.transport).toMatchObject({ headers: { 'if-none-match': '*' } });
  });

  test.each([
    [201, undefined, 'confirms'],
    [200, {}, 'nothing'],
    [412, {}, 'already exists'],
    [409, {}, 'nothing'],
    [422, {}, 'disproves'],
    [500, {}, 'nothing'],
  ])('%s with %j %s', (status, body, word) => {
    expect(says(put, status, body)).toBe(word);
  });

  test('needs a look-up, since what exists already may be our own first attempt', () => {
    const url = 'https://p.test/things/{{reference}}';
    const { refusals } = checkRegistration(registered({ preset: 'put' }, { method: 'PUT', url }));
    expect(refusals.map(({ code }) => code)).toEqual(['already_exists_without_look_up']);
  });
});

describe('Every preset', () => {
  test('is whole when it is stored: nothing is refused, and writing it out again changes nothing', () => {
    for (const registration of [ietf, stripe, put]) {
      expect(checkRegistration(registration).refusals).toEqual([]);
      expect(withPreset(registration)).toEqual(registration);
      expect(ToolRegistration.parse(registration)).toEqual(registration);
    }
  });

  test('gives way to a success and an "already exists" that were declared', () => {
    const success = [{ reply: { status: [204] } }];
    const own = registered(
      { preset: 'put', lookUp, success, alreadyExists: { status: [409] } },
      { method: 'PUT', url: 'https://p.test/things/{{reference}}' },
    );
    expect(says(own, 204)).toBe('confirms');
    // Not declared: what is taken is said by a pattern of its own.
    expect(says(own, 201)).toBe('nothing');
    expect(says(own, 409)).toBe('already exists');
  });

  test('adds its refusals to those that were declared', () => {
    const own = registered({
      preset: 'ietf',
      key,
      disproof: [{ reply: { status: [418] }, because: 'A teapot does nothing.' }],
    });
    expect([says(own, 418), says(own, 422)]).toEqual(['disproves', 'disproves']);
  });

  test('http and none are left as they are', () => {
    for (const preset of ['http', 'none'] as const) {
      const { contract } = registered({ preset });
      expect(contract).toMatchObject({ success: [], disproof: [], key: { kind: 'none' } });
    }
  });
});
