// Renders generated calls as requests of the service.

import type { AttributeValue, Item } from '../../../local/dynamodb/values.ts';
import type { Condition, Path, Range, Step, Write } from './generator.ts';
import { settled } from './twin.ts';

/** Collects the placeholders of one request. */
const placeholders = () => {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  return {
    path: (path: Path): string =>
      path.reduce<string>((text, piece) => {
        if (typeof piece === 'number') return `${text}[${piece}]`;
        names[`#${piece}`] = piece;
        return text === '' ? `#${piece}` : `${text}.#${piece}`;
      }, ''),
    value: (value: AttributeValue): string => {
      const name = `:v${Object.keys(values).length}`;
      values[name] = value;
      return name;
    },
    members: () => ({
      ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    }),
  };
};
type Placeholders = ReturnType<typeof placeholders>;

const conditionText = (p: Placeholders, condition: Condition): string => {
  switch (condition.is) {
    case 'exists':
      return `attribute_exists(${p.path(condition.path)})`;
    case 'missing':
      return `attribute_not_exists(${p.path(condition.path)})`;
    case 'between':
      return `${p.path(condition.path)} BETWEEN ${p.value(condition.low)} AND ${p.value(condition.high)}`;
    case 'in':
      return `${p.path(condition.path)} IN (${condition.values.map(p.value).join(', ')})`;
    case 'begins':
      return `begins_with(${p.path(condition.path)}, ${p.value(condition.value)})`;
    case 'contains':
      return `contains(${p.path(condition.path)}, ${p.value(condition.value)})`;
    case 'size':
      return `size(${p.path(condition.path)}) ${condition.by} ${p.value({ N: String(condition.than) })}`;
    case 'type':
      return `attribute_type(${p.path(condition.path)}, ${p.value({ S: condition.type })})`;
    case 'not':
      return `NOT (${conditionText(p, condition.part)})`;
    case 'and':
    case 'or': {
      const [one, other] = condition.parts.map((part) => conditionText(p, part));
      return `(${one}) ${condition.is.toUpperCase()} (${other})`;
    }
    default:
      return `${p.path(condition.path)} ${condition.is} ${p.value(condition.value)}`;
  }
};

const assignment = (p: Placeholders, step: Step): string => {
  const path = p.path(step.path);
  switch (step.does) {
    case 'set':
      return `${path} = ${p.value(step.value)}`;
    case 'copy':
      return `${path} = ${p.path(step.from)}`;
    case 'add number':
      return `${path} = ${p.path(step.from)} ${step.minus ? '-' : '+'} ${p.value(step.value)}`;
    case 'default':
      return `${path} = if_not_exists(${p.path(step.from)}, ${p.value(step.value)})`;
    case 'append':
      return `${path} = list_append(${p.path(step.from)}, ${p.value(step.value)})`;
    case 'remove':
      return path;
    default:
      return `${path} ${p.value(step.value)}`;
  }
};

const sectionOf = (step: Step): string => {
  if (step.does === 'remove') return 'REMOVE';
  return step.does === 'ADD' || step.does === 'DELETE' ? step.does : 'SET';
};

const updateText = (p: Placeholders, steps: readonly Step[]): string =>
  ['REMOVE', 'SET', 'ADD', 'DELETE']
    .map((section) => {
      const parts = steps.filter((step) => sectionOf(step) === section);
      return parts.length === 0
        ? ''
        : `${section} ${parts.map((step) => assignment(p, step)).join(', ')}`;
    })
    .filter((text) => text !== '')
    .join(' ');

/** The request of a write, for a call of its own or inside a transaction. */
export const writeRequest = (TableName: string, write: Write): Record<string, unknown> => {
  const p = placeholders();
  return {
    TableName,
    ...(write.kind === 'Put' ? { Item: write.item } : { Key: write.key }),
    ...(write.kind === 'Update' ? { UpdateExpression: updateText(p, write.steps) } : {}),
    ...(write.condition ? { ConditionExpression: conditionText(p, write.condition) } : {}),
    ...p.members(),
  };
};

const sortText = (p: Placeholders, name: string, sort: NonNullable<Range['sort']>): string => {
  const path = p.path([name]);
  if (sort.is === 'between')
    return `${path} BETWEEN ${p.value(sort.low)} AND ${p.value(sort.high)}`;
  if (sort.is === 'begins') return `begins_with(${path}, ${p.value(sort.value)})`;
  return `${path} ${sort.is} ${p.value(sort.value)}`;
};

/** Key attributes of the table and its indexes. */
export const keysOf = (index: Range['index']): readonly [string, string] => {
  if (index === 'byGroup') return ['grp', 'sk'];
  if (index === 'byRank') return ['grp', 'rank'];
  return index === 'byRankLocal' ? ['pk', 'rank'] : ['pk', 'sk'];
};

/** The request of one page of a range. */
export const rangeRequest = (
  TableName: string,
  range: Range,
  ExclusiveStartKey: unknown,
): Record<string, unknown> => {
  const p = placeholders();
  const [hash, sort] = keysOf(range.index);
  const hashText = `${p.path([hash])} = ${p.value({ S: range.hash })}`;
  return {
    TableName,
    ...(range.index ? { IndexName: range.index } : {}),
    KeyConditionExpression: range.sort
      ? `${hashText} AND ${sortText(p, sort, range.sort)}`
      : hashText,
    ...(range.filter ? { FilterExpression: conditionText(p, range.filter) } : {}),
    ScanIndexForward: range.forward,
    ...(range.limit ? { Limit: range.limit } : {}),
    ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}),
    ...p.members(),
  };
};

/** All names in a value, to write it with its members in one order. */
export const sortedNames = (value: unknown): string[] => {
  const names = new Set<string>();
  JSON.stringify(value, (name: string, member: unknown) => {
    names.add(name);
    return member;
  });
  return [...names].sort();
};

/**
 * Items with equal sort keys come in no particular order: the order of the keys, and the items as a
 * set.
 */
export const inOrder = (range: Range, items: readonly Item[]): unknown => {
  const [, sortName] = keysOf(range.index);
  const asText = (item: Item): string => JSON.stringify(settled(item), sortedNames(item));
  return [items.map((item) => item[sortName]), items.map(asText).sort()];
};
