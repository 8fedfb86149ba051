// The words of long lists, in English.
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

export const lists = {
  nowhere: {
    title: 'There is nothing at this address',
    hint: 'It may be mistyped, or cut short where it was copied.',
  },
  narrow: 'Narrow the list',
  kind: 'Kind',
  agent: 'Agent',
  tool: 'Tool',
  state: 'State',
  age: 'Age',
  ages: {
    '': 'Any',
    '3600000': 'Over an hour',
    '86400000': 'Over a day',
    '604800000': 'Over a week',
  },
  more: 'Show more',
  noneFits: 'Nothing fits.',
  showAll: 'Show all',
  fresh: (count: number) => plural(count, { one: '# new action', other: '# new actions' }),
  oldest: (count: number) =>
    plural(count, { one: 'The oldest', other: 'The # oldest; more follow' }),
  atLeast: (count: number) =>
    plural(count, { one: 'More than # request', other: 'More than # requests' }),
};
