// A model of the service for one table, as plain as can be: a map of items, conditions by
// recursion, ranges by sorting. It shares no code with the twin. Numbers are compared as JavaScript
// numbers, which the generated ones allow.

import type { AttributeValue, Item } from '../../../local/dynamodb/values.ts';
import type { Condition, Path, Range, Step, Write } from './generator.ts';
import { keysOf } from './render.ts';

export type Outcome = 'done' | 'condition failed' | 'invalid';

type Value = AttributeValue | undefined;
type Plain = Record<string, AttributeValue>;

const kind = (value: AttributeValue): string => Object.keys(value)[0] ?? '';

const at = (item: Item, path: Path): Value =>
  path.reduce<Value>(
    (value, piece) => (typeof piece === 'number' ? value?.L?.[piece] : value?.M?.[piece]),
    { M: item },
  );

/** Text that is the same for equal values. */
const canonical = (value: AttributeValue): string => {
  const set = value.SS ?? value.NS ?? value.BS;
  if (set) return `${kind(value)}${JSON.stringify([...set].sort())}`;
  if (value.L) return `L[${value.L.map(canonical).join()}]`;
  if (value.M) {
    const members = Object.entries(value.M).map(([name, one]) => `${name}:${canonical(one)}`);
    return `M{${members.sort().join()}}`;
  }
  return value.N === undefined ? JSON.stringify(value) : `N${Number(value.N)}`;
};
const same = (one: Value, other: Value): boolean =>
  one !== undefined && other !== undefined && canonical(one) === canonical(other);

const difference = (one: Value, other: Value): number => {
  if (one?.N !== undefined && other?.N !== undefined) return Number(one.N) - Number(other.N);
  if (one?.S !== undefined && other?.S !== undefined)
    return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if (one?.B !== undefined && other?.B !== undefined)
    return Buffer.compare(Buffer.from(one.B, 'base64'), Buffer.from(other.B, 'base64'));
  return Number.NaN;
};

const size = (value: Value): number => {
  if (value?.S !== undefined) return Buffer.byteLength(value.S);
  if (value?.B !== undefined) return Buffer.from(value.B, 'base64').length;
  const members =
    value?.SS ?? value?.NS ?? value?.BS ?? value?.L ?? (value?.M && Object.keys(value.M));
  return members ? members.length : Number.NaN;
};

const starts = (value: Value, prefix: AttributeValue): boolean => {
  if (value?.S !== undefined && prefix.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix.B === undefined) return false;
  const hex = (text: string): string => Buffer.from(text, 'base64').toString('hex');
  return hex(value.B).startsWith(hex(prefix.B));
};

const holdsPart = (value: Value, part: AttributeValue): boolean => {
  if (value?.L) return value.L.some((one) => same(one, part));
  if (value?.S !== undefined && part.S !== undefined) return value.S.includes(part.S);
  if (value?.B !== undefined && part.B !== undefined)
    return Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
  if (value?.SS && part.S !== undefined) return value.SS.includes(part.S);
  if (value?.BS && part.B !== undefined) return value.BS.includes(part.B);
  return (value?.NS ?? []).some((one) => part.N !== undefined && Number(one) === Number(part.N));
};

const related = (by: string, less: number): boolean => {
  const relations: Record<string, boolean> = {
    '=': less === 0,
    '<': less < 0,
    '<=': less <= 0,
    '>': less > 0,
    '>=': less >= 0,
  };
  return relations[by] ?? false;
};

export const holds = (item: Item, condition: Condition): boolean => {
  if (condition.is === 'not') return !holds(item, condition.part);
  if ('parts' in condition) {
    const [one, other] = condition.parts.map((part) => holds(item, part));
    return condition.is === 'and' ? one === true && other === true : one === true || other === true;
  }
  const value = at(item, condition.path);
  switch (condition.is) {
    case 'exists':
      return value !== undefined;
    case 'missing':
      return value === undefined;
    case '=':
      return same(value, condition.value);
    case '<>':
      return !same(value, condition.value);
    case 'between':
      return difference(value, condition.low) >= 0 && difference(value, condition.high) <= 0;
    case 'in':
      return condition.values.some((one) => same(value, one));
    case 'begins':
      return starts(value, condition.value);
    case 'contains':
      return holdsPart(value, condition.value);
    case 'size':
      return related(condition.by, size(value) - condition.than);
    case 'type':
      return value !== undefined && kind(value) === condition.type;
    default:
      return related(condition.is, difference(value, condition.value));
  }
};

class Invalid extends Error {}

const need = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Invalid();
  return value;
};

