// Random calls for the DynamoDB twin: each as the request and as a tree that the model understands
// without parsing. Small domains, so that conditions hold about as often as they fail and paths
// meet.

import type { AttributeValue, Item } from '../../../local/dynamodb/values.ts';

/** A seeded source of numbers in [0, 1): mulberry32. */
export const seeded = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

export type Path = (string | number)[];

export type Condition =
  | { is: 'exists' | 'missing'; path: Path }
  | { is: '=' | '<>' | '<' | '<=' | '>' | '>='; path: Path; value: AttributeValue }
  | { is: 'between'; path: Path; low: AttributeValue; high: AttributeValue }
  | { is: 'in'; path: Path; values: AttributeValue[] }
  | { is: 'begins' | 'contains'; path: Path; value: AttributeValue }
  | { is: 'size'; path: Path; by: '=' | '<' | '>='; than: number }
  | { is: 'type'; path: Path; type: string }
  | { is: 'not'; part: Condition }
  | { is: 'and' | 'or'; parts: [Condition, Condition] };

export type Step =
  | { does: 'set'; path: Path; value: AttributeValue }
  | { does: 'copy'; path: Path; from: Path }
  | { does: 'add number'; path: Path; from: Path; value: AttributeValue; minus: boolean }
  | { does: 'default'; path: Path; from: Path; value: AttributeValue }
  | { does: 'append'; path: Path; from: Path; value: AttributeValue }
  | { does: 'remove'; path: Path }
  | { does: 'ADD' | 'DELETE'; path: Path; value: AttributeValue };

export type Write =
  | { kind: 'Put'; item: Item; condition: Condition | undefined }
  | { kind: 'Update'; key: Item; steps: Step[]; condition: Condition | undefined }
  | { kind: 'Delete'; key: Item; condition: Condition | undefined }
  | { kind: 'ConditionCheck'; key: Item; condition: Condition };

export interface Range {
  index: 'byGroup' | 'byRank' | 'byRankLocal' | undefined;
  hash: string;
  sort:
    | { is: '=' | '<' | '<=' | '>' | '>=' | 'begins'; value: AttributeValue }
    | { is: 'between'; low: AttributeValue; high: AttributeValue }
    | undefined;
  filter: Condition | undefined;
  forward: boolean;
  limit: number | undefined;
}

export type Call =
  | { call: 'write'; write: Write; returns: string | undefined }
  | { call: 'transaction'; writes: Write[] }
  | { call: 'range'; range: Range };

const anyTexts = ['', 'a', 'ab', 'abc', 'b', 'é', '😀', 'ﬀ', 'z'];
export const asciiTexts = ['', 'a', 'ab', 'abc', 'b', 'z'];

