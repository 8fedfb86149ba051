// Some large worlds with routines, beside everything else that goes wrong; many more with `npm run test:sim -- --routines`.
import { describe, expect, test } from 'vitest';
import { playLarge } from './large.ts';
import { routineTroubleKinds } from './large-routines.ts';

/** Among them every kind of trouble is met, and every end of an occurrence; 6 once broke a law. */
const seeds = [1, 2, 4, 6, 8, 9, 10, 14, 21, 33];

describe('Large worlds with routines', () => {
  test('L19: each time that was due has one record, and no law is broken', async () => {
    const met = new Set<string>();
    const ends = new Set<string>();
    for (const seed of seeds) {
      const told = await playLarge(seed, true);
      expect({ seed, broken: told.broken }).toEqual({ seed, broken: [] });
      for (const kind of told.trouble) met.add(kind);
      for (const end of Object.keys(told.occurrences)) ends.add(end);
    }
    expect([...met]).toEqual(expect.arrayContaining([...routineTroubleKinds]));
    expect([...ends]).toEqual(
      expect.arrayContaining([
        'fired started',
        'fired steered',
        'fired queued',
        'missed',
        'skipped run_active',
        'skipped paused',
      ]),
    );
  });
});