/** Sums of the generated numbers: exact in hundredths, with room for the long one. */
const hundredths = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(2, '0'));
  return text.startsWith('-') ? -digits : digits;
};
const asText = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
};

const members = (value: Value): readonly string[] => value?.SS ?? value?.NS ?? value?.BS ?? [];

const next = (step: Step, before: Item): Value => {
  switch (step.does) {
    case 'set':
      return step.value;
    case 'copy':
      return need(at(before, step.from));
    case 'default':
      return at(before, step.from) ?? step.value;
    case 'append':
      return { L: [...need(need(at(before, step.from)).L), ...(step.value.L ?? [])] };
    case 'add number': {
      const one = hundredths(need(need(at(before, step.from)).N));
      const other = hundredths(step.value.N ?? '');
      return { N: asText(step.minus ? one - other : one + other) };
    }
    case 'remove':
      return undefined;
    default: {
      const existing = at(before, step.path);
      if (existing && kind(existing) !== kind(step.value)) throw new Invalid();
      const { N } = step.value;
      if (N !== undefined) return { N: asText(hundredths(existing?.N ?? '0') + hundredths(N)) };
      const given = members(step.value);
      const had = members(existing);
      const left =
        step.does === 'ADD'
          ? [...had, ...given.filter((one) => !had.includes(one))]
          : had.filter((one) => !given.includes(one));
      return left.length === 0 ? undefined : { [kind(step.value)]: left };
    }
  }
};

const update = (before: Item, steps: readonly Step[]): Item => {
  const after: Plain = structuredClone({ ...before }) as Plain;
  const lists: (AttributeValue | undefined)[][] = [];
  for (const step of steps) {
    const value = structuredClone(next(step, before));
    const last = need(step.path.at(-1));
    const parent = need(at(after, step.path.slice(0, -1)));
    if (typeof last === 'number') {
      const list = need(parent.L) as (AttributeValue | undefined)[];
      lists.push(list);
      if (value !== undefined || last < list.length) list[last] = value;
    } else {
      const map = need(parent.M) as Plain;
      if (value === undefined) delete map[last];
      else map[last] = value;
    }
  }
  for (const list of lists) list.splice(0, list.length, ...list.filter((one) => one !== undefined));
  if (after.grp && after.grp.S === undefined) throw new Invalid();
  if (after.rank && after.rank.N === undefined) throw new Invalid();
  return after;
};

export interface Model {
  items(): Item[];
  get(key: Item): Item | undefined;
  apply(writes: readonly Write[]): Outcome[];
  /** All items of a range in order, before paging and filtering. */
  range(range: Range): Item[];
}

const keyText = (item: Item): string => JSON.stringify([item.pk?.S, item.sk?.S]);

export const openModel = (): Model => {
  const stored = new Map<string, Item>();
  const evaluate = (write: Write): { outcome: Outcome; after?: Item | undefined } => {
    const before = stored.get(keyText(write.kind === 'Put' ? write.item : write.key));
    if (write.condition && !holds(before ?? {}, write.condition))
      return { outcome: 'condition failed' };
    if (write.kind === 'Put') return { outcome: 'done', after: write.item };
    if (write.kind === 'Delete') return { outcome: 'done', after: undefined };
    if (write.kind === 'ConditionCheck') return { outcome: 'done', after: before };
    try {
      return { outcome: 'done', after: update(before ?? write.key, write.steps) };
    } catch (error) {
      if (error instanceof Invalid) return { outcome: 'invalid' };
      throw error;
    }
  };
  return {
    items: () => [...stored.values()],
    get: (key) => stored.get(keyText(key)),
    apply: (writes) => {
      const results = writes.map((write) => ({ write, ...evaluate(write) }));
      if (results.every(({ outcome }) => outcome === 'done'))
        for (const { write, after } of results) {
          const key = keyText(write.kind === 'Put' ? write.item : write.key);
          if (after) stored.set(key, after);
          else stored.delete(key);
        }
      return results.map(({ outcome }) => outcome);
    },
    range: ({ index, hash, sort, forward }) => {
      const [hashName, sortName] = keysOf(index);
      const bySort = (item: Item): boolean => {
        if (sort === undefined) return true;
        if (sort.is === 'between') return holds(item, { ...sort, path: [sortName] });
        return holds(item, { is: sort.is, path: [sortName], value: sort.value } as Condition);
      };
      const found = [...stored.values()].filter(
        (item) => item[hashName]?.S === hash && item[sortName] !== undefined && bySort(item),
      );
      found.sort((a, b) => difference(a[sortName], b[sortName]));
      return forward ? found : found.reverse();
    },
  };
};
