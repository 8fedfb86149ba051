// The functions that AWS adds to JSONata, its limits, and what an expression's result becomes.
import { expect, it } from 'vitest';
import { openRig } from './rig.ts';

const evaluate = async (
  expression: string,
  input: unknown = {},
): Promise<Record<string, unknown>> => {
  const rig = openRig();
  const state = { Type: 'Pass', Output: `{% ${expression} %}`, End: true };
  const { output, error, cause } = await rig.run({ StartAt: 'A', States: { A: state } }, input);
  return { output, error, cause };
};

it.each([
  ['$partition([1,2,3], 2)', [[1, 2], [3]]],
  ['$partition([0], 4)', [[0]]],
  ['$partition([1,2,3], 2.9)', [[1, 2], [3]]],
  ['$range(-1.7, 2, 1)', [-1, 0, 1, 2]],
  ['$count($range(1, 2000, 1))', 2000],
  ['1/0', 'Infinity'],
  ['$range(0, 9, 3)', [0, 3, 6, 9]],
  ['$range(9, 1, -4)', [9, 5, 1]],
  ['$range(1, 9, 9)', 1],
  ["$hash('a', 'SHA-256')", 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
  ["$hash('a', 'MD5')", '0cc175b9c0f1b6a831c399e269772661'],
  ['$parse(\'{"a":[1,null]}\')', { a: [1, null] }],
  ["$parse('-0')", 0],
  ['$random(7) = $random(7)', true],
  ['$random(7) = $random(8)', false],
  ['$random()', 0.5],
  ['$length($uuid())', 36],
  ['$now()', '2027-01-01T00:00:00.000Z'],
  ["$now('[Y]-[M01]')", '2027-01'],
  ['$millis()', 1_798_761_600_000],
  ['$states.input.list[kind="x"]', { kind: 'x' }],
  ['[$states.input.list[kind="x"]]', [{ kind: 'x' }]],
  ["$merge([$states.input, {'n': 1}]).n", 1],
  ['$map([1,2], function($x) { $x * 2 })', [2, 4]],
  ['null', null],
])('%s is %j', async (expression, value) => {
  expect((await evaluate(expression, { list: [{ kind: 'x' }, { kind: 'y' }] })).output).toEqual(
    value,
  );
});

it.each([
  ['$eval("1")', 'T1006: Attempted to invoke a non-function'],
  ["1 + 'a'", 'T2002: The right side of the "+" operator must evaluate to a number'],
  ["$hash('a', 'CRC')", '$hash does not know the algorithm "CRC"'],
  ['$partition([], 4)', 'returned nothing (undefined).'],
  ['$range(1, 3, -1)', 'returned nothing (undefined).'],
  [
    '$range(1, 360146, 1)',
    'threw an error during evaluation: Expression evaluation memory limit exceeded',
  ],
  ["$parse('{')", 'threw an error during evaluation:'],
  [
    '($f := function($n) { $f($n + 1) + 1 }; $f(0))',
    'threw an error during evaluation: Stack overflow error',
  ],
  [
    '($f := function($n) { $f($n + 1) }; $f(0))',
    'threw an error during evaluation: Expression evaluation timeout',
  ],
  ['function($x) { $x }', "for the field 'Output' returned an unsupported result type."],
  ['$states.input.missing', 'returned nothing (undefined).'],
])('%s fails: %s', async (expression, message) => {
  const { error, cause } = await evaluate(expression);
  expect(error).toBe('States.QueryEvaluationError');
  expect(cause).toContain(message);
});

it('a filtered list that is assigned stays a list for the next expression', async () => {
  const rig = openRig();
  const { output } = await rig.run(
    {
      StartAt: 'A',
      States: {
        A: { Type: 'Pass', Assign: { hits: '{% $states.input.list[n > 1] %}' }, Next: 'B' },
        B: {
          Type: 'Pass',
          Output: { hits: '{% $hits %}', count: '{% $count($hits) %}', first: '{% $hits[0].n %}' },
          End: true,
        },
      },
    },
    { list: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  );
  expect(output).toEqual({ hits: [{ n: 2 }, { n: 3 }], count: 2, first: 2 });
});

it('a key named __proto__ is an ordinary key', async () => {
  const rig = openRig();
  const definition =
    '{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":{"__proto__":{"x":"{% $states.input.a %}"}},"End":true}}}';
  const body = { name: 'm', definition, roleArn: 'r' };
  const { stateMachineArn } = await rig.call('CreateStateMachine', body);
  const { executionArn } = await rig.ended(await rig.start(String(stateMachineArn), { a: 1 }));
  expect((await rig.describe(executionArn)).output).toBe('{"__proto__":{"x":1}}');
});
