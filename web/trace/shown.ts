// How executions, entries and states look: icon and word, which colour only supports.
import type { IconName } from '../parts/icon.tsx';
import type { Shown, Tone } from '../parts/state.tsx';
import type { LaterWords } from '../words/later.ts';
import type { EntryStatus, Mark, Marked } from './entries.ts';

const looks: { readonly [S in EntryStatus]: readonly [IconName, Tone] } = {
  running: ['dots', 'busy'],
  waiting: ['clock', 'ask'],
  retrying: ['routine', 'ask'],
  succeeded: ['check', 'good'],
  caught: ['hand', 'ask'],
  failed: ['cross', 'bad'],
  stopped: ['stop', 'off'],
};

export const entryShown = (status: EntryStatus, later: LaterWords): Shown => {
  const [icon, tone] = looks[status];
  return { icon, tone, word: later.trace.entries[status], means: '' };
};

const markLooks: { readonly [M in Mark]: readonly [IconName, Tone] } = {
  here: ['right', 'busy'],
  failed: ['cross', 'bad'],
  stopped: ['stop', 'off'],
  caught: ['hand', 'ask'],
  passed: ['check', 'good'],
  unreached: ['dots', 'off'],
};

export const unreached: Marked = { mark: 'unreached', count: 0, retries: 0, open: 0 };

/** With how often it was entered, when that is more than once. */
export const markShown = ({ mark, count }: Marked, later: LaterWords): Shown => {
  const [icon, tone] = markLooks[mark];
  const word = later.trace.marks[mark];
  return { icon, tone, word: count > 1 ? `${word} ×${count}` : word, means: '' };
};

const executionLooks = {
  RUNNING: ['dots', 'busy'],
  SUCCEEDED: ['check', 'good'],
  FAILED: ['cross', 'bad'],
  TIMED_OUT: ['clock', 'bad'],
  ABORTED: ['stop', 'off'],
  PENDING_REDRIVE: ['routine', 'ask'],
} as const satisfies { readonly [status: string]: readonly [IconName, Tone] };

const isKnown = (status: string): status is keyof typeof executionLooks =>
  Object.hasOwn(executionLooks, status);

export const executionShown = (status: string, later: LaterWords): Shown => {
  if (!isKnown(status)) return { icon: 'question', tone: 'off', word: status, means: '' };
  const [icon, tone] = executionLooks[status];
  return { icon, tone, word: later.trace.status[status], means: '' };
};
