// Rules that the definitions keep, read from the files themselves. Laws: L1, L3 (nothing that may have been sent is repeated by
// the machine), L12 (every wait has a limit), L18 (payloads carry references).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import validate from 'asl-validator';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  FinishInput,
  ParkInput,
  PerformInput,
  SegmentInput,
  ThinkInput,
  VerifyInput,
} from '../../functions/core/records/machine-input.ts';
import { decisionsOf } from '../../functions/core/records/request.ts';
import { type FunctionName, functions, machines } from '../../functions/manifest.ts';
import { defaultPlace } from '../../local/base/names.ts';
import { definitionOf } from '../../local/deployment/machines.ts';
import { openRig } from '../local/stepfunctions/rig.ts';
import {
  definitionFiles,
  expressionsIn,
  type Flow,
  fieldsIn,
  type Machine,
  type State,
  theMachines,
} from './definitions.ts';

const isLambda = ({ Resource }: State): boolean => Resource === 'arn:aws:states:::lambda:invoke';
const tasks = ({ states }: Machine) => states.filter(([, state]) => state.Type === 'Task');
const lambdas = (machine: Machine) => tasks(machine).filter(([, state]) => isLambda(state));

/** The substitution a state's function is named by, without its braces. */
const substitution = ({ Arguments }: State): string =>
  /^\$\{(\w+)\}$/.exec(String(Arguments?.FunctionName))?.[1] ?? '';

const functionOf = (machine: Machine, state: State): FunctionName | undefined =>
  new Map<string, FunctionName>(Object.entries(machines[machine.name].functions)).get(
    substitution(state),
  );

/** The states that may follow one, in the same flow. */
const targets = (state: State): string[] => [
  ...[state.Next, state.Default].filter((name) => name !== undefined),
  ...state.Choices.map(({ Next }) => Next),
  ...state.Catch.map(({ Next }) => Next),
];

const reached = (flow: Flow): Set<string> => {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const state = flow.States[name];
    if (seen.has(name) || state === undefined) return;
    seen.add(name);
    targets(state).forEach(visit);
  };
  visit(flow.StartAt);
  return seen;
};

/** JSONPath's own fields, which JSONata machines must not have. */
const jsonPathFields = [
  'InputPath',
  'OutputPath',
  'ResultPath',
  'ResultSelector',
  'Parameters',
  'ItemsPath',
  'SecondsPath',
  'TimeoutSecondsPath',
];

const inputs: { readonly [Name in FunctionName]?: z.ZodType } = {
  admit: SegmentInput,
  think: ThinkInput,
  perform: PerformInput,
  park: ParkInput,
  finish: FinishInput,
  verify: VerifyInput,
};

test('every definition in the folder is in the manifest', () => {
  const listed = Object.values(machines).map(({ definition }) => definition);
  expect(
    definitionFiles()
      .map((file) => `statemachines/${file}`)
      .toSorted(),
  ).toEqual(listed.toSorted());
});

