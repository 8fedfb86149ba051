// Evidence from outside, without a decision: what a person saw, or another program reported late.
// Owns: what may be added when, and the change that adds it. It needs no claim: evidence is never refused for who holds what. What
// a person says is shown at once and settles nothing; what a reporting program says settles as the machine's own look would.
// Laws: L3 (nothing disproves an attempt that may still be running), L4, L10 (a word counts with a decision), L21.
// Tested in test/functions/api/desk/desk.test.ts.

import type { Author } from '../base/author.ts';
import { openForPerson } from '../pausing/recovery.ts';
import { type Finding, learn, type Settled, type Settling, settle } from '../perform/settle.ts';
import { type Action, isSettled } from '../records/action.ts';
import { contradictionEvents } from '../records/effect-events.ts';
import { fold, type PersonsEvidence } from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import { type Forbidden, whileRunning } from './desk.ts';

export const observedSays = ['confirms', 'disproves', 'nothing'] as const;

export interface Observing extends Omit<Settling, 'finding' | 'by'> {
  readonly evidence: PersonsEvidence;
  readonly says: (typeof observedSays)[number];
  readonly author: Author;
  /** A program that may report: its word is a machine's. Anybody else's is a person's, and waits for a decision. */
  readonly reports: boolean;
  readonly nowMs: number;
}

type Added = Pick<Settled, 'change' | 'action' | 'observation'>;

export type ObserveOutcome =
  | ({ readonly kind: 'change' } & Added)
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

const findingOf = ({ evidence, says, author, reports }: Observing): Finding => ({
  about: 'all',
  says,
  source: author.kind === 'person' ? 'person' : 'webhook',
  author,
  because: becauseOf(evidence),
  coverage: evidence.coverage,
  ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
  ...(reports ? {} : { uncounted: true as const }),
});

/** It disagrees with what is settled, or says how something that a person set aside has ended: somebody has to decide on it. */
const callsPerson = (before: Action, after: Action, says: Observing['says']): boolean => {
  if (after.contradicted && !before.contradicted) return true;
  return before.disposition.kind !== 'open' && !isSettled(before.effect) && says !== 'nothing';
};

/** A person's word: it stands in the journal, whose head it raises, and moves neither effect nor recovery nor claim. */
const word = (observing: Observing): Added => {
  const { action: before, says, recovery, nowIso } = observing;
  const finding = findingOf(observing);
  const { observations, puts, known, entry } = learn({
    ...observing,
    finding,
    by: observing.author.subject,
  });
  const contradicted = before.item.contradicted || fold(known).contradicted;
  const heard: Action = { ...before.item, head: entry, contradicted };
  const open = recovery !== undefined && recovery.item.decision === undefined;
  const opened =
    !open && before.item.engaged === undefined && callsPerson(before.item, heard, says)
      ? openForPerson(observing.contract, heard, {
          requestId: observing.requestId,
          because: finding.because,
          nowIso,
        })
      : { action: heard, writes: [], events: [] };
  const { action } = opened;
  return {
    action,
    observation: observations[0],
    change: {
      conversation: observing.conversation,
      conversationNext: remembered(observing.conversation.item, before.item, action),
      events: [...contradictionEvents(before.item, heard), ...opened.events],
      writes: [
        ...puts.map((item) => ({ do: 'put' as const, kind: 'observation' as const, item })),
        { do: 'replace', kind: 'action', item: action, rev: before.rev },
        ...opened.writes,
      ],
    },
  };
};

export const observe = (observing: Observing): ObserveOutcome => {
  const forbidden = refusalOf(observing);
  if (forbidden) return { kind: 'refused', forbidden };
  if (!observing.reports) return { kind: 'change', ...word(observing) };
  const { author } = observing;
  const settled = settle({ ...observing, by: author.subject, finding: findingOf(observing) });
  return { kind: 'change', ...settled };
};
