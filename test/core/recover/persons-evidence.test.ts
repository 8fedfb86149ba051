// What a person's word must tell to count as evidence, in both languages; and that what counted once is read for ever.
import { describe, expect, test } from 'vitest';
import { PersonsEvidence, StoredEvidence } from '../../../functions/core/records/evidence.ts';

const evidence = (coverage: string) => ({
  what: 'A mail to marta with this text',
  where: 'The mailbox of marta',
  when: '2026-11-30T09:00:00Z',
  coverage,
});

describe('coverage that tells nothing is refused, and is still read where it is stored', () => {
  test.each([
    'all of it',
    'All of it.',
    'everything',
    'all',
    'the whole',
    'entirely',
    'everything, everywhere',
    'tout',
    'la totalité',
    'Tout, partout',
    'l’ensemble',
    'tout cela, entièrement',
  ])('%s', (coverage) => {
    expect(PersonsEvidence.safeParse(evidence(coverage)).success).toBe(false);
    expect(StoredEvidence.safeParse(evidence(coverage)).success).toBe(true);
  });
});

test.each([
  'All mails of today.',
  'all 12 pages',
  'The whole outbox of the account',
  'tous les courriels du jour',
])('coverage that names what was searched counts: %s', (coverage) => {
  expect(PersonsEvidence.safeParse(evidence(coverage)).success).toBe(true);
});

test('a plain sentence on what was seen counts; an assurance does not', () => {
  const seen = (what: string) => ({ ...evidence('The outbox of today'), what });
  expect(PersonsEvidence.safeParse(seen('It is there.')).success).toBe(true);
  expect(PersonsEvidence.safeParse(seen('Checked, done.')).success).toBe(false);
});
