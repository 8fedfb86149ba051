// How a contract was verified, as the trials write it into the contract, in French. Owns: those words. Pure; names of trials
// stay as they were stored.
// Tested in test/core/french/said.test.ts.
const numbers: Readonly<Record<string, string>> = {
  none: 'aucun',
  one: 'un',
  two: 'deux',
  three: 'trois',
  four: 'quatre',
  five: 'cinq',
  six: 'six',
  seven: 'sept',
};
const verdicts: Readonly<Record<string, string>> = {
  passed: 'réussi(s)',
  failed: 'en échec',
  'not run': 'non fait(s)',
  'not applicable': 'sans objet',
  'not decidable with this contract': 'indécidable(s) avec ce contrat',
};

/** What came of the trials, in short. */
export const trialsFr = (came: string): string =>
  came
    .replace(/^all passed/, 'tous réussis')
    .replace('claims and parts not decidable:', 'affirmations et parties indécidables\u00a0:')
    .replace('claims and parts not run:', 'affirmations et parties non éprouvées\u00a0:')
    .replaceAll(
      /\b(none|one|two|three|four|five|six|seven) (passed|failed|not run|not applicable|not decidable with this contract)(:?)/g,
      (_, count: string, verdict: string, colon: string) =>
        `${numbers[count]} ${verdicts[verdict]}${colon === '' ? '' : '\u00a0:'}`,
    );
