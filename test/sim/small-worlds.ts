// All small worlds of one kind of contract, and what became of them. Owns: the enumeration; worlds that cannot differ are played
// once: a crash that was never reached, a decision that nobody was asked for.
import { crashPoints } from '../../functions/core/base/crash-points.ts';
import { decisionKinds } from '../../functions/core/recover/desk.ts';
import type { ContractKind } from './contracts.ts';
import { behaviours } from './destination.ts';
import { type Crash, type Played, playSmall, revocations, type Small } from './small.ts';

const crashes: readonly (Crash | undefined)[] = [
  undefined,
  ...crashPoints.flatMap((point) => [
    { point, pass: 1 },
    { point, pass: 2 },
  ]),
];

export interface Tally {
  worlds: number;
  /** Each broken law with the first world that broke it. */
  readonly broken: Map<string, string>;
  /** What was reached: crash points, and decisions with what they came to. */
  readonly crashed: Set<string>;
  readonly decided: Set<string>;
  /** Effect and number of effects at the destination. */
  readonly ends: Set<string>;
}

export const emptyTally = (): Tally => ({
  worlds: 0,
  broken: new Map(),
  crashed: new Set(),
  decided: new Set(),
  ends: new Set(),
});

const count = (tally: Tally, small: Small, played: Played): void => {
  tally.worlds += 1;
  if (played.crashed && small.crash) tally.crashed.add(small.crash.point);
  if (played.decided !== undefined) tally.decided.add(`${small.decision}: ${played.decided}`);
  tally.ends.add(`${played.effect} ${played.effects}`);
  for (const law of played.broken)
    if (!tally.broken.has(law)) tally.broken.set(law, JSON.stringify(small));
};

const playAll = async (tally: Tally, small: Small): Promise<void> => {
  const played = await playSmall(small);
  if (small.crash && !played.crashed) return;
  count(tally, small, played);
  if (!played.asked) return;
  for (const decision of decisionKinds) {
    const decided = { ...small, decision };
    count(tally, decided, await playSmall(decided));
  }
};

export const playContract = async (
  contract: ContractKind,
  gate?: NonNullable<Small['gate']>,
): Promise<Tally> => {
  const tally = emptyTally();
  for (const behaviour of behaviours)
    for (const revocation of revocations)
      for (const crash of crashes)
        await playAll(tally, {
          crash,
          behaviour,
          contract,
          decision: undefined,
          revocation,
          ...(gate === undefined ? {} : { gate }),
        });
  return tally;
};
