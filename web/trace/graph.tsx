// The machine's states as a graph, with how each stands; and the same as a list, for those who do not see it.
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { focusable, Plain } from '../parts/plain-text.tsx';
import { Badge } from '../parts/state.tsx';
import { useLater } from '../words/later.ts';
import { type Entry, type Marked, marksOf } from './entries.ts';
import type { Point } from './layout.ts';
import { type Block, blockOf, type StateNode, type StateWay, statesOf, waysOf } from './machine.ts';
import { nameMost, type PlannedLine, type PlannedState, planOf } from './plan.ts';
import { markShown, unreached } from './shown.ts';

/** Room for the arrow that leads in, and for the thickness of lines. */
const edge = 20;

const curve = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, place) => {
      const before = points[place - 1];
      if (before === undefined) return `M${x} ${y}`;
      const middle = (before.y + y) / 2;
      return `C${before.x} ${middle} ${x} ${middle} ${x} ${y}`;
    })
    .join('');

const Line = ({ line, taken }: { readonly line: PlannedLine; readonly taken: boolean }) => (
  <path
    className="trace-line"
    data-taken={taken}
    data-caught={line.kinds.every((kind) => kind === 'catch')}
    d={curve(line.points)}
    markerEnd={taken ? 'url(#trace-taken)' : 'url(#trace-way)'}
  />
);

const Arrow = ({ id }: { readonly id: string }): ReactNode => (
  <marker
    id={id}
    viewBox="0 0 8 8"
    refX="7"
    refY="4"
    markerWidth="8"
    markerHeight="8"
    markerUnits="userSpaceOnUse"
    orient="auto"
  >
    <path className={id} d="M0 0.500L8 4L0 7.500z" />
  </marker>
);

const State = ({ of, marked }: { readonly of: PlannedState; readonly marked: Marked }) => {
  const later = useLater();
  const { x, y, width, height, state } = of;
  const shown = markShown(marked, later);
  const { name } = state;
  return (
    <g className="trace-state" data-tone={shown.tone} data-mark={marked.mark}>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      <text className="trace-name" x={x + 12} y={y + 20}>
        {name.length > nameMost ? `${name.slice(0, nameMost - 1)}…` : name}
      </text>
      <g className="trace-mark" transform={`translate(${x + 12} ${y + 29})`}>
        <svg width="12" height="12" aria-hidden="true">
          <Icon name={shown.icon} />
        </svg>
        <text x="17" y="10">
          {shown.word}
        </text>
      </g>
    </g>
  );
};

const takenOf = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.map(({ from, name }) => JSON.stringify([from, name])));

const Drawing = ({
  block,
  marks,
  taken,
  label,
  whole,
}: {
  readonly block: Block;
  readonly marks: ReadonlyMap<string, Marked>;
  readonly taken: ReadonlySet<string>;
  readonly label: string;
  readonly whole: boolean;
}): ReactNode => {
  const plan = useMemo(() => planOf(block), [block]);
  const [first] = useState(marks);
  const drawing = useRef<SVGSVGElement>(null);
  // To begin with: where the execution is, or where it began. Later only the reader moves it.
  useLayoutEffect(() => {
    const shown = whole ? undefined : drawing.current?.parentElement;
    const here = plan.states.findLast(({ state }) => first.get(state.name)?.mark === 'here');
    const to = here ?? plan.states[0];
    if (shown === undefined || shown === null || to === undefined) return;
    shown.scrollTo(
      to.x + edge + to.width / 2 - shown.clientWidth / 2,
      to.y + edge + to.height / 2 - shown.clientHeight / 2,
    );
  }, [plan, first, whole]);
  const width = plan.width + 2 * edge;
  const height = plan.height + 2 * edge;
  const start = plan.states[0];
  const middle = start === undefined ? 0 : start.x + start.width / 2;
  return (
    <svg
      ref={drawing}
      role="img"
      aria-label={label}
      className={whole ? 'trace-graph whole' : 'trace-graph'}
      viewBox={`${-edge} ${-edge} ${width} ${height}`}
      width={width}
      height={height}
    >
      <defs>
        <Arrow id="trace-way" />
        <Arrow id="trace-taken" />
      </defs>
      {plan.states.map((of) => (
        <State key={of.state.name} of={of} marked={marks.get(of.state.name) ?? unreached} />
      ))}
      <path
        className="trace-line"
        data-taken="true"
        d={`M${middle} ${-edge + 2}L${middle} 0`}
        markerEnd="url(#trace-taken)"
      />
      {plan.lines.map((line) => (
        <Line
          key={`${line.from} ${line.to}`}
          line={line}
          taken={taken.has(JSON.stringify([line.from, line.to]))}
        />
      ))}
    </svg>
  );
};

