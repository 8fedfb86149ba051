// Every small world of a routine: delivered or not, whatever its rules are, whatever a person does, and whichever process dies
// before or after whichever write. Laws: L19, L11, L17.
import { describe, expect, test } from 'vitest';
import { deeds, deliveries, type SmallRoutine } from './routine-choices.ts';
import { playRoutine } from './small-routines.ts';

const overlaps = ['skip', 'steer', 'queue'] as const;
const places = ['own', 'fixed'] as const;
const calm = { missed: 'one', deed: 'nothing', death: undefined } as const;

interface Tally {
  readonly broken: Record<string, string>;
  /** What became of an occurrence in some world. */
  readonly ends: Set<string>;
  deaths: number;
}

const play = async (tally: Tally, small: SmallRoutine): Promise<boolean> => {
  const { broken, story, died } = await playRoutine(small);
  for (const law of broken) tally.broken[law] ??= `${JSON.stringify(small)}: ${story.join('; ')}`;
  for (const end of story) tally.ends.add(end.replace(/^\d+ /, ''));
  if (died) tally.deaths += 1;
  return died;
};

/** Every process dies at every write in turn, until no world makes so many. */
const playDeaths = async (tally: Tally, small: SmallRoutine): Promise<void> => {
  for (let call = 1; ; call += 1)
    for (const when of ['before', 'after'] as const)
      if (!(await play(tally, { ...small, death: { call, when } }))) return;
};

const emptyTally = (): Tally => ({ broken: {}, ends: new Set(), deaths: 0 });

describe('All small worlds of a routine', () => {
  test('delivered, late or not at all, by every rule: each time that was due has one record', async () => {
    const tally = emptyTally();
    for (const delivery of deliveries)
      for (const overlap of overlaps)
        for (const missed of ['skip', 'one'] as const)
          for (const place of places)
            await play(tally, { ...calm, delivery, overlap, missed, place });
    expect(tally.broken).toEqual({});
    expect([...tally.ends].toSorted()).toEqual([
      'fired queued',
      'fired started',
      'fired steered',
      'missed',
      'skipped run_active',
    ]);
  });

  test.each(['never', 'once', 'twice at once'] as const)(
    'delivered %s, and a process dies at any write: the sweep leaves nothing without its record',
    async (delivery) => {
      const tally = emptyTally();
      for (const overlap of overlaps)
        for (const place of places) await playDeaths(tally, { ...calm, delivery, overlap, place });
      expect(tally.broken).toEqual({});
      expect(tally.deaths).toBeGreaterThan(70);
    },
  );

  test('paused, resumed, run now, deleted or changed, and a process dies at any write', async () => {
    const tally = emptyTally();
    for (const deed of deeds.slice(1))
      for (const [overlap, place] of [
        ['skip', 'fixed'],
        ['queue', 'fixed'],
        ['steer', 'own'],
      ] as const) {
        const small = { ...calm, delivery: 'once', overlap, place, deed } as const;
        await play(tally, small);
        await play(tally, { ...small, delivery: 'never' });
        await playDeaths(tally, small);
      }
    expect(tally.broken).toEqual({});
    for (const end of ['paused', 'deleted', 'not_due'])
      expect(tally.ends).toContain(`skipped ${end}`);
    expect(tally.ends).toContain('now fired queued');
    expect(tally.deaths).toBeGreaterThan(100);
  });
});
