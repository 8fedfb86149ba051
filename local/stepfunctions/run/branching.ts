// Map and Parallel: starting branches in child frames, joining them.
// Owns: the events of branches and iterations. Results stay in the child frames until all are there.
import type { MapState, ParallelState } from '../asl/types.ts';
import type { Json } from '../json.ts';
import { unexpectedType } from '../jsonata/template.ts';
import type { Frame } from './frame.ts';
import { leave } from './leave.ts';
import { numberOf, read } from './scope.ts';
import type { Turn } from './turn.ts';

/** An inline Map runs at most this many iterations at a time (AWS quota). */
const concurrencyMost = 40;

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

const itemsOf = async (turn: Turn, frame: Frame, state: MapState): Promise<readonly Json[]> => {
  const value = await read(turn, frame, state.items, frame.input);
  if (Array.isArray(value)) return value;
  const implied = { kind: 'expression', source: '$states.input', location: 'Items' } as const;
  throw unexpectedType(state.items ?? implied, 'array', value);
};

export const workMap = async (turn: Turn, frame: Frame, state: MapState): Promise<void> => {
  const items = await itemsOf(turn, frame, state);
  const concurrency = await numberOf(turn, frame, state.concurrencyMax, isCount, 'integer');
  // The tolerances matter to a distributed Map only; the service still evaluates them here.
  await numberOf(turn, frame, state.toleratedFailureCount, isCount, 'integer');
  await numberOf(
    turn,
    frame,
    state.toleratedFailurePercentage,
    (value) => value >= 0 && value <= 100,
    'percentage',
  );
  const sourceId = turn.event(frame, 'MapStateStarted', {
    mapStateStartedEventDetails: { length: items.length },
  });
  frame.doing = {
    kind: 'children',
    count: items.length,
    concurrencyMax: Math.min(concurrency || concurrencyMost, concurrencyMost),
    items,
  };
  if (items.length === 0) turn.soon({ kind: 'join', frame, sourceId });
  else turn.soon({ kind: 'iterate', frame, sourceId });
};

export const iterate = async (
  turn: Turn,
  frame: Frame,
  state: MapState,
  sourceId: number,
): Promise<void> => {
  const { doing } = frame;
  if (doing.kind !== 'children') return;
  const begun = turn.children(frame);
  let running = begun.filter(({ status }) => status === 'running').length;
  for (let index = begun.length; index < doing.count; index += 1) {
    if (running >= doing.concurrencyMax) return;
    const value = doing.items?.[index] ?? null;
    const moment = { item: { index, value } };
    const input = await read(turn, frame, state.itemSelector, value, moment);
    const id = turn.record('MapIterationStarted', sourceId, {
      mapIterationStartedEventDetails: { name: frame.state, index },
    });
    const child = turn.addFrame(frame, { index, input, lastId: id, item: { value } });
    turn.later({ kind: 'enter', frame: child, state: state.body.startAt, input });
    running += 1;
  }
};

export const workParallel = async (
  turn: Turn,
  frame: Frame,
  state: ParallelState,
): Promise<void> => {
  const input = await read(turn, frame, state.arguments, frame.input);
  const sourceId = turn.event(frame, 'ParallelStateStarted');
  frame.doing = {
    kind: 'children',
    count: state.branches.length,
    concurrencyMax: state.branches.length,
  };
  state.branches.forEach(({ startAt }, index) => {
    const child = turn.addFrame(frame, { index, input, lastId: sourceId });
    turn.later({ kind: 'enter', frame: child, state: startAt, input });
  });
};

/** All branches are done: their outputs become the state's result. */
export const join = async (
  turn: Turn,
  frame: Frame,
  state: MapState | ParallelState,
  sourceId: number,
): Promise<void> => {
  frame.lastId = sourceId;
  frame.causeId = sourceId;
  const children = turn.children(frame);
  const result = children.map(({ output }) => output ?? null);
  await leave(turn, frame, state, {
    outcome: state,
    otherwise: result,
    moment: { result },
    transition: state.transition,
    before: () => {
      turn.record(`${state.type}StateSucceeded`, sourceId, {});
    },
  });
  for (const child of children) turn.removeFrame(child);
};

/** A frame came to the end of its block. */
export const finish = (turn: Turn, frame: Frame, output: Json): void => {
  const parent = turn.parent(frame);
  if (parent === undefined) {
    const text = turn.text(output);
    turn.event(frame, 'ExecutionSucceeded', {
      executionSucceededEventDetails: { output: text, outputDetails: { truncated: false } },
    });
    turn.end('SUCCEEDED', { output: text });
    return;
  }
  frame.status = 'done';
  frame.output = output;
  turn.touch(frame);
  const isMap = turn.state(parent).type === 'Map';
  const joinId = isMap
    ? turn.record('MapIterationSucceeded', frame.lastId, {
        mapIterationSucceededEventDetails: { name: parent.state, index: frame.index },
      })
    : frame.lastId;
  if (parent.doing.kind !== 'children') return;
  const done = turn.children(parent).filter(({ status }) => status === 'done').length;
  if (done === parent.doing.count) turn.soon({ kind: 'join', frame: parent, sourceId: joinId });
  else if (isMap) turn.soon({ kind: 'iterate', frame: parent, sourceId: frame.lastId });
};
