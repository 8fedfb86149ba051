// The effect is a fold over what is known (L21): never closed to evidence, whatever the order in which it comes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effects } from '../../../functions/core/records/action.ts';
import { fold } from '../../../functions/core/records/evidence.ts';
import { type History, histories } from '../histories.ts';

const runs = { numRuns: 2_000 };
const known = (
  attempts: History['attempts'],
  ends: History['ends'],
  observations: History['observations'],
): History => ({ attempts, ends, observations });
const first = { attempt: 1, entry: 2 };
const second = { attempt: 2, entry: 5 };
const lost = { attempt: 1, how: 'unknown' } as const;

describe('What one attempt comes to', () => {
  test.each([
    ['nothing was opened', known([], [], []), 'not_sent'],
    ['opened, and nobody has reported', known([first], [], []), 'engaged'],
    ['its end is known, and nothing else (L1)', known([first], [lost], []), 'undetermined'],
    [
      'what proves nothing changes nothing (L1)',
      known([first], [lost], [{ says: 'nothing', about: 1, entry: 4 }]),
      'undetermined',
    ],
    [
      'the destination is still working',
      known([first], [lost], [{ says: 'in_progress', about: 1, entry: 4 }]),
      'in_progress',
    ],
    [
      'a question of the tool counts as in progress',
      known([first], [lost], [{ says: 'asked', about: 1, entry: 4 }]),
      'in_progress',
    ],
    [
      'the destination took it',
      known([first], [lost], [{ says: 'accepts', about: 1, entry: 4 }]),
      'accepted',
    ],
    [
      'disproved',
      known([first], [lost], [{ says: 'disproves', about: 1, entry: 4 }]),
      'not_performed',
    ],
    [
      'confirmed after it was disproved',
      known(
        [first],
        [lost],
        [
          { says: 'disproves', about: 1, entry: 4 },
          { says: 'confirms', about: 'all', entry: 5 },
        ],
      ),
      'confirmed',
    ],
  ])('%s', (_, history, effect) => {
    expect(fold(history).effect).toBe(effect);
  });
});

describe('What several attempts come to', () => {
  test('a disproof of one says nothing of another', () => {
    const disproved = { says: 'disproves', about: 2, entry: 7 } as const;
    const ends = [lost, { attempt: 2, how: 'replied' as const }];
    expect(fold(known([first, second], ends, [disproved])).effect).toBe('undetermined');
  });

  test('"all" speaks of the attempts so far, not of a later one', () => {
    const absent = { says: 'disproves', about: 'all', entry: 4 } as const;
    expect(fold(known([first], [lost], [absent])).effect).toBe('not_performed');
    expect(fold(known([first, second], [lost], [absent])).effect).toBe('engaged');
  });

  test('disproved everywhere and confirmed once is confirmed, and a contradiction', () => {
    const history = known(
      [first],
      [lost],
      [
        { says: 'disproves', about: 'all', entry: 4 },
        { says: 'confirms', about: 'all', entry: 5, reference: 'obj-1' },
      ],
    );
    expect(fold(history)).toMatchObject({
      effect: 'confirmed',
      contradicted: true,
      reference: 'obj-1',
    });
  });
});

describe('For every history', () => {
  test('the fold is total', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(effects).toContain(fold(history).effect);
      }),
      runs,
    );
  });

  test('the order in which observations are read does not matter', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat()), (history, chance) => {
        const shuffled = history.observations
          .map((one) => ({ one, at: chance.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);
        const other = fold({ ...history, observations: shuffled });
        expect(other.effect).toBe(fold(history).effect);
        expect(other.contradicted).toBe(fold(history).contradicted);
      }),
      runs,
    );
  });

  test('a confirmation always wins, whatever was known before', () => {
    fc.assert(
      fc.property(histories, (history) => {
        fc.pre(history.attempts.length > 0);
        const late = { says: 'confirms', about: 'all', entry: 100 } as const;
        const after = fold({ ...history, observations: [...history.observations, late] });
        expect(after.effect).toBe('confirmed');
      }),
      runs,
    );
  });

  test('it is not performed only if every attempt was disproved', () => {
    fc.assert(
      fc.property(histories, (history) => {
        fc.pre(fold(history).effect === 'not_performed');
        for (const { attempt, entry } of history.attempts) {
          const disproofs = history.observations.filter(
            ({ says, about, entry: at }) =>
              says === 'disproves' && (about === attempt || (about === 'all' && at > entry)),
          );
          expect(disproofs.length).toBeGreaterThan(0);
        }
      }),
      runs,
    );
  });

  test('it is settled only by evidence: without a word it is engaged or undetermined (L1)', () => {
    fc.assert(
      fc.property(histories, (history) => {
        fc.pre(history.attempts.length > 0);
        const silent = history.observations.filter(({ says }) => says === 'nothing');
        const { effect } = fold({ ...history, observations: silent });
        expect(['engaged', 'undetermined']).toContain(effect);
      }),
      runs,
    );
  });
});
