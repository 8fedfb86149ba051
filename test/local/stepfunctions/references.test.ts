// An expression reads $states and variables; a bare name would find nothing and is refused at creation, as on AWS.
import { expect, it } from 'vitest';
import { done, echo, openRig } from './rig.ts';

const machine = (states: object, more: object = {}): object => ({
  QueryLanguage: 'JSONata',
  StartAt: 'A',
  States: states,
  ...more,
});
const one = (state: object): object => machine({ A: state });
const task = { Type: 'Task', Resource: echo, End: true };
const unsupported = (message: string, at: string): string =>
  `UNSUPPORTED_JSONATA_EXPRESSION: ${message} at ${at}`;

const passing = (Output: unknown): object => one({ Type: 'Pass', Output, End: true });

const references: readonly (readonly [string, unknown, string])[] = [
  [
    'a bare name',
    passing({ v: '{% phone %}' }),
    unsupported("Reference to 'phone' at the top level is not supported.", '/States/A/Output/v'),
  ],
  [
    'a bare name in a function',
    passing('{% $map([1], function($x) { b }) %}'),
    unsupported("Reference to 'b' at the top level is not supported.", '/States/A/Output'),
  ],
  [
    'a bare key',
    passing('{% { a: 1 } %}'),
    unsupported("Reference to 'a' at the top level is not supported.", '/States/A/Output'),
  ],
  [
    'the root',
    passing('{% $$.a %}'),
    unsupported("Reference to '$$' is not supported.", '/States/A/Output'),
  ],
  [
    'an error outside a catcher',
    passing('{% $states.errorOutput %}'),
    unsupported("Reference to '$states.errorOutput' is not supported.", '/States/A/Output'),
  ],
  [
    'a bare name in a catcher',
    machine({
      A: { ...task, Catch: [{ ErrorEquals: ['E'], Output: '{% x %}', Next: 'B' }] },
      B: done,
    }),
    unsupported("Reference to 'x' at the top level is not supported.", '/States/A/Catch[0]/Output'),
  ],
];

it.each(references)('refuses a reference to %s', async (_, definition, message) => {
  const rig = openRig();
  const { diagnostics } = await rig.call('ValidateStateMachineDefinition', {
    definition: JSON.stringify(definition),
  });
  const said = (diagnostics as { code: string; message: string; location: string }[]).map(
    (one) => `${one.code}: ${one.message} at ${one.location}`,
  );
  expect(said).toContain(message);
});

it.each([
  '{% $states.input.items[value > 3] %}',
  '{% $states.input.items.name %}',
  '{% $states.input.items^(price).{"n": name} %}',
  '{% $states.input.items{kind: $sum(price)} %}',
  '{% $states.input ~> |a|{"b": c}| %}',
  '{% $map($states.input.a, function($v) { $v.name }) %}',
])('accepts names that are read from an item: %s', async (Output) => {
  const rig = openRig();
  const definition = JSON.stringify(passing(Output));
  expect(await rig.call('ValidateStateMachineDefinition', { definition })).toMatchObject({
    diagnostics: [],
  });
});
