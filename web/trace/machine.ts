// A state machine's definition as the trace shows it: its states, their blocks, and the ways between them.
// Owns: the reading of Amazon States Language for that; what it does not know it leaves out.
import type { JsonObject } from '../api/types.ts';
import { isObject } from './history.ts';
import type { Way } from './layout.ts';

export type WayKind = 'next' | 'choice' | 'default' | 'catch';

export interface StateWay extends Way {
  readonly kind: WayKind;
  /** A choice's condition, or the names of the errors that are caught. */
  readonly when?: string;
}
export interface StateNode {
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  /** What a Map repeats, or the branches of a Parallel. */
  readonly blocks: readonly Block[];
}
export interface Block {
  /** The one it starts at comes first. */
  readonly states: readonly StateNode[];
  readonly ways: readonly StateWay[];
}

const textIn = (of: JsonObject, name: string): string | undefined => {
  const value = of[name];
  return typeof value === 'string' ? value : undefined;
};
const objectsIn = (of: JsonObject, name: string): readonly JsonObject[] => {
  const value = of[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** JSONata without its brackets. */
const condition = (choice: JsonObject): string | undefined =>
  textIn(choice, 'Condition')?.replace(/^\{%\s*|\s*%\}$/g, '');

const waysFrom = (from: string, state: JsonObject): StateWay[] => {
  const way = (kind: WayKind, to: string | undefined, when?: string): StateWay[] =>
    to === undefined ? [] : [{ from, to, kind, ...(when === undefined ? {} : { when }) }];
  const errors = (catcher: JsonObject): string => {
    const names = catcher.ErrorEquals;
    return Array.isArray(names) ? names.join(', ') : '';
  };
  return [
    ...way('next', textIn(state, 'Next')),
    ...objectsIn(state, 'Choices').flatMap((one) =>
      way('choice', textIn(one, 'Next'), condition(one)),
    ),
    ...way('default', textIn(state, 'Default')),
    ...objectsIn(state, 'Catch').flatMap((one) => way('catch', textIn(one, 'Next'), errors(one))),
  ];
};

const nodeOf = (name: string, state: JsonObject): StateNode => {
  const comment = textIn(state, 'Comment');
  const repeated = state.ItemProcessor ?? state.Iterator;
  const inner = [...(isObject(repeated) ? [repeated] : []), ...objectsIn(state, 'Branches')];
  return {
    name,
    type: textIn(state, 'Type') ?? '',
    ...(comment === undefined ? {} : { comment }),
    blocks: inner.map(blockOf),
  };
};

/** The block of a definition, or of a part of it. */
export const blockOf = (definition: JsonObject): Block => {
  const given = isObject(definition.States) ? definition.States : {};
  const startAt = textIn(definition, 'StartAt');
  const states = Object.entries(given).flatMap(([name, state]) =>
    isObject(state) ? [[name, state] as const] : [],
  );
  const first = states.filter(([name]) => name === startAt);
  const others = states.filter(([name]) => name !== startAt);
  return {
    states: [...first, ...others].map(([name, state]) => nodeOf(name, state)),
    ways: states.flatMap(([name, state]) => waysFrom(name, state)),
  };
};

/** All states, those of an inner block after the state that holds it. */
export const statesOf = (block: Block): readonly StateNode[] =>
  block.states.flatMap((state) => [state, ...state.blocks.flatMap(statesOf)]);

export const waysOf = (block: Block): readonly StateWay[] => [
  ...block.ways,
  ...block.states.flatMap((state) => state.blocks.flatMap(waysOf)),
];
