// A condition that a person writes comes to an end, whatever it says: it runs wherever a call is checked, also for others.
import { describe, expect, test } from 'vitest';
import { conditionProblem, evaluateCondition } from '../../../functions/core/base/condition.ts';
import { asksApproval } from '../../../functions/core/registry/policy.ts';
import { contractOf } from '../../sim/contracts.ts';

const args = { to: 'marta@acme.example', cents: 4_800, items: [{ price: 3 }, { price: 120 }] };

describe('A condition holds or not', () => {
  test.each([
    ['cents < 10000', true],
    ['$contains(to, /@acme\\.example$/) and cents < 10000', true],
    ['$count(items[price > 100]) = 0', false],
    ['$sum(items.price) <= 123 and $not($exists(cc))', true],
    ['"lambda" = "bind" or to in ["x", "marta@acme.example"]', true],
    ['`eval`', undefined],
    ['$toMillis("2027-01-01T00:00:00Z") = 1798761600000', true],
    ['$toMillis("2027-01-01") = 1798761600000', true],
    ['$map(items.price, $string)[1] = "120"', true],
  ])('%s', async (condition, value) => {
    expect(conditionProblem(condition)).toBeUndefined();
    expect(await evaluateCondition(condition, args)).toBe(value);
  });

  test('over many items as well', async () => {
    const many = { items: Array.from({ length: 5_000 }, (_, price) => ({ price })) };
    expect(await evaluateCondition('$count(items[price > 100]) > 4000', many)).toBe(true);
  });
});

describe('What could run on for ever', () => {
  test.each([
    '($f := function($n) { $f($n + 1) }; $f(0))',
    '(function($f) { $f($f) })(function($f) { $f($f) })',
    '($a := to & to; $b := $a & $a; $length($b) > 0)',
    '$count([1..9999999]) > 0',
    '$eval("1")',
    '$map(["1"], $eval)',
    '$length($pad("x", 999999999)) > 0',
    'items ~> |$|{"price": 1}|',
    '$contains(to, /^(a+)+$/)',
    '$count(items[$match(to, /((x|y*))*z/i)]) = 0',
  ])('is not taken, and not evaluated: %s', async (condition) => {
    expect(conditionProblem(condition)).toBe('has_no_bound');
    await expect(evaluateCondition(condition, args)).rejects.toThrow('for ever');
  });

  test('is broken off where only the arguments make it so', async () => {
    const many = { a: Array.from({ length: 2_000 }, (_, index) => index) };
    const condition = '$count(a.($$.a.($$.a))) > 0';
    expect(conditionProblem(condition)).toBeUndefined();
    await expect(evaluateCondition(condition, many)).rejects.toThrow('too many steps');
  });

  test.each(['$toMillis(text, "[Y][M][D][H][m][s]") > 0', 'text ~> $toMillis("[Y][M]") > 0'])(
    'is not evaluated where a picture of a date would be a regular expression: %s',
    async (condition) => {
      const text = `${'1'.repeat(20_000)}x`;
      await expect(evaluateCondition(condition, { text })).rejects.toThrow();
    },
  );

  test('is broken off where a regular expression would read too much', async () => {
    const condition = '$contains(text, /.*,.*,.*,x/)';
    expect(conditionProblem(condition)).toBeUndefined();
    expect(await evaluateCondition(condition, { text: 'a,b,c,x' })).toBe(true);
    const text = ','.repeat(20_000);
    await expect(evaluateCondition(condition, { text })).rejects.toThrow('too long');
  });

  test.each(['($f := function($n) { $f($n + 1) }; $f(0))', '$contains(to, /(a+)+$/)'])(
    'asks a person, where it stands in a policy that is stored already: %s',
    async (expression) => {
      const contract = contractOf('write', 'none');
      const policy = { ...contract.policy, approval: { when: 'condition' as const, expression } };
      expect(await asksApproval({ ...contract, policy }, args)).toBe(true);
    },
  );

  test('is told from what cannot be read', () => {
    expect(conditionProblem('((')).toBe('does_not_parse');
  });
});
