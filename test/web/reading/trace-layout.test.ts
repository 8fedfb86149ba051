// The trace's pure parts: the layered layout, the graphs of our own machines, and the fold from history to states.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../functions/core/base/json.ts';
import { machines } from '../../../functions/manifest.ts';
import { entriesOf, marksOf } from '../../../web/trace/entries.ts';
import { eventFrom, type GivenEvent, hiddenToken, idsIn } from '../../../web/trace/history.ts';
import { type Box, drawn, placed } from '../../../web/trace/layout.ts';
import { blockOf, statesOf, waysOf } from '../../../web/trace/machine.ts';
import { planOf } from '../../../web/trace/plan.ts';

const apart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y;

const holds = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyWays = fc.array(
  fc.record({ from: fc.constantFrom(...names), to: fc.constantFrom(...names) }),
  { maxLength: 14 },
);

describe('layout', () => {
  test('whatever the ways, no two states overlap, all lie within, and every line joins its two states', () => {
    fc.assert(
      fc.property(
        anyWays,
        fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 6 }),
        (ways, widths) => {
          const sizes = new Map(
            names.map((name, place) => [name, { width: widths[place] ?? 50, height: 40 }]),
          );
          const { boxes, lines, width, height } = drawn(names, sizes, ways);
          expect([...boxes.keys()].toSorted()).toEqual(names);
          const all = [...boxes.values()];
          const whole = { x: -0.01, y: -0.01, width: width + 0.02, height: height + 0.02 };
          for (const [place, box] of all.entries()) {
            expect(holds(whole, box)).toBe(true);
            for (const other of all.slice(place + 1)) expect(apart(box, other)).toBe(true);
          }
          expect(lines).toHaveLength(ways.filter(({ from, to }) => from !== to).length);
          for (const { way, points } of lines) {
            const ends = [points.at(0), points.at(-1)];
            for (const [place, name] of [way.from, way.to].entries()) {
              const box = boxes.get(name);
              const end = ends[place];
              if (box === undefined || end === undefined) throw new Error('An end is missing.');
              expect(end.x).toBeGreaterThanOrEqual(box.x - 0.01);
              expect(end.x).toBeLessThanOrEqual(box.x + box.width + 0.01);
              expect([box.y, box.y + box.height]).toContain(end.y);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('ways lead down, but for those that lead back', () => {
    const sizes = new Map(names.map((name) => [name, { width: 100, height: 40 }]));
    const { boxes } = drawn(names, sizes, [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c' },
      { from: 'c', to: 'b' },
    ]);
    const y = (name: string): number => boxes.get(name)?.y ?? Number.NaN;
    expect(y('a')).toBeLessThan(y('b'));
    expect(y('b')).toBeLessThan(y('c'));
  });

  test('places keep order and distance, and are the wanted ones where they can be', () => {
    expect(placed([0, 100, 300], [50, 50])).toEqual([0, 100, 300]);
    expect(placed([0, 0], [10])).toEqual([-5, 5]);
  });
});

describe('our machines', () => {
  test.each(Object.entries(machines))(
    '%s is drawn whole, inner states within their Map',
    (_, entry) => {
      const text = readFileSync(join(import.meta.dirname, '../../..', entry.definition), 'utf8');
      const block = blockOf(JSON.parse(text));
      const { states, lines } = planOf(block);
      const known = statesOf(block).map(({ name }) => name);
      expect(states.map(({ state }) => state.name)).toEqual(known);
      const boxes = new Map(states.map((box) => [box.state.name, box]));
      for (const box of states)
        for (const inner of box.state.blocks.flatMap(statesOf)) {
          const found = boxes.get(inner.name);
          expect(found !== undefined && holds(box, found), inner.name).toBe(true);
        }
      const pairs = new Set(waysOf(block).map(({ from, to }) => `${from}>${to}`));
      expect(new Set(lines.map(({ from, to }) => `${from}>${to}`))).toEqual(pairs);
    },
  );
});

let clock = 0;
const given = (
  id: number,
  previousEventId: number,
  type: string,
  someEventDetails: JsonObject = {},
): GivenEvent => {
  clock += 1;
  return { id, previousEventId, type, timestamp: clock, someEventDetails };
};
const fold = (events: readonly GivenEvent[]) => entriesOf(events.map(eventFrom));

describe('states from a history', () => {
  test('a retried task has two attempts and succeeded; a caught one says so', () => {
    const entries = fold([
      given(1, 0, 'ExecutionStarted'),
      given(2, 0, 'TaskStateEntered', { name: 'Think', input: '{}' }),
      given(3, 2, 'TaskScheduled'),
      given(4, 3, 'TaskStarted'),
      given(5, 4, 'TaskFailed', { error: 'TryAgain', cause: 'busy' }),
      given(6, 5, 'TaskScheduled'),
      given(7, 6, 'TaskSucceeded'),
      given(8, 7, 'TaskStateExited', { name: 'Think', output: '1' }),
      given(9, 8, 'TaskStateEntered', { name: 'Finish', input: '{}' }),
      given(10, 9, 'TaskScheduled'),
      given(11, 10, 'TaskTimedOut', { error: 'States.Timeout' }),
      given(12, 11, 'TaskStateExited', { name: 'Finish', output: '{}' }),
      given(13, 12, 'FailStateEntered', { name: 'NotEnded', input: '{}' }),
      given(14, 13, 'ExecutionFailed', { error: 'NotEnded' }),
    ]);
    expect(entries).toMatchObject([
      { name: 'Think', status: 'succeeded', attempts: 2, output: '1', from: undefined },
      { name: 'Finish', status: 'caught', attempts: 1, from: 'Think' },
      { name: 'NotEnded', status: 'failed', from: 'Finish' },
    ]);
    expect(entries[0]?.failures).toMatchObject([{ error: 'TryAgain', cause: 'busy' }]);
    expect(marksOf(entries).get('Think')).toEqual({
      mark: 'passed',
      count: 1,
      retries: 1,
      open: 0,
    });
  });

  test('iterations of a Map keep apart, and stop with it', () => {
    const begun = [
      given(1, 0, 'ExecutionStarted'),
      given(2, 0, 'MapStateEntered', { name: 'Act', input: '[]' }),
      given(3, 2, 'MapStateStarted', { length: 2 }),
      given(4, 3, 'MapIterationStarted', { name: 'Act', index: 0 }),
      given(5, 3, 'MapIterationStarted', { name: 'Act', index: 1 }),
      given(6, 4, 'TaskStateEntered', { name: 'Perform', input: '0' }),
      given(7, 5, 'TaskStateEntered', { name: 'Perform', input: '1' }),
      given(8, 7, 'TaskScheduled'),
      given(9, 8, 'TaskSubmitted'),
    ];
    expect(fold(begun)).toMatchObject([
      { name: 'Act', status: 'running' },
      { name: 'Perform', iteration: 0, input: '0', status: 'running' },
      { name: 'Perform', iteration: 1, input: '1', status: 'waiting' },
    ]);
    const done = [
      given(10, 6, 'TaskSucceeded'),
      given(11, 10, 'TaskStateExited', { name: 'Perform', output: 'a' }),
      given(12, 11, 'MapIterationSucceeded', { name: 'Act', index: 0 }),
    ];
    const failed = fold([
      ...begun,
      ...done,
      given(13, 9, 'TaskFailed', { error: 'Boom' }),
      given(14, 13, 'MapIterationFailed', { name: 'Act', index: 1 }),
      given(15, 13, 'MapStateFailed'),
      given(16, 15, 'MapStateExited', { name: 'Act', output: '{}' }),
      given(17, 16, 'SucceedStateEntered', { name: 'Ended' }),
    ]);
    expect(failed.map(({ name, status }) => [name, status])).toEqual([
      ['Act', 'caught'],
      ['Perform', 'succeeded'],
      ['Perform', 'failed'],
      ['Ended', 'running'],
    ]);
    const aborted = fold([...begun, given(10, 9, 'ExecutionAborted')]);
    expect(aborted.map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);
  });
});

test('task tokens are hidden, however deep; everything else stays as it is, byte for byte', () => {
  const shown = (parameters: string) =>
    eventFrom(given(1, 0, 'TaskScheduled', { parameters })).details.parameters;
  const secret = JSON.stringify({ Values: { ':token': { S: 'AQCk' }, ':at': { S: 'now' } } });
  expect(shown(secret)).toBe(
    JSON.stringify({ Values: { ':token': hiddenToken, ':at': { S: 'now' } } }),
  );
  for (const text of ['{ "tokens":  12 }', 'no token here', '{"a": 1.50}'])
    expect(shown(text)).toBe(text);
});

test('ids of ours are found in any text, once each, with their place', () => {
  const id = `act_${'0'.repeat(26)}`;
  expect(idsIn(`{"actionId":"${id}","again":"${id}-r2","other":"act_short"}`)).toEqual([
    { id, place: `/action/${id}` },
  ]);
});
