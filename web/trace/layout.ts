// A layered drawing of one block of states: who stands on which line, where on it, and how the ways between them run.
// Owns: that layout. Pure: the same block always looks the same. Lengths are in pixels, from the block's upper left corner.

export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Way {
  readonly from: string;
  readonly to: string;
  /** How much it pulls its two states into one line; 1 when left out. */
  readonly pull?: number;
}
export interface Drawn<W extends Way> extends Size {
  readonly boxes: ReadonlyMap<string, Box>;
  /** From its beginning to its end, so that the last point carries the arrow head. */
  readonly lines: readonly { readonly way: W; readonly points: readonly Point[] }[];
}

const gapAcross = 20;
const gapDown = 46;
const sweeps = 8;

/** A state, or a place where a long way crosses a layer. */
interface Spot {
  readonly size: Size;
  readonly layer: number;
  x: number;
  readonly above: Spot[];
  readonly below: Spot[];
  /** What it is drawn to, and how strongly. */
  readonly pulls: { readonly spot: Spot; readonly weight: number }[];
}

interface Chain<W> {
  readonly way: W;
  readonly isBack: boolean;
  /** From top to bottom, whichever way it leads. */
  readonly spots: readonly Spot[];
}

/** Names in the order in which they are first reached, and the ways that lead back to where one came from. */
const walk = <W extends Way>(names: readonly string[], ways: readonly W[]) => {
  const order: string[] = [];
  const back = new Set<W>();
  const open = new Set<string>();
  const leaving = Map.groupBy(ways, ({ from }) => from);
  const visit = (name: string): void => {
    open.add(name);
    order.push(name);
    for (const way of leaving.get(name) ?? [])
      if (open.has(way.to)) back.add(way);
      else if (!order.includes(way.to)) visit(way.to);
    open.delete(name);
  };
  for (const name of names) if (!order.includes(name)) visit(name);
  return { order, back };
};

/** Each as high as what leads to it allows. */
const layersOf = (names: readonly string[], downwards: readonly Way[]): Map<string, number> => {
  const layers = new Map(names.map((name) => [name, 0]));
  for (let round = 0; round < names.length; round += 1)
    for (const { from, to } of downwards)
      layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(from) ?? 0) + 1));
  return layers;
};

const spotAt = (layer: number, size: Size): Spot => ({
  size,
  layer,
  x: 0,
  above: [],
  below: [],
  pulls: [],
});
const crossing: Size = { width: 1, height: 0 };

const join = (upper: Spot, lower: Spot, pull: number): void => {
  upper.below.push(lower);
  lower.above.push(upper);
  // Where a long way only passes, straight is more than near.
  const weight = upper.size === crossing && lower.size === crossing ? pull * 4 : pull;
  upper.pulls.push({ spot: lower, weight });
  lower.pulls.push({ spot: upper, weight });
};

