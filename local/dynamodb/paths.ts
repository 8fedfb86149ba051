// Document paths: the value at one, and the part of an item that several show.
// Owns: the replacement of dynalite's `mapPath` and `mapPaths`, for which inherited names
// (`constructor`) were attributes.

import type { AttributeValue, Item, Path } from './values.ts';

/** The value at a document path, or undefined. */
export const valueAt = (path: Path, item: Item): AttributeValue | undefined => {
  let found: AttributeValue | undefined = { M: item };
  for (const piece of path) {
    if (typeof piece === 'number') found = found?.L?.[piece];
    else found = found?.M && Object.hasOwn(found.M, piece) ? found.M[piece] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
};

/** Part of an item on its way: list members keep their positions until the end. */
type Part = { L?: Part[]; M?: Record<string, Part> };

const emptyMap = (): Record<string, Part> => Object.create(null);

const stepInto = (part: Part, piece: string | number): Part => {
  if (typeof piece === 'number') {
    part.L ??= [];
    part.L[piece] ??= {};
    return part.L[piece];
  }
  part.M ??= emptyMap();
  part.M[piece] ??= {};
  return part.M[piece];
};

const place = (root: Part, path: Path, value: AttributeValue): void => {
  let parent = root;
  for (const piece of path.slice(0, -1)) parent = stepInto(parent, piece);
  const last = path.at(-1);
  if (typeof last === 'number') {
    parent.L ??= [];
    parent.L[last] = value as Part;
  } else if (last !== undefined) {
    parent.M ??= emptyMap();
    parent.M[last] = value as Part;
  }
};

const closeGaps = (part: Part, shown: ReadonlySet<unknown>): void => {
  if (shown.has(part)) return; // a whole value of the item
  if (part.L) part.L = part.L.filter(() => true);
  for (const member of part.L ?? Object.values(part.M ?? {})) closeGaps(member, shown);
};

/** The part of an item that the paths (or attribute names) show. */
export const project = (paths: readonly (Path | string)[], item: Item): Item => {
  const root: Part = { M: emptyMap() };
  const shown = new Set<unknown>();
  let nested = false;
  for (const given of paths) {
    const path: Path = typeof given === 'string' ? [given] : given;
    const value = valueAt(path, item);
    if (value === undefined) continue;
    nested ||= path.length > 1;
    shown.add(value);
    place(root, path, value);
  }
  if (nested) closeGaps(root, shown);
  return root.M as Item;
};
