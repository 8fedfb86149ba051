// Checks what single states cannot show: targets that exist, states that can be reached, an end, names that are not reused.
// Owns: the whole-machine rules.
import type { Template } from '../jsonata/template.ts';
import type { Findings } from './findings.ts';
import { type Block, isGuarded, type State } from './types.ts';

interface Edge {
  readonly field: string;
  readonly to: string;
}

const edgesOf = (state: State): readonly Edge[] => {
  const edges: Edge[] = [];
  if ('transition' in state && state.transition.kind === 'next')
    edges.push({ field: 'Next', to: state.transition.state });
  if (isGuarded(state))
    state.catch.forEach(({ next }, index) => {
      edges.push({ field: `Catch[${index}]/Next`, to: next });
    });
  if (state.type === 'Choice') {
    state.rules.forEach(({ next }, index) => {
      edges.push({ field: `Choices[${index}]/Next`, to: next });
    });
    if (state.otherwise !== undefined) edges.push({ field: 'Default', to: state.otherwise });
  }
  return edges;
};

const reachable = (block: Block): ReadonlySet<string> => {
  const seen = new Set<string>();
  const open = [block.startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = block.states.get(name);
    if (state === undefined || seen.has(name)) continue;
    seen.add(name);
    open.push(...edgesOf(state).map(({ to }) => to));
  }
  return seen;
};

const ends = (state: State): boolean =>
  state.type === 'Succeed' ||
  state.type === 'Fail' ||
  ('transition' in state && state.transition.kind === 'end');

const innerBlocks = (state: State): readonly (readonly [string, Block])[] => {
  if (state.type === 'Map') return [['ItemProcessor', state.body]];
  if (state.type !== 'Parallel') return [];
  return state.branches.map((branch, index) => [`Branches[${index}]`, branch]);
};

const checkTargets = (block: Block, location: string, findings: Findings): void => {
  if (!block.states.has(block.startAt))
    findings.add(
      'MISSING_TRANSITION_TARGET',
      `${location}/StartAt`,
      `Missing 'Next' target: ${block.startAt}`,
    );
  const found = reachable(block);
  for (const [name, state] of block.states) {
    const at = `${location}/States/${name}`;
    for (const { field, to } of edgesOf(state)) {
      if (!block.states.has(to))
        findings.add('MISSING_TRANSITION_TARGET', `${at}/${field}`, `Missing 'Next' target: ${to}`);
    }
    if (!found.has(name))
      findings.add('MISSING_TRANSITION_TARGET', at, `State "${name}" is not reachable.`);
  }
  if (![...block.states.values()].some(ends))
    findings.add('MISSING_END_STATE', `${location}/States`, 'Workflow has no terminal state');
};

const namesIn = (template: Template | undefined): readonly string[] => {
  if (template?.kind === 'object') return template.entries.map(([name]) => name);
  if (template?.kind !== 'literal' || template.value === null) return [];
  return typeof template.value === 'object' ? Object.keys(template.value) : [];
};

const assignedBy = (state: State): readonly string[] => {
  const templates = [state.assign];
  if (isGuarded(state)) templates.push(...state.catch.map(({ assign }) => assign));
  if (state.type === 'Choice') templates.push(...state.rules.map(({ assign }) => assign));
  return templates.flatMap(namesIn);
};

/** An inner scope may not reuse the name of a variable of an outer one. */
const checkScopes = (
  block: Block,
  location: string,
  outer: ReadonlySet<string>,
  findings: Findings,
): void => {
  const own = new Set([...block.states.values()].flatMap(assignedBy));
  for (const [name, state] of block.states) {
    for (const variable of assignedBy(state)) {
      if (outer.has(variable))
        findings.schema(
          `${location}/States/${name}`,
          `The variable "${variable}" is already defined in an outer scope`,
        );
    }
    for (const [field, inner] of innerBlocks(state))
      checkScopes(
        inner,
        `${location}/States/${name}/${field}`,
        new Set([...outer, ...own]),
        findings,
      );
  }
};

const checkBlocks = (
  block: Block,
  location: string,
  names: Set<string>,
  findings: Findings,
): void => {
  checkTargets(block, location, findings);
  for (const [name, state] of block.states) {
    if (names.has(name))
      findings.add(
        'DUPLICATE_STATE_NAME',
        `${location}/States/${name}`,
        `Duplicate State name: ${name}`,
      );
    names.add(name);
    for (const [field, inner] of innerBlocks(state))
      checkBlocks(inner, `${location}/States/${name}/${field}`, names, findings);
  }
};

export const checkFlow = (machine: Block, findings: Findings): void => {
  checkBlocks(machine, '', new Set(), findings);
  checkScopes(machine, '', new Set(), findings);
};
