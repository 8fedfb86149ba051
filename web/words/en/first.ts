// The page's words in English, and by their type the list that every other language must have.

import { pluralIn } from '../../base/plural.ts';
import { domain } from './domain.ts';
import { screens } from './screens.ts';
import { signIn } from './sign-in.ts';

const plural = pluralIn('en');

export const en = {
  language: 'English',
  ...domain,
  ...screens,
  /** A sentence that Reprise stored, as this language shows it. */
  said: (text: string): string => text,
  skip: 'Skip to content',
  nav: {
    label: 'Main',
    conversations: 'Conversations',
    inbox: 'Inbox',
    desk: 'Recovery desk',
    routines: 'Routines',
    agents: 'Agents',
    tools: 'Tools',
    skills: 'Skills',
    overview: 'Overview',
    audit: 'Audit',
    settings: 'Settings',
  },
  signIn,
  /** Opens the list of keys. */
  openKeys: 'Shortcuts',
  copy: {
    id: 'Copy id',
    link: 'Copy link',
    json: 'Copy JSON',
    markdown: 'Copy Markdown',
    curl: 'Copy curl',
    text: 'Copy',
    done: 'Copied',
    failed: 'The browser refused to copy',
    menu: (what: string) => `Copy ${what} as…`,
  },
  problem: {
    unreachable: 'The server cannot be reached.',
    unreachableHint: 'The page asks again by itself.',
    noAnswer: 'no answer came. It is not known whether this arrived.',
    onceHint: 'It is not sent again by itself. Press the same button again: it counts once.',
    lost: 'Connection lost; trying on.',
    datesFrom: 'What is shown dates from',
    comesLater: 'This comes when the connection is back.',
    retry: 'Try again',
    notFound: 'There is nothing here, or you may not see it.',
    title: 'This did not work',
    part: 'This part of the page could not be loaded or shown.',
    reload: 'Load the page again',
  },
  loading: 'Loading…',
  cancel: 'Cancel',
  sending: 'Sending…',
  save: 'Save',
  more: 'Show more',
  all: 'All',
  none: 'None',
  unknown: 'Not known',
  elapsed: (length: string) => `for ${length}`,
  colon: ': ',
  by: (name: string) => `by ${name}`,
  bytes: (count: number) => plural(count, { one: '# byte', other: '# bytes' }),
  steps: (count: number) => plural(count, { one: '# step', other: '# steps' }),
  attempts: (count: number) => plural(count, { one: '# attempt', other: '# attempts' }),
};

export type Words = typeof en;
