// Evidence from outside, without a decision: what a person saw, or another program reported late.
// Owns: what may be added when, and the change that adds it. It needs no claim: evidence is never refused for who holds what.
// Laws: L3 (nothing disproves an attempt that may still be running), L4, L10 (fresh observations), L21.

import type { Author } from './conversation.ts';
import type { Forbidden } from './desk.ts';
import { whileRunning } from './desk.ts';
import type { PersonsEvidence } from './evidence.ts';
import type { Settling } from './learnt.ts';
import { type Settled, settle } from './settle.ts';

export const observedSays = ['confirms', 'disproves', 'nothing'] as const;

export interface Observing extends Omit<Settling, 'finding' | 'by'> {
  readonly evidence: PersonsEvidence;
  readonly says: (typeof observedSays)[number];
  readonly author: Author;
  readonly nowMs: number;
}

export type ObserveOutcome =
  | ({ readonly kind: 'change' } & Pick<Settled, 'change' | 'action' | 'observation'>)
  | { readonly kind: 'refused'; readonly forbidden: Forbidden };

/** An instant as people read it: nobody saw something to the millisecond. */
const readable = (when: string): string =>
  when.replace(
    /^([\d-]+)T(\d\d:\d\d)(?::00|(:\d\d))?(?:\.\d+)?Z$/,
    (_all, day: string, time: string, seconds = '') => `${day} ${time}${seconds} UTC`,
  );

/** What was seen, where and when, in one sentence: the observation's own date is when it was added. */
export const becauseOf = ({ what, where, when: at }: PersonsEvidence): string => {
  const when = readable(at);
  return `${what}${/[.!?…]$/.test(what) ? '' : '.'} Seen at ${where}, ${when}.`;
};

const refusalOf = ({ action, says, nowMs }: Observing): Forbidden | undefined => {
  const { item } = action;
  if (item.attempts === 0) return { because: 'nothing_sent', fact: item.effect };
  return says === 'disproves' ? whileRunning({ action: item, nowMs }) : undefined;
};

export const observe = (observing: Observing): ObserveOutcome => {
  const forbidden = refusalOf(observing);
  if (forbidden) return { kind: 'refused', forbidden };
  const { evidence, says, author } = observing;
  const settled = settle({
    ...observing,
    by: author.subject,
    finding: {
      about: 'all',
      says,
      source: author.kind === 'person' ? 'person' : 'webhook',
      author,
      because: becauseOf(evidence),
      coverage: evidence.coverage,
      ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
    },
  });
  return { kind: 'change', ...settled };
};