const chainOf = <W extends Way>(
  way: W,
  isBack: boolean,
  spots: ReadonlyMap<string, Spot>,
  rows: readonly Spot[][],
): Chain<W>[] => {
  const top = spots.get(isBack ? way.to : way.from);
  const bottom = spots.get(isBack ? way.from : way.to);
  if (top === undefined || bottom === undefined) return [];
  const chain = [top];
  for (let layer = top.layer + 1; layer < bottom.layer; layer += 1) {
    const spot = spotAt(layer, crossing);
    rows[layer]?.push(spot);
    chain.push(spot);
  }
  chain.push(bottom);
  chain.forEach((spot, place) => {
    const next = chain[place + 1];
    if (next !== undefined) join(spot, next, way.pull ?? 1);
  });
  return [{ way, isBack, spots: chain }];
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const crossings = (rows: readonly (readonly Spot[])[]): number => {
  let count = 0;
  for (const row of rows) {
    const ends = row.flatMap((spot) => spot.below.map((lower) => lower));
    const places = new Map(ends.map((spot) => [spot, rows[spot.layer]?.indexOf(spot) ?? 0]));
    ends.forEach((one, place) => {
      for (const other of ends.slice(place + 1))
        if ((places.get(one) ?? 0) > (places.get(other) ?? 0)) count += 1;
    });
  }
  return count;
};

/** Turns each row so that neighbours stand near each other; the order with the fewest crossings wins. */
const ordered = (rows: readonly (readonly Spot[])[]): readonly (readonly Spot[])[] => {
  let best = rows;
  let now = rows;
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const side = sweep % 2 === 0 ? 'above' : 'below';
    const next = now.map((row) => [...row]);
    const turn = side === 'above' ? [...next.keys()] : [...next.keys()].reverse();
    for (const layer of turn) {
      const row = next[layer] ?? [];
      const wanted = new Map(
        row.map((spot, place) => {
          const beside = spot[side].map((one) => next[one.layer]?.indexOf(one) ?? 0);
          return [spot, beside.length === 0 ? place : mean(beside)];
        }),
      );
      next[layer] = row.toSorted((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    }
    now = next;
    if (crossings(now) < crossings(best)) best = now;
  }
  return best;
};

/** Nearest places to the wanted ones that keep order and distance (pooled least squares). */
export const placed = (
  wanted: readonly number[],
  distances: readonly number[],
): readonly number[] => {
  const pools: { sum: number; count: number }[] = [];
  let offset = 0;
  const offsets = wanted.map((_, place) => {
    offset += place === 0 ? 0 : (distances[place - 1] ?? 0);
    return offset;
  });
  wanted.forEach((value, place) => {
    let pool = { sum: value - (offsets[place] ?? 0), count: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) break;
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  });
  const levels = pools.flatMap(({ sum, count }) =>
    Array.from({ length: count }, () => sum / count),
  );
  return levels.map((level, place) => level + (offsets[place] ?? 0));
};

const spread = (rows: readonly (readonly Spot[])[]): void => {
  const settle = (row: readonly Spot[], wanted: readonly number[]): void => {
    const apart = row
      .slice(1)
      .map((spot, place) => ((row[place]?.size.width ?? 0) + spot.size.width) / 2 + gapAcross);
    for (const [place, x] of placed(wanted, apart).entries()) {
      const spot = row[place];
      if (spot !== undefined) spot.x = x;
    }
  };
  for (const row of rows)
    settle(
      row,
      row.map(() => 0),
    );
  for (let sweep = 0; sweep < sweeps * 2; sweep += 1) {
    const turn = sweep % 2 === 0 ? rows : rows.toReversed();
    for (const row of turn)
      settle(
        row,
        row.map(({ x, pulls }) => {
          const whole = pulls.reduce((sum, { weight }) => sum + weight, 0);
          const pulled = pulls.reduce((sum, { spot, weight }) => sum + spot.x * weight, 0);
          return whole === 0 ? x : pulled / whole;
        }),
      );
  }
};

/** Where on a box's edge a line leaves: lines to the left stand left of lines to the right. */
const portOf = (spot: Spot, beside: readonly Spot[], other: Spot | undefined): number => {
  if (beside.length < 2 || other === undefined) return spot.x;
  const place = beside.toSorted((a, b) => a.x - b.x).indexOf(other);
  return spot.x + ((place + 1) / (beside.length + 1) - 0.5) * Math.min(spot.size.width, 120);
};

const pointsOf = (
  { spots, isBack }: Chain<Way>,
  tops: readonly number[],
  heights: readonly number[],
): Point[] => {
  const points = spots.flatMap((spot, place): Point[] => {
    const top = tops[spot.layer] ?? 0;
    const bottom = top + (heights[spot.layer] ?? 0);
    if (place === 0) {
      const x = portOf(spot, spot.below, spots[1]);
      const y = top + spot.size.height;
      // A lower box beside it must not be crossed.
      return y < bottom
        ? [
            { x, y },
            { x, y: bottom },
          ]
        : [{ x, y }];
    }
    if (place === spots.length - 1)
      return [{ x: portOf(spot, spot.above, spots[place - 1]), y: top }];
    return [
      { x: spot.x, y: top },
      { x: spot.x, y: bottom },
    ];
  });
  return isBack ? points.reverse() : points;
};

/** Draws a block. `names` begins with the state that it starts at; a way from a state to itself is not drawn. */
export const drawn = <W extends Way>(
  names: readonly string[],
  sizes: ReadonlyMap<string, Size>,
  ways: readonly W[],
): Drawn<W> => {
  const between = ways.filter(({ from, to }) => from !== to);
  const { order, back } = walk(names, between);
  const downwards = between.map((way) => (back.has(way) ? { from: way.to, to: way.from } : way));
  const layers = layersOf(order, downwards);
  const rows: Spot[][] = Array.from({ length: Math.max(-1, ...layers.values()) + 1 }, () => []);
  const spots = new Map<string, Spot>();
  for (const name of order) {
    const layer = layers.get(name) ?? 0;
    const size = sizes.get(name) ?? { width: 0, height: 0 };
    const spot = spotAt(layer, size);
    spots.set(name, spot);
    rows[layer]?.push(spot);
  }
  const chains = between.flatMap((way) => chainOf(way, back.has(way), spots, rows));
  spread(ordered(rows));
  const heights = rows.map((row) => Math.max(0, ...row.map(({ size }) => size.height)));
  const tops = heights.map((_, layer) =>
    heights.slice(0, layer).reduce((sum, height) => sum + height + gapDown, 0),
  );
  const all = rows.flat();
  const left = Math.min(0, ...all.map(({ x, size }) => x - size.width / 2));
  for (const spot of all) spot.x -= left;
  const boxes = new Map(
    [...spots].map(([name, { x, size, layer }]) => [
      name,
      { ...size, x: x - size.width / 2, y: tops[layer] ?? 0 },
    ]),
  );
  return {
    width: Math.max(0, ...all.map(({ x, size }) => x + size.width / 2)),
    height: (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0),
    boxes,
    lines: chains.map((chain) => ({ way: chain.way, points: pointsOf(chain, tops, heights) })),
  };
};