/** Everything random, from one source. */
export const generator = (random: () => number, texts: readonly string[] = anyTexts) => {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(choices: readonly T[]): T => {
    if (choices.length === 0) throw new Error('nothing to choose from');
    return choices[below(choices.length)] as T;
  };
  const chance = (probability: number): boolean => random() < probability;

  const number = (): string =>
    pick([
      '0',
      '1',
      '2',
      '3',
      '10',
      '-1',
      '-2.5',
      '0.5',
      '1.25',
      '100',
      '-10',
      '12345678901234567890',
    ]);
  const text = (): string => pick(texts);
  const bytes = (): string => pick(['', 'AA==', 'AAE=', '/w==', '//8=', 'AAEC']);
  const some = <T>(choices: readonly T[]): T[] => {
    const chosen = choices.filter(() => chance(0.5));
    return chosen.length > 0 ? chosen : [pick(choices)];
  };
  const scalar = (): AttributeValue =>
    pick([
      () => ({ N: number() }),
      () => ({ S: text() }),
      () => ({ B: bytes() }),
      () => ({ BOOL: chance(0.5) }),
      () => ({ NULL: true }),
    ])();
  const set = (): AttributeValue =>
    pick([
      () => ({ SS: some(['a', 'ab', 'b', 'é']) }),
      () => ({ NS: some(['1', '2', '10', '-2.5']) }),
      () => ({ BS: some(['AA==', 'AAE=', '/w==']) }),
    ])();
  const value = (depth = 2): AttributeValue => {
    if (depth === 0 || chance(0.5)) return scalar();
    return pick([
      set,
      () => ({ L: Array.from({ length: below(4) }, () => value(depth - 1)) }),
      () => ({ M: Object.fromEntries(some(['x', 'y']).map((name) => [name, value(depth - 1)])) }),
    ])();
  };
  const keyOf = (): Item => ({
    pk: { S: pick(['p', 'q']) },
    sk: { S: pick(['a', 'ab', 'b', 'c', 'é', '1']) },
  });
  const names = ['n', 't', 'list', 'map', 'tags', 'other'];
  const group = (): AttributeValue => ({ S: pick(['g', 'h']) });
  const item = (): Item => ({
    ...keyOf(),
    ...(chance(0.7) ? { n: { N: number() } } : {}),
    ...(chance(0.7) ? { t: { S: text() } } : {}),
    ...(chance(0.7) ? { list: { L: Array.from({ length: below(5) }, () => value(1)) } } : {}),
    ...(chance(0.7) ? { map: { M: { x: value(1), y: value(1) } } } : {}),
    ...(chance(0.5) ? { tags: set() } : {}),
    ...(chance(0.3) ? { other: value() } : {}),
    ...(chance(0.7) ? { grp: group() } : {}),
    ...(chance(0.7) ? { rank: { N: number() } } : {}),
    ...(chance(0.3) ? { shown: value(1) } : {}),
  });

  const path = (): Path =>
    pick<() => Path>([
      () => [pick(names)],
      () => ['list', below(4)],
      () => ['map', pick(['x', 'y', 'z'])],
      () => ['map', 'x', below(2)],
      () => [pick(['grp', 'rank', 'shown'])],
    ])();
  const comparable = (): [AttributeValue, AttributeValue] =>
    pick<() => [AttributeValue, AttributeValue]>([
      () => {
        const [a, b] = [number(), number()];
        return Number(a) <= Number(b) ? [{ N: a }, { N: b }] : [{ N: b }, { N: a }];
      },
      () => {
        const [a, b] = [text(), text()];
        const ordered = Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0;
        return ordered ? [{ S: a }, { S: b }] : [{ S: b }, { S: a }];
      },
    ])();
  const leaf = (place: () => Path): Condition =>
    pick<() => Condition>([
      () => ({ is: pick(['exists', 'missing'] as const), path: place() }),
      () => ({ is: pick(['=', '<>'] as const), path: place(), value: value() }),
      () => ({ is: pick(['<', '<=', '>', '>='] as const), path: place(), value: comparable()[0] }),
      () => {
        const [low, high] = comparable();
        return { is: 'between', path: place(), low, high };
      },
      () => ({ is: 'in', path: place(), values: [scalar(), scalar(), scalar()] }),
      () => ({ is: 'begins', path: place(), value: chance(0.7) ? { S: text() } : { B: bytes() } }),
      () => ({ is: 'contains', path: place(), value: chance(0.5) ? { S: text() } : scalar() }),
      () => ({ is: 'size', path: place(), by: pick(['=', '<', '>='] as const), than: below(4) }),
      () => ({
        is: 'type',
        path: place(),
        type: pick(['S', 'N', 'L', 'M', 'SS', 'BOOL', 'NULL', 'B']),
      }),
    ])();
  const condition = (place: () => Path = path, depth = 2): Condition => {
    if (depth === 0 || chance(0.5)) return leaf(place);
    if (chance(0.25)) return { is: 'not', part: condition(place, depth - 1) };
    return {
      is: pick(['and', 'or'] as const),
      parts: [condition(place, depth - 1), condition(place, depth - 1)],
    };
  };
  const maybe = (): Condition | undefined => (chance(0.4) ? condition() : undefined);

  const step = (where: Path): Step =>
    pick<() => Step>([
      () => ({ does: 'set', path: where, value: value() }),
      () => ({ does: 'copy', path: where, from: path() }),
      () => ({
        does: 'add number',
        path: where,
        from: chance(0.7) ? ['n'] : path(),
        value: { N: number() },
        minus: chance(0.3),
      }),
      () => ({ does: 'default', path: where, from: path(), value: value() }),
      () => ({
        does: 'append',
        path: where,
        from: chance(0.7) ? ['list'] : path(),
        value: { L: [value(1)] },
      }),
      () => ({ does: 'remove', path: where }),
    ])();
  const aggregate = (): Step =>
    pick<() => Step>([
      () => ({ does: 'ADD', path: ['n'], value: { N: number() } }),
      () => ({ does: pick(['ADD', 'DELETE'] as const), path: ['tags'], value: set() }),
      () => ({ does: 'ADD', path: [pick(names)], value: chance(0.5) ? { N: '1' } : set() }),
    ])();
  const overlap = (one: Path, other: Path): boolean => {
    const common = Math.min(one.length, other.length);
    for (let at = 0; at < common; at += 1) {
      if (typeof one[at] !== typeof other[at]) return true;
      if (one[at] !== other[at]) return false;
    }
    return true;
  };
  const indexed = (): Step =>
    pick<() => Step>([
      () => ({ does: 'set', path: ['grp'], value: group() }),
      () => ({ does: 'set', path: ['rank'], value: { N: number() } }),
      () => ({ does: 'remove', path: [pick(['grp', 'rank'])] }),
    ])();
  const steps = (): Step[] => {
    const chosen: Step[] = [];
    for (let count = 1 + below(4); count > 0; count -= 1) {
      const places: Path[] = [
        ['list', below(6)],
        ['list', below(4)],
        ['map', pick(['x', 'y', 'w'])],
        [pick(names)],
      ];
      const next = chance(0.2) ? aggregate() : chance(0.25) ? indexed() : step(pick(places));
      if (!chosen.some((one) => overlap(one.path, next.path))) chosen.push(next);
    }
    return chosen;
  };

  const write = (): Write =>
    pick<() => Write>([
      () => ({ kind: 'Put', item: item(), condition: maybe() }),
      () => ({ kind: 'Update', key: keyOf(), steps: steps(), condition: maybe() }),
      () => ({ kind: 'Update', key: keyOf(), steps: steps(), condition: maybe() }),
      () => ({ kind: 'Delete', key: keyOf(), condition: chance(0.6) ? condition() : undefined }),
    ])();
  const returnsOf = (one: Write): string | undefined => {
    if (one.kind === 'Update')
      return pick([undefined, 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']);
    return pick([undefined, 'ALL_OLD']);
  };
  const transaction = (): Call => {
    const writes = Array.from({ length: 1 + below(4) }, () =>
      chance(0.3)
        ? ({ kind: 'ConditionCheck', key: keyOf(), condition: condition() } as const)
        : write(),
    );
    return { call: 'transaction', writes };
  };

  const sort = (isNumber: boolean): Range['sort'] => {
    const one = (): AttributeValue =>
      isNumber ? { N: number() } : { S: pick(['a', 'ab', 'b', 'c', 'é', '1']) };
    if (chance(0.3)) return undefined;
    if (chance(0.2)) {
      const [low, high] = isNumber ? [{ N: '-2.5' }, { N: '10' }] : [{ S: 'a' }, { S: 'b' }];
      return { is: 'between', low, high };
    }
    if (!isNumber && chance(0.2)) return { is: 'begins', value: { S: pick(['a', 'ab', 'é']) } };
    return { is: pick(['=', '<', '<=', '>', '>='] as const), value: one() };
  };
  const range = (): Call => {
    const index = pick([undefined, undefined, 'byGroup', 'byRank', 'byRankLocal'] as const);
    const onGroup = index === 'byGroup' || index === 'byRank';
    const ranked = index === 'byRank' || index === 'byRankLocal';
    const filterable = { byRank: ['shown'], byRankLocal: [], byGroup: names };
    const free = index === undefined ? names : filterable[index];
    return {
      call: 'range',
      range: {
        index,
        hash: onGroup ? pick(['g', 'h']) : pick(['p', 'q']),
        sort: sort(ranked),
        filter: free.length > 0 && chance(0.4) ? condition(() => [pick(free)]) : undefined,
        forward: chance(0.5),
        limit: chance(0.6) ? 1 + below(3) : undefined,
      },
    };
  };
  return {
    next: (): Call => {
      if (chance(0.2)) return transaction();
      if (chance(0.3)) return range();
      const one = write();
      return { call: 'write', write: one, returns: returnsOf(one) };
    },
  };
};
