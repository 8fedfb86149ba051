// Applies a parsed update expression to an item.
// Owns: the meaning of SET, REMOVE, ADD and DELETE. All paths and values mean the item as it was
// before, whatever the order of the sections: a list keeps its positions until the end, then closes
// its gaps.

import { invalid } from './answers.ts';
import { difference, sum } from './numbers.ts';
import { valueAt } from './paths.ts';
import type { AttributeValue, Computation, Item, Path, Section, Source } from './values.ts';
import { typeOf } from './values.ts';

/** Values on their way: the same shapes, changeable. */
type Draft = { L?: Draft[]; M?: Record<string, Draft> } & Omit<AttributeValue, 'L' | 'M'>;

const wrongPath = () =>
  invalid('The document path provided in the update expression is invalid for update');
const wrongType = () => invalid('An operand in the update expression has an incorrect data type');
const noAttribute = () =>
  invalid('The provided expression refers to an attribute that does not exist in the item');

const isComputation = (source: Source): source is Computation =>
  !Array.isArray(source) && 'type' in source;

const draftOf = (value: AttributeValue): Draft => {
  if (value.L) return { L: value.L.map(draftOf) };
  if (value.M) return { M: draftItem(value.M) };
  return { ...value } as Draft;
};

const draftItem = (item: Item): Record<string, Draft> => {
  // Without a prototype every name is just a name.
  const draft: Record<string, Draft> = Object.create(null);
  for (const [name, value] of Object.entries(item)) draft[name] = draftOf(value);
  return draft;
};

const numberOf = (value: AttributeValue): string => {
  if (value.N === undefined) throw wrongType();
  return value.N;
};

const listOf = (value: AttributeValue): readonly AttributeValue[] => {
  if (value.L === undefined) throw wrongType();
  return value.L;
};

/** The value a source stands for in the item as it was. */
const resolve = (source: Source | undefined, item: Item): AttributeValue => {
  if (source === undefined) throw noAttribute();
  if (Array.isArray(source)) {
    const found = valueAt(source, item);
    if (found === undefined) throw noAttribute();
    return found;
  }
  if (!isComputation(source)) return source as AttributeValue;
  const [first, second] = source.args;
  if (source.name === 'if_not_exists') return valueAt(first as Path, item) ?? resolve(second, item);
  const one = resolve(first, item);
  if (source.name === 'list_append')
    return { L: [...listOf(one), ...listOf(resolve(second, item))] };
  const operation = source.type === 'add' ? sum : difference;
  return { N: operation(numberOf(one), numberOf(resolve(second, item))) };
};

const setOf = (value: AttributeValue | undefined): readonly string[] =>
  value?.SS ?? value?.NS ?? value?.BS ?? [];

const added = (existing: Draft | undefined, given: AttributeValue, type: string): Draft => {
  if (given.N !== undefined) return { N: sum(existing?.N ?? '0', given.N) };
  const members = setOf(existing as AttributeValue | undefined);
  return { [type]: [...members, ...setOf(given).filter((one) => !members.includes(one))] };
};

/** What is left of a set, or undefined when nothing is. */
const reduced = (existing: Draft | undefined, given: AttributeValue, type: string) => {
  const left = setOf(existing as AttributeValue | undefined).filter(
    (one) => !setOf(given).includes(one),
  );
  return left.length === 0 ? undefined : { [type]: left };
};

/** A place in the draft that a section changes. */
interface Place {
  readonly current: Draft | undefined;
  write(value: Draft | undefined): void;
}

const placeIn = (root: Draft, path: Path, lists: Set<Draft[]>): Place => {
  let parent: Draft | undefined = root;
  for (const piece of path.slice(0, -1))
    parent = typeof piece === 'number' ? parent?.L?.[piece] : parent?.M?.[piece];
  const last = path.at(-1);
  const { L: list, M: map } = parent ?? {};
  if (typeof last === 'number' && list) {
    return {
      current: list[last],
      write: (value) => {
        lists.add(list);
        if (value !== undefined) list[last] = value;
        else if (last < list.length) delete list[last];
      },
    };
  }
  if (typeof last !== 'string' || !map) throw wrongPath();
  return {
    current: map[last],
    write: (value) => {
      if (value === undefined) delete map[last];
      else map[last] = value;
    },
  };
};

const valueFor = (section: Section, place: Place, item: Item): Draft | undefined => {
  if (section.type === 'remove') return undefined;
  const given = resolve(section.val, item);
  if (section.type === 'set') return draftOf(given);
  const { current } = place;
  const type = section.attrType ?? typeOf(given) ?? '';
  if (current !== undefined && typeOf(current as AttributeValue) !== type) throw wrongType();
  return section.type === 'add' ? added(current, given, type) : reduced(current, given, type);
};

/** The item after an update; `item` itself is left as it is. */
export const updated = (item: Item, sections: readonly Section[]): Item => {
  const root: Draft = { M: draftItem(item) };
  const lists = new Set<Draft[]>();
  for (const section of sections) {
    const place = placeIn(root, section.path, lists);
    place.write(valueFor(section, place, item));
  }
  for (const list of lists) {
    const closed = list.filter(() => true);
    list.splice(0, list.length, ...closed);
  }
  return root.M as Item;
};
