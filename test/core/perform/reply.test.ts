// What a reply proves, by contract alone (L1, section 6): tables of every status, and what always holds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findingOf,
  lostFinding,
  repeatIsRefused,
} from '../../../functions/core/perform/finding.ts';
import { readPoll, readRepeat, readReply } from '../../../functions/core/perform/reply.ts';
import { Contract, Poll } from '../../../functions/core/registry/contract.ts';
import { matches, proves, ReplyPattern } from '../../../functions/core/registry/reply-pattern.ts';
import { contractKinds, contractOf, toolsOf } from '../../sim/contracts.ts';

const bare = contractOf('write', 'none');
const http = contractOf('write', 'http');
const says = (contract: Contract, status: number, body: object | undefined = { id: 'o' }): string =>
  readReply(contract, { status, body: body as never }).says;

describe('Without a contract', () => {
  test.each([200, 201, 202, 204, 226])('%i is accepted, never proof', (status) => {
    expect(says(bare, status)).toBe('accepts');
  });

  test.each([100, 301, 400, 401, 404, 408, 409, 412, 422, 425, 429, 500, 502, 503, 504])(
    '%i proves nothing',
    (status) => {
      expect(says(bare, status)).toBe('nothing');
    },
  );
});

describe('The preset http', () => {
  test('200, and 201 with a body, prove the effect', () => {
    expect(says(http, 200)).toBe('confirms');
    expect(says(http, 201)).toBe('confirms');
    expect(readReply(http, { status: 201, body: undefined }).says).toBe('accepts');
    expect(says(http, 202)).toBe('accepts');
  });

  test.each([400, 401, 403, 404, 405, 410, 413, 415, 422])(
    '%i disproves this attempt',
    (status) => {
      expect(says(http, status)).toBe('disproves');
    },
  );

  test.each([
    '<!DOCTYPE html><p>Sign in</p>',
    '\n<html lang="en">',
    '<HTML>',
    '\uFEFF<html>',
    '<!-- <portal> -->\n<!-- v2 -->\n<html>',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">',
    '<head><title>Moved</title></head>',
  ])('a web page with a 2xx proves nothing, also where a success is declared: %j', (body) => {
    const declared = { ...http, success: [{ reply: { status: [200, 201, 202] } }] };
    for (const status of [200, 201, 202])
      for (const contract of [http, declared])
        expect(readReply(contract, { status, body }).says).toBe('nothing');
    expect(readReply(http, { status: 200, body: 'created' }).says).toBe('confirms');
    expect(readReply(bare, { status: 200, body }).says).toBe('accepts');
  });

  test.each([408, 409, 412, 425, 429, 500, 502, 503, 504])(
    '%i stays undetermined: a gateway may say so after it has forwarded',
    (status) => {
      expect(says(http, status)).toBe('nothing');
    },
  );
});

describe('What a contract declares', () => {
  const declared = Contract.parse({
    ...contractOf('write', 'key'),
    alreadyExists: { status: [409] },
    success: [
      {
        reply: { status: [200], fields: [{ path: 'state', equals: 'done' }] },
        reference: 'data.id',
      },
    ],
    disproof: [
      { reply: { status: [200], fields: [{ path: 'state', equals: 'refused' }] }, because: 'No.' },
    ],
  });

  test('a 2xx can carry a failure in its body', () => {
    expect(says(declared, 200, { state: 'done', data: { id: 7 } })).toBe('confirms');
    expect(says(declared, 200, { state: 'refused' })).toBe('disproves');
    expect(says(declared, 200, { state: 'odd' })).toBe('nothing');
  });

  test('the reference is read where the contract says', () => {
    const body = { state: 'done', data: { id: 7 } };
    expect(readReply(declared, { status: 200, body }).reference).toBe('7');
  });

  test('"already exists" proves nothing by itself: it may be our own first attempt', () => {
    expect(readReply(declared, { status: 409, body: {} })).toMatchObject({
      says: 'nothing',
      alreadyExists: true,
    });
  });

  test('"not now" is a disproof with the time to wait', () => {
    expect(readReply(declared, { status: 429, body: {} })).toMatchObject({
      says: 'disproves',
      notNowMs: 3_000,
    });
  });

  test('still running is in progress', () => {
    expect(says(declared, 202)).toBe('in_progress');
  });

  test('an answer that reports its own failure proves nothing, whatever its status', () => {
    expect(readReply(http, { status: 200, body: {}, reportsFailure: true }).says).toBe('nothing');
  });
});

