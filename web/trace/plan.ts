// The whole graph of a machine, blocks within blocks, ready to draw. Owns: the sizes of states, and that a state which holds
// blocks is drawn around them.
import { type Box, drawn, type Point, type Size } from './layout.ts';
import type { Block, StateNode, StateWay, WayKind } from './machine.ts';

export interface PlannedState extends Box {
  readonly state: StateNode;
}
export interface PlannedLine {
  readonly from: string;
  readonly to: string;
  /** All ways between the two, once each. */
  readonly kinds: readonly WayKind[];
  readonly points: readonly Point[];
}
interface Plan extends Size {
  /** A state that holds others comes before them. */
  readonly states: readonly PlannedState[];
  readonly lines: readonly PlannedLine[];
}

/** Most characters of a name that are drawn; the rest is in the list beside the graph. */
export const nameMost = 24;
const characterWidth = 7.6;
const stateHeight = 50;
const around = 16;

const widthOf = (name: string): number =>
  Math.max(124, Math.min(name.length, nameMost) * characterWidth + 2 * around);

interface Inner {
  readonly size: Size;
  readonly plans: readonly { readonly plan: Plan; readonly x: number }[];
}

/** Blocks of one state stand side by side under its name. */
const innerOf = (state: StateNode): Inner => {
  const plans: { plan: Plan; x: number }[] = [];
  let x = around;
  let height = 0;
  for (const block of state.blocks) {
    const plan = planOf(block);
    plans.push({ plan, x });
    x += plan.width + around;
    height = Math.max(height, plan.height);
  }
  const isPlain = plans.length === 0;
  return {
    plans,
    size: {
      width: Math.max(widthOf(state.name), isPlain ? 0 : x),
      height: isPlain ? stateHeight : stateHeight + height + 2 * around,
    },
  };
};

/** One line for all ways between the same two states. */
const merged = (ways: readonly StateWay[]) =>
  [...Map.groupBy(ways, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap((same) => {
    const [first] = same;
    const kinds = [...new Set(same.map(({ kind }) => kind))];
    const pull = kinds.every((kind) => kind === 'catch') ? 0.1 : 1;
    return first === undefined ? [] : [{ from: first.from, to: first.to, kinds, pull }];
  });

const moved = ({ states, lines }: Plan, x: number, y: number): Pick<Plan, 'states' | 'lines'> => ({
  states: states.map((state) => ({ ...state, x: state.x + x, y: state.y + y })),
  lines: lines.map((line) => ({
    ...line,
    points: line.points.map((point) => ({ x: point.x + x, y: point.y + y })),
  })),
});

export const planOf = (block: Block): Plan => {
  const inners = new Map(block.states.map((state) => [state.name, innerOf(state)]));
  const sizes = new Map([...inners].map(([name, { size }]) => [name, size]));
  const names = block.states.map(({ name }) => name);
  const { width, height, boxes, lines } = drawn(names, sizes, merged(block.ways));
  const states: PlannedState[] = [];
  const all = lines.map(({ way, points }): PlannedLine => {
    const { from, to, kinds } = way;
    return { from, to, kinds, points };
  });
  for (const state of block.states) {
    const box = boxes.get(state.name);
    if (box === undefined) continue;
    states.push({ ...box, state });
    for (const { plan, x } of inners.get(state.name)?.plans ?? []) {
      const inner = moved(plan, box.x + x, box.y + stateHeight + around);
      states.push(...inner.states);
      all.push(...inner.lines);
    }
  }
  return { width, height, states, lines: all };
};