const WayWords = ({ way }: { readonly way: StateWay }): ReactNode => {
  const later = useLater();
  return (
    <>
      {later.trace.ways[way.kind]}
      {way.when === undefined ? null : (
        <>
          {' '}
          <Plain text={way.when} />
        </>
      )}{' '}
      → <Plain text={way.to} />
    </>
  );
};

const ListedState = ({
  state,
  within,
  marked,
  ways,
  isStart,
}: {
  readonly state: StateNode;
  readonly within: string | undefined;
  readonly marked: Marked;
  readonly ways: readonly StateWay[];
  readonly isStart: boolean;
}): ReactNode => {
  const later = useLater();
  const facts = [
    state.type,
    ...(within === undefined ? [] : [later.trace.within(within)]),
    ...(isStart ? [later.trace.start] : []),
    ...(ways.length === 0 ? [later.trace.ends] : []),
    ...(marked.retries === 0 ? [] : [later.trace.retried(marked.retries)]),
  ];
  return (
    <li>
      <strong>
        <Plain text={state.name} />
      </strong>{' '}
      <Badge shown={markShown(marked, later)} /> <span className="hint">{facts.join(', ')}</span>
      {state.comment === undefined ? null : (
        <p className="hint">
          <Plain text={state.comment} />
        </p>
      )}
      {ways.map((way) => (
        <p key={`${way.kind} ${way.to} ${way.when ?? ''}`} className="trace-way-words">
          <WayWords way={way} />
        </p>
      ))}
    </li>
  );
};

const List = ({
  block,
  marks,
}: {
  readonly block: Block;
  readonly marks: ReadonlyMap<string, Marked>;
}): ReactNode => {
  const states = statesOf(block);
  const ways = Map.groupBy(waysOf(block), ({ from }) => from);
  const holders = new Map(
    states.flatMap((outer) =>
      outer.blocks.flatMap(({ states: inner }) =>
        inner.map(({ name }) => [name, outer.name] as const),
      ),
    ),
  );
  const starts = new Set(
    [block, ...states.flatMap(({ blocks }) => blocks)].map(({ states: [first] }) => first?.name),
  );
  return (
    <ol className="trace-list">
      {states.map((state) => (
        <ListedState
          key={state.name}
          state={state}
          within={holders.get(state.name)}
          marked={marks.get(state.name) ?? unreached}
          ways={ways.get(state.name) ?? []}
          isStart={starts.has(state.name)}
        />
      ))}
    </ol>
  );
};

export const Graph = ({
  definition,
  machine,
  entries,
}: {
  readonly definition: JsonObject;
  readonly machine: string;
  readonly entries: readonly Entry[];
}): ReactNode => {
  const later = useLater();
  const [whole, setWhole] = useState(false);
  const block = useMemo(() => blockOf(definition), [definition]);
  const marks = useMemo(() => marksOf(entries), [entries]);
  const taken = useMemo(() => takenOf(entries), [entries]);
  const label = later.trace.graphOf(machine, statesOf(block).length);
  return (
    <figure className="stack">
      <div className="row">
        <button type="button" aria-pressed={!whole} onClick={() => setWhole(false)}>
          {later.trace.readable}
        </button>
        <button type="button" aria-pressed={whole} onClick={() => setWhole(true)}>
          {later.trace.whole}
        </button>
        <span className="hint">{later.trace.graphHint}</span>
      </div>
      <section className="trace-scroll" {...focusable} aria-label={later.trace.graph}>
        <Drawing block={block} marks={marks} taken={taken} label={label} whole={whole} />
      </section>
      <figcaption>
        <details>
          <summary>{later.trace.asList}</summary>
          <List block={block} marks={marks} />
        </details>
      </figcaption>
    </figure>
  );
};
