// One test for all worlds of a contract: no law is broken in any, and the worlds are as many and as different as they should be.
import { expect, test } from 'vitest';
import { crashPoints } from '../../functions/core/base/crash-points.ts';
import type { ContractKind } from './contracts.ts';
import type { Small } from './small.ts';
import { playContract, type Tally } from './small-worlds.ts';

/** A lot of worlds in one test; alone it takes seconds. */
const timeLimitMs = 180_000;

/** What each contract must be seen to come to; a world that never differs proves nothing. */
const endsOf: { readonly [Kind in ContractKind]: readonly string[] } = {
  none: ['accepted 1', 'undetermined 1', 'undetermined 0', 'not_performed 0', 'undetermined 2'],
  http: ['confirmed 1', 'accepted 1', 'undetermined 1', 'undetermined 0', 'not_performed 0'],
  key: ['confirmed 1', 'not_performed 0', 'undetermined 1'],
  'key unverified': ['confirmed 1', 'not_performed 0', 'undetermined 1', 'undetermined 0'],
  'look-up complete': ['confirmed 1', 'not_performed 0'],
  'look-up incomplete': ['confirmed 1', 'not_performed 0', 'undetermined 1', 'undetermined 0'],
  'look-up natural': ['confirmed 1', 'not_performed 0', 'undetermined 1', 'undetermined 0'],
  'key and look-up': ['confirmed 1', 'not_performed 0'],
};

const expectWide = (tally: Tally, contract: ContractKind): void => {
  // Routines begin no world here: their crash points have real processes of their own.
  const points = crashPoints.filter((point) => !point.startsWith('fire.'));
  expect([...tally.crashed].toSorted()).toEqual(points.toSorted());
  expect([...tally.ends]).toEqual(expect.arrayContaining([...endsOf[contract]]));
  expect(tally.worlds).toBeGreaterThan(500);
};

export const smallTests = (contract: ContractKind, gate?: NonNullable<Small['gate']>): void => {
  const whose = gate === undefined ? contract : `${contract}, ${gate}`;
  test(
    `contract ${whose}: no law is broken, whatever dies, answers, is decided or is taken back`,
    async () => {
      const tally = await playContract(contract, gate);
      expect(Object.fromEntries(tally.broken)).toEqual({});
      if (gate === 'refused') expect([...tally.ends]).toEqual(['not_sent 0']);
      else expectWide(tally, contract);
      if (contract === 'none' && gate !== 'refused')
        expect([...tally.decided]).toEqual(
          expect.arrayContaining(['reissue: done', 'wait: done', 'repeat: refused: no_key']),
        );
      if (contract === 'key') expect([...tally.decided]).toContain('repeat: done');
    },
    timeLimitMs,
  );
};
