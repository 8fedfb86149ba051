// The words of the recovery desk, in English.
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

export const desk = {
  title: 'Recovery desk',
  hint: 'Actions whose outcome is not known, oldest first.',
  empty: 'Nothing has to be recovered.',
  emptyAside: 'Nothing is set aside.',
  count: (count: number) => plural(count, { one: '# action', other: '# actions' }),
  moreThan: (count: number) =>
    plural(count, { one: 'More than # action', other: 'More than # actions' }),
  atLeast: (count: number) =>
    plural(count, { one: 'At least # action', other: 'At least # actions' }),
  /** After how many there are. */
  unknown: (count: number) => plural(count, { one: ', # undetermined', other: ', # undetermined' }),
  part: 'Part',
  parts: { open: 'Open', aside: 'Set aside' },
  tool: 'Tool',
  owner: 'Held by',
  owners: { any: 'Anybody or nobody', me: 'Me', none: 'Nobody' },
  since: 'First attempt',
  needsPerson: 'needs a person',
  looking: 'the system looks',
  waitsUntil: 'waits until',
  holder: (name: string) => `held by ${name}, lapses`,
  inCharge: (name: string) => `in charge: ${name}`,
  nobody: 'nobody',
  nextCheck: 'Next check',
  csv: 'Download CSV',
  sheet: 'Recovery sheet',
  observed: 'observed',
  supposed: 'supposed',
  mixed: 'partly observed, partly supposed',
  since2: 'since',
  missing: 'Missing',
  export: 'Export',
  markdown: 'Markdown',
  html: 'HTML',
  json: 'JSON',
  print: 'Print',
  observe: 'Add what you found, without deciding',
  observeHint:
    'Needs no claim. It is dated, kept and shown at once. It settles nothing: whoever has the claim decides on it.',
  shows: 'What does it show?',
  says: {
    confirms: 'It happened',
    disproves: 'It did not happen',
    nothing: 'It proves neither',
  },
  add: 'Add the evidence',
  look: 'Look it up now',
  lookHint: 'The system asks the destination, by contract.',
  lookYourself: 'The contract declares no look-up: nobody but a person can look.',
  looked: 'A look-up is on its way.',
  reached: 'How far it got',
  reachedIs: {
    observed: (milestone: string) => `${milestone}, as was observed`,
    supposed: (milestone: string) => `${milestone}, as far as is known: nothing shows it`,
  },
  /** The parts of the system that write into a journal, by the names that are stored. */
  writers: {
    perform: 'Reprise, when it sent the call',
    verify: 'Reprise, when it checked the outcome',
  },
};
