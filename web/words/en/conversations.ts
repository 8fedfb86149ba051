// The words of the list of conversations, and of beginning one, in English.
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

export const conversations = {
  title: 'Conversations',
  new: 'New conversation',
  search: 'Search',
  searchLabel: 'Search conversations',
  searched: 'Titles, ids, agents’ names, what people said and what agents answered are searched.',
  answered: (text: string) => `Agent: ${text}`,
  searchedFrom: (day: string) => `Searched back to ${day}.`,
  searchFurther: 'Search further back',
  searching: 'Searching…',
  found: (count: number) => plural(count, { one: '# found', other: '# found' }),
  noneFound: 'Nothing was found.',
  lookedTo: (day: string) => `Looked back to ${day}.`,
  lookFurther: 'Look further back',
  only: 'Show only those of',
  allAgents: 'All agents',
  filterLabel: 'Show',
  filters: { all: 'All', needsYou: 'Needs you', unread: 'Finished while away', working: 'Working' },
  needsYou: (count: number) => plural(count, { one: 'needs you', other: 'needs you (#)' }),
  away: 'finished while you were away',
  empty: 'No conversation yet.',
  emptyHint: 'Begin one: choose an agent and say what is to be done.',
  noneFits: 'No conversation fits.',
  ordered: 'Newest begun first; dated by what last happened.',
  untitled: 'Untitled',
  working: 'working',
  more: 'Show older conversations',
  begin: 'Begin',
  agent: 'Agent',
  firstMessage: 'What is to be done?',
  noAgents: 'There is no agent yet. An admin makes one with POST /v1/agents.',
  shown: (count: number) => plural(count, { one: '# conversation', other: '# conversations' }),
  fresh: (count: number) =>
    plural(count, { one: '# new conversation', other: '# new conversations' }),
};
