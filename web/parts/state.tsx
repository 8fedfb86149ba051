// States in words and icon: an action's effect and disposition, a run's status. Colour only supports them.
import type { ReactNode } from 'react';
import { unsentEndOf } from '../../functions/core/records/unsent-end.ts';
import type { Action, RunEnd, RunState } from '../api/types.ts';
import type { Words } from '../words/index.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'calm' | 'busy' | 'ask' | 'bad' | 'off';

export interface Shown {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly word: string;
  readonly means: string;
}

const effectLook: { readonly [E in Action['effect']]: readonly [IconName, Tone] } = {
  not_sent: ['dots', 'off'],
  engaged: ['send', 'busy'],
  in_progress: ['clock', 'busy'],
  undetermined: ['question', 'ask'],
  accepted: ['check', 'calm'],
  confirmed: ['check', 'good'],
  not_performed: ['cross', 'bad'],
};

/** What is known of an effect, where only that is at hand. */
export const effectShown = (
  { effect, contradicted }: Pick<Action, 'effect' | 'contradicted'>,
  words: Words,
): Shown => {
  const [icon, tone] = effectLook[effect];
  return contradicted
    ? { icon: 'question', tone: 'ask', word: words.contradicted, means: words.contradictedMeans }
    : { icon, tone, word: words.effects[effect], means: words.effectMeans[effect] };
};

/** How an action stands, in the one word that matters most to somebody who looks at it. */
export const actionShown = (action: Action, words: Words): Shown => {
  const { effect, disposition, contradicted } = action;
  if (contradicted)
    return {
      icon: 'question',
      tone: 'ask',
      word: words.contradicted,
      means: words.contradictedMeans,
    };
  const means = words.effectMeans[effect];
  if (disposition.kind === 'refused' || disposition.kind === 'stopped')
    return {
      icon: disposition.kind === 'refused' ? 'cross' : 'stop',
      tone: 'off',
      word: words.dispositions[disposition.kind],
      means: disposition.because,
    };
  const end = unsentEndOf(action);
  if (end !== undefined)
    return {
      icon: end === 'answered' ? 'check' : 'cross',
      tone: end === 'answered' ? 'calm' : 'off',
      word: words.unsentEnds[end],
      means: words.nothingSent,
    };
  if (effect === 'not_sent' && action.requestId !== undefined && action.told === undefined)
    return { icon: 'hand', tone: 'ask', word: words.waitingForPerson, means };
  const [icon, tone] = effectLook[effect];
  const left = disposition.kind === 'open' ? '' : `, ${words.dispositions[disposition.kind]}`;
  return { icon, tone, word: `${words.effects[effect]}${left}`, means };
};

export const Badge = ({ shown }: { readonly shown: Shown }): ReactNode => (
  <span className="badge" data-tone={shown.tone} title={shown.means}>
    <Icon name={shown.icon} />
    {shown.word}
  </span>
);

/** An end without a whole answer asks for a person. */
const ends: { readonly [End in RunEnd]?: readonly [IconName, Tone] } = {
  done: ['check', 'good'],
  stopped: ['stop', 'off'],
  failed: ['cross', 'bad'],
};

export const runShown = (state: RunState, words: Words): Shown => {
  switch (state.status) {
    case 'running':
      return { icon: 'dots', tone: 'busy', word: words.runStatus.running, means: '' };
    case 'waiting':
      return { icon: 'hand', tone: 'ask', word: words.runStatus.waiting, means: '' };
    case 'stopping':
      return { icon: 'stop', tone: 'busy', word: words.runStatus.stopping, means: '' };
    case 'finished': {
      const [icon, tone] = ends[state.reason] ?? (['pause', 'ask'] as const);
      return {
        icon,
        tone,
        word: words.runEnds[state.reason],
        means: state.detail,
      };
    }
  }
};