describe('What the transport reports', () => {
  const [tool] = toolsOf('write', 'http');
  if (!tool) throw new Error('There is no tool.');
  const { registration } = tool;

  test('not transmitted is the only silence that is proof', () => {
    const refused = { kind: 'not_transmitted', because: 'Refused.' } as const;
    const lost = { kind: 'unknown', because: 'Reset.', milestone: 'transmitted' } as const;
    expect(findingOf(registration, 1, refused, 0)).toMatchObject({
      says: 'disproves',
      end: { how: 'not_transmitted', milestoneIs: 'observed' },
    });
    expect(findingOf(registration, 1, refused, 0)).not.toHaveProperty('lasting');
    const always = { ...refused, lasting: true } as const;
    expect(findingOf(registration, 1, always, 0)).toMatchObject({ lasting: true });
    expect(findingOf(registration, 1, lost, 0)).toMatchObject({
      says: 'nothing',
      end: { how: 'unknown', milestoneIs: 'supposed' },
    });
  });

  test('an owner that never reported leaves nothing but the fact', () => {
    expect(lostFinding(2)).toMatchObject({ about: 2, says: 'nothing', end: { how: 'lost' } });
  });
});

test('for every contract and reply: no 5xx ever proves or disproves', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...contractKinds),
      fc.integer({ min: 500, max: 599 }),
      fc.jsonValue(),
      (kind, status, body) => {
        const reading = readReply(contractOf('write', kind), { status, body: body as never });
        expect(reading.says).toBe('nothing');
      },
    ),
  );
});

describe('A pattern', () => {
  const body = {
    note: 'Ref 7: paid',
    gone: null,
    tags: ['a', 'b'],
    items: [{ ref: 'x' }, { ref: 'y' }],
  };
  const reply = { status: 200, body, headers: { 'x-job': 'J-7' } };
  test.each([
    [{ fields: [{ path: 'note', contains: 'paid' }] }, true],
    [{ fields: [{ path: 'note', startsWith: 'Ref 7' }] }, true],
    [{ fields: [{ path: 'note', startsWith: 'paid' }] }, false],
    [{ fields: [{ path: 'tags', contains: 'b' }] }, true],
    [{ fields: [{ path: 'items.0.ref', equals: 'x' }] }, true],
    [{ fields: [{ path: 'items.*.ref', equals: 'y' }] }, true],
    [{ fields: [{ path: 'items.*.ref', equals: 'z' }] }, false],
    [{ fields: [{ path: 'gone', exists: true }] }, false],
    [{ fields: [{ path: 'gone', notNull: true }] }, false],
    [{ fields: [{ path: 'gone', exists: false }] }, true],
    [{ fields: [{ path: 'gone', equals: null }] }, true],
    [{ fields: [{ path: 'nowhere' }] }, false],
    [{ headers: [{ name: 'X-Job', startsWith: 'J-' }] }, true],
    [{ headers: [{ name: 'x-other', exists: true }] }, false],
  ])('%j: %s', (pattern, fits) => {
    expect(matches(ReplyPattern.parse(pattern), reply)).toBe(fits);
  });

  test('that names no status speaks of 2xx, and none speaks of a failure that it does not name', () => {
    const found = ReplyPattern.parse({ fields: [{ path: 'note', exists: true }] });
    expect(proves(found, reply)).toBe(true);
    expect(proves(found, { ...reply, status: 500 })).toBe(false);
    expect(proves(found, { ...reply, reportsFailure: true })).toBe(false);
  });
});

test('a repeat is read by its own patterns first, and by the write’s where they say nothing', () => {
  const contract = Contract.parse({
    ...contractOf('write', 'key'),
    repeat: {
      succeeded: [{ reply: { status: [409], fields: [{ path: 'code', equals: 'same' }] } }],
    },
  });
  const again = { status: 409, body: { code: 'same' } };
  expect(readReply(contract, again).says).toBe('nothing');
  expect(readRepeat(contract, again).says).toBe('confirms');
  expect(readRepeat(contract, { status: 201, body: { id: 7 } }).says).toBe('confirms');
});

test('a repeat that the contract declares as "already exists" is refused, under whatever status', () => {
  const [tool] = toolsOf('write', 'key');
  if (!tool) throw new Error('There is no tool.');
  const errors = { fields: [{ path: 'errors.*.code', equals: 'duplicate' }] };
  const contract = Contract.parse({ ...tool.registration.contract, alreadyExists: errors });
  const graphql = { ...tool.registration, contract };
  const duplicate = { status: 200, body: { errors: [{ code: 'duplicate' }] } };
  expect(repeatIsRefused(graphql, duplicate)).toBe(true);
  expect(repeatIsRefused(graphql, { status: 201, body: { id: 7 } })).toBe(false);
  expect(repeatIsRefused(graphql, { status: 409, body: {} })).toBe(true);
});

test.each([404, 410, 429, 500, 503])(
  'a poll that is answered %i ends nothing, whatever its patterns name (L1)',
  (status) => {
    const poll = Poll.parse({
      tool: 'job',
      arguments: {},
      succeeded: [{ reply: { status: [200, status] } }],
      failed: [{ reply: { status: [status] }, because: 'There is no such job.' }],
    });
    expect(readPoll(poll, { status, body: {} }).says).toBe('nothing');
    expect(readPoll(poll, { status: 200, body: {} }).says).toBe('confirms');
  },
);