describe.each(theMachines.map((machine) => [machine.name, machine] as const))(
  '%s',
  (_, machine) => {
    test('asl-validator finds nothing', async () => {
      const definition = JSON.parse(await definitionOf(machine.name, defaultPlace));
      const { isValid, errors } = validate(definition, { checkPaths: true, checkArn: true });
      expect(errors).toEqual([]);
      expect(isValid).toBe(true);
    });

    test('the twin’s interpreter accepts it', async () => {
      const rig = openRig();
      const { status, body } = await rig.raw('CreateStateMachine', {
        name: `reprise-${machine.name}`,
        definition: await definitionOf(machine.name, defaultPlace),
        roleArn: 'arn:aws:iam::000000000000:role/r',
      });
      expect({ status, body }).toMatchObject({ status: 200 });
    });

    test('it names what the manifest gives it, all of it and nothing else', () => {
      const used = new Set([...machine.text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
      const { functions: given, tables } = machines[machine.name];
      expect([...used].toSorted()).toEqual(
        [...Object.keys(given), ...Object.keys(tables)].toSorted(),
      );
    });

    test('it is JSONata throughout', () => {
      const definition: unknown = JSON.parse(machine.text);
      expect(definition).toHaveProperty('QueryLanguage', 'JSONata');
      const fields = fieldsIn(definition);
      expect(fields.filter((name) => jsonPathFields.includes(name))).toEqual([]);
      expect(fields.filter((name) => name.endsWith('.$'))).toEqual([]);
      expect(fields.filter((name) => name === 'QueryLanguage')).toHaveLength(1);
    });

    test('every expression parses, and braces stand only around whole expressions', () => {
      const expressions = expressionsIn(JSON.parse(machine.text));
      expect(expressions.length).toBeGreaterThan(5);
      for (const { text } of expressions) expect(() => jsonata(text), text).not.toThrow();
      const halves = machine.text.match(/\{%/g)?.length ?? 0;
      expect(halves).toBe(expressions.length);
    });

    test('a list of one is still a list: items and counted results are wrapped', () => {
      for (const { field, text } of expressionsIn(JSON.parse(machine.text))) {
        if (field === 'Items') expect(text).toMatch(/^\[.*\]$/);
        for (const [, first] of text.matchAll(/\$(?:count|merge)\(\s*(.)/g))
          expect(first, text).toBe('[');
      }
    });

    test('every task has a limit, and one that is computed is a positive whole number', () => {
      for (const [name, { TimeoutSeconds }] of tasks(machine)) {
        if (typeof TimeoutSeconds === 'string')
          expect(TimeoutSeconds, name).toMatch(/^\{% \$max\(\[1, \$(?:floor|ceil)\(/);
        else expect(TimeoutSeconds, name).toBeGreaterThan(0);
      }
      for (const [name, { Type, Seconds }] of machine.states) {
        if (Type !== 'Wait' || typeof Seconds === 'number') continue;
        expect(Seconds, name).toMatch(/^\{% \$(max\(\[1, |min\(\[60, \$power\()/);
      }
    });

    test('a task outlives its function, which outlives nothing', () => {
      for (const [name, state] of lambdas(machine)) {
        const fn = functionOf(machine, state);
        if (fn === undefined) throw new Error(`${name} calls no function of the manifest.`);
        expect(Number(state.TimeoutSeconds) * 1_000, name).toBeGreaterThan(functions[fn].timeoutMs);
      }
    });

    test('a state is named as its handler’s file', () => {
      for (const [name, state] of lambdas(machine)) {
        expect(substitution(state)).toBe(`${name}FunctionArn`);
        const fn = functionOf(machine, state);
        const module = fn === undefined ? '' : functions[fn].module;
        expect(module.endsWith(`/${name.toLowerCase()}.ts`), `${name} → ${module}`).toBe(true);
        expect(existsSync(join(import.meta.dirname, '..', '..', module)), module).toBe(true);
      }
    });

    test('a payload has the fields of its function’s input and no other', () => {
      for (const [name, state] of lambdas(machine)) {
        const payload = state.Arguments?.Payload;
        if (typeof payload !== 'object' || payload === null) continue;
        const schema = inputs[functionOf(machine, state) ?? 'api'];
        const known = schema && 'shape' in schema ? Object.keys(Object(schema.shape)) : [];
        const given = Object.keys(payload);
        expect(
          given.filter((field) => !known.includes(field)),
          name,
        ).toEqual([]);
        const missing = schema?.safeParse(Object.fromEntries(given.map((field) => [field, null])));
        const absent = missing?.error?.issues.filter(
          ({ path }) => !given.includes(String(path[0])),
        );
        expect(absent, name).toEqual([]);
      }
    });

    test('Perform is tried again only when it certainly did not start', () => {
      const performing = lambdas(machine).filter(([name]) => name === 'Perform');
      expect(performing).toHaveLength(1);
      for (const [, { Retry }] of performing)
        expect(Retry.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual([
          'Lambda.TooManyRequestsException',
        ]);
      for (const [name, state] of machine.states)
        if (state.Type === 'Map') expect(state.Retry, name).toEqual([]);
    });

    test('every task says what follows from any error, and what is too large for the history is caught by name', () => {
      const catching = machine.states.filter(([, { Type }]) => Type === 'Task' || Type === 'Map');
      for (const [name, { Catch }] of catching) {
        expect(Catch.at(-1)?.ErrorEquals, name).toEqual(['States.ALL']);
      }
      for (const name of machine.name === 'run' ? ['Think', 'Act'] : []) {
        const state = machine.definition.States[name];
        expect(state?.Catch.flatMap(({ ErrorEquals }) => ErrorEquals)).toContain(
          'States.DataLimitExceeded',
        );
      }
    });

    test('no state is out of reach, and none is aimed at that is not there', () => {
      for (const flow of machine.flows) {
        expect([...reached(flow)].toSorted()).toEqual(Object.keys(flow.States).toSorted());
        for (const [name, state] of Object.entries(flow.States))
          expect(
            targets(state).filter((target) => !(target in flow.States)),
            name,
          ).toEqual([]);
      }
    });
  },
);

describe('waits of run.asl.json', () => {
  const run = theMachines.find(({ name }) => name === 'run');
  const waits = (run?.states ?? []).filter(([, { Resource }]) =>
    Resource?.endsWith('.waitForTaskToken'),
  );

  test('every kind of request has a wait, chosen by name, and all waits are alike', () => {
    const settled = run?.states.find(([name]) => name === 'Settled?')?.[1];
    const chosen = (settled?.Choices ?? []).flatMap(({ Condition, Next }) => {
      const kind = /outcome = '(\w+)'/.exec(Condition)?.[1] ?? '';
      return Next === 'Settled' ? [] : [[kind, Next] as const];
    });
    expect(chosen.map(([kind]) => kind).toSorted()).toEqual(Object.keys(decisionsOf).toSorted());
    expect(chosen.map(([, next]) => next).toSorted()).toEqual(
      waits.map(([name]) => name).toSorted(),
    );
    const bodies = waits.map(([, { Comment, ...rest }]) => rest);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  test('a token is bound only to an undecided request, and not over a newer segment’s', () => {
    for (const [name, { Arguments }] of waits) {
      const condition = String(Arguments?.ConditionExpression);
      expect(condition, name).toContain('attribute_not_exists(decisionKind)');
      expect(condition, name).toContain('boundFence <= :fence');
    }
  });

  test('only the kind of a decision is read, consistently: no answer and no token enters the history', () => {
    const reading = run?.states.find(([name]) => name === 'ReadDecision')?.[1];
    expect(reading?.Arguments).toMatchObject({
      ConsistentRead: true,
      ProjectionExpression: 'decisionKind, released',
    });
    for (const [name, { Output }] of waits) expect(Output, name).toBe('{% $states.input %}');
  });
});
