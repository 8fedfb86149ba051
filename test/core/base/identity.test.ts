// Identities, keys and digests (L5, L6): what is the same stays the same, and nothing else is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ActionId,
  attemptIdOf,
  derivedSuffix,
  executionNameOf,
  recoveryNameOf,
  referenceOf,
} from '../../../functions/core/base/ids.ts';
import { canonicalJson, type Json, JsonObject } from '../../../functions/core/base/json.ts';
import { actionDigest } from '../../../functions/core/records/action.ts';
import { likeDigestOf } from '../../../functions/core/registry/likeness.ts';
import { contractOf } from '../../sim/contracts.ts';
import { actionId, runId } from '../samples.ts';

const content = {
  tool: { name: 'write', version: 1 },
  destination: { provider: 'crm', account: 'a', environment: 'test', apiVersion: '1' },
  arguments: { name: 'Marta', cents: 100 },
};
const other = ActionId.parse(`act_${'2'.padStart(26, '0')}`);

describe('The key given to a destination (L5)', () => {
  test('derives from the action alone: the same for every attempt, another for every action', () => {
    expect(referenceOf(actionId)).toBe(referenceOf(actionId));
    expect(referenceOf(actionId)).not.toBe(referenceOf(other));
    expect(referenceOf).toHaveLength(1);
  });

  test('an attempt has its own identity, so that a second writer of it is seen', () => {
    expect(attemptIdOf(actionId, 1)).toBe(attemptIdOf(actionId, 1));
    expect(attemptIdOf(actionId, 1)).not.toBe(attemptIdOf(actionId, 2));
    expect(attemptIdOf(actionId, 1)).not.toBe(attemptIdOf(other, 1));
  });

  test('executions are named by what they work on', () => {
    expect(executionNameOf(runId, 1)).toBe(runId);
    expect(executionNameOf(runId, 2)).toBe(`${runId}-s2`);
    expect(recoveryNameOf(actionId, 3)).toBe(`${actionId}-r3`);
  });

  test('no two lists of parts make the same suffix', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(derivedSuffix(...left) === derivedSuffix(...right)).toBe(same);
      }),
    );
    expect(derivedSuffix('a', 'bc')).not.toBe(derivedSuffix('ab', 'c'));
    expect(derivedSuffix('x')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe('The digest (L6)', () => {
  test('is over tool version, destination and arguments', () => {
    const digest = actionDigest(content);
    const changed = [
      { ...content, tool: { ...content.tool, version: 2 } },
      { ...content, tool: { ...content.tool, name: 'wrote' } },
      { ...content, destination: { ...content.destination, account: 'b' } },
      { ...content, destination: { ...content.destination, environment: 'live' } },
      { ...content, arguments: { ...content.arguments, cents: 101 } },
      { ...content, arguments: { name: 'Marta' } },
    ];
    for (const one of changed) expect(actionDigest(one)).not.toBe(digest);
  });

  test('knows no order of names', () => {
    const turned = { ...content, arguments: { cents: 100, name: 'Marta' } };
    expect(actionDigest(turned)).toBe(actionDigest(content));
  });

  test('is RFC 8785: numbers, escapes and the order of names by code unit', () => {
    const value: Json = { '\u20ac': 1e21, '\r': '\u000f', a: [0.000001, -0, 4.5] };
    expect(canonicalJson(value)).toBe('{"\\r":"\\u000f","a":[0.000001,0,4.5],"€":1e+21}');
  });

  test('differs for any two arguments that differ', () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(args, args, (left, right) => {
        const [one, two] = [JsonObject.parse(left), JsonObject.parse(right)];
        const same = canonicalJson(one) === canonicalJson(two);
        const digests = [one, two].map((value) => actionDigest({ ...content, arguments: value }));
        expect(digests[0] === digests[1]).toBe(same);
      }),
    );
  });
});

describe('Likeness (L20)', () => {
  const contract = contractOf('write', 'key');
  const named = { ...contract, likeness: ['name'] };
  const like = (name: string, cents: number, how = contract, workspace = 'acme', tool = 'write') =>
    likeDigestOf(workspace, tool, how, { name, cents });

  test('compares the arguments that the contract names, by default all', () => {
    expect(like('Marta', 1, named)).toBe(like('Marta', 2, named));
    expect(like('Marta', 1, named)).not.toBe(like('Nils', 1, named));
    expect(like('Marta', 1)).not.toBe(like('Marta', 2));
  });

  test('is within one workspace, tool and destination', () => {
    const elsewhere = { ...contract, destination: { ...contract.destination, account: 'b' } };
    expect(like('Marta', 1)).not.toBe(like('Marta', 1, contract, 'other'));
    expect(like('Marta', 1)).not.toBe(like('Marta', 1, contract, 'acme', 'wrote'));
    expect(like('Marta', 1)).not.toBe(like('Marta', 1, elsewhere));
  });
});
