// The words of the overview, in English.
import { pluralIn } from './plural.ts';

const plural = pluralIn('en');

export const overview = {
  title: 'Overview',
  period: 'Period',
  days: (count: number) => `${count} days`,
  range: (from: string, to: string, zone: string) => `${from} to ${to}, days of ${zone}.`,
  cutRuns: (from: string) =>
    `There were more runs than one answer counts: these are all since ${from}, and none before.`,
  cutClosed: (from: string) => `Answered requests are counted since ${from}.`,
  cutOpen: 'There are more open requests than were counted: these are the oldest.',
  cutUnknown: 'There is more on the desk than was counted: this is the oldest.',
  runs: 'Runs, by why they ended',
  runsHint: 'Runs that started in the period; those in progress by how they stand now.',
  byDay: 'Runs, by the day they started',
  byAgent: 'Runs, by agent',
  noRuns: 'No run started in this period.',
  noRunsHint: 'A message to an agent starts one; from the command line:',
  state: 'State',
  count: 'Runs',
  day: 'Day',
  agent: 'Agent',
  tool: 'Tool',
  total: 'Total',
  waitingNow: 'Waiting for people now',
  noWaiting: 'Nobody is waited for.',
  answered: 'Answered in the period, by how long they had waited',
  noAnswered: 'No request was answered in this period.',
  kind: 'Kind',
  requests: 'Requests',
  median: 'Half waited at most',
  ninth: 'Nine in ten waited at most',
  longest: 'Longest',
  expired: 'Expired',
  voided: 'No longer needed',
  toInbox: 'To the inbox',
  unknown: 'Undetermined actions, by tool and age',
  noUnknown: 'No action is undetermined.',
  ages: {
    underHour: 'Under an hour',
    underDay: 'Under a day',
    underWeek: 'Under a week',
    older: 'A week and older',
  },
  oldest: 'Oldest since',
  aside: (count: number) =>
    plural(count, {
      one: '# more was abandoned or reissued, and is still not known.',
      other: '# more were abandoned or reissued, and are still not known.',
    }),
  toDesk: 'To the recovery desk',
  cost: 'Cost, by agent',
  costByDay: 'Cost, by day',
  amount: 'Cost',
  tokensIn: 'Tokens read',
  tokensOut: 'Tokens written',
  noPrice: 'no price table',
  unpriced:
    'Without a price table only tokens are counted. An agent gets one with its next revision:',
  noCost: 'No model was used in this period.',
};
