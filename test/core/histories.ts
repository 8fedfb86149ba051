// Histories of an action by chance, as fast-check makes them: attempts, ends and observations in one order of entries.
// Owns: that they are possible: nothing is said of an attempt before it was opened.
import fc from 'fast-check';
import { type Known, observationSays } from '../../functions/core/records/evidence.ts';

export interface Observed {
  readonly says: (typeof observationSays)[number];
  readonly about: number | 'all';
  readonly entry: number;
  readonly reference?: string;
}

export interface History extends Known {
  readonly attempts: { readonly attempt: number; readonly entry: number }[];
  readonly ends: { readonly attempt: number; readonly how: 'replied' | 'unknown' | 'lost' }[];
  readonly observations: Observed[];
}

type Deed =
  | { readonly do: 'attempt' }
  | { readonly do: 'end'; readonly how: 'replied' | 'unknown' | 'lost' }
  | {
      readonly do: 'see';
      readonly says: Observed['says'];
      readonly all: boolean;
      readonly back: number;
    };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ do: 'attempt' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      how: fc.constantFrom('replied' as const, 'unknown' as const, 'lost' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('see' as const),
      says: fc.constantFrom(...observationSays),
      all: fc.boolean(),
      back: fc.nat(2),
    }),
  },
);

const played = (deeds: readonly Deed[]): History => {
  const history: History = { attempts: [], ends: [], observations: [] };
  let entry = 1;
  for (const one of deeds) {
    const { length } = history.attempts;
    const isOpen = length > 0 && !history.ends.some(({ attempt }) => attempt === length);
    if (one.do === 'attempt' && !isOpen) {
      entry += 1;
      history.attempts.push({ attempt: length + 1, entry });
    } else if (one.do === 'end' && isOpen) {
      entry += 1;
      history.ends.push({ attempt: length, how: one.how });
    } else if (one.do === 'see' && length > 0) {
      entry += 1;
      const about = one.all ? ('all' as const) : Math.max(1, length - one.back);
      history.observations.push({ says: one.says, about, entry });
    }
  }
  return history;
};

export const histories: fc.Arbitrary<History> = fc
  .array(deed, { minLength: 1, maxLength: 14 })
  .map(played);
