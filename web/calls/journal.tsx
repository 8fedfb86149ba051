// An action's journal: authorisations, attempts, their ends, observations and decisions, in the order of their numbers.
import type { ReactNode } from 'react';
import { useAction } from '../api/queries.ts';
import type { Action, JournalView } from '../api/types.ts';
import { settings } from '../base/settings.ts';
import { CopyMenu } from '../copying/copy.tsx';
import type { Thing } from '../copying/thing-kinds.ts';
import { useAnchor } from '../parts/anchor.ts';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { absoluteIn, Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { type AllWords, useLater } from '../words/later.ts';
import { writerOf } from '../words/writer.ts';

interface Line {
  readonly entry: number;
  readonly at: string;
  readonly what: string;
  /** The person or part of the system that wrote it. */
  readonly by?: string | undefined;
  readonly says?: string | undefined;
  readonly details: readonly (readonly [string, string])[];
  /** The entry itself, where it has an id. */
  readonly is?: { readonly id: string; readonly thing: Thing };
}

const present = (
  ...pairs: readonly (readonly [string, string | number | undefined])[]
): readonly (readonly [string, string])[] =>
  pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));

/** As the dates beside it. */
const dateIn = (at: number): string => {
  const { language, times } = settings.get();
  return absoluteIn(language, at, times === 'utc');
};

const fromObservation = (seen: JournalView['observations'][number], words: AllWords): Line => ({
  entry: seen.entry,
  at: seen.at,
  what: `${words.sources[seen.source]}${words.colon}${words.says[seen.says]}`,
  by: writerOf(seen, words),
  says: seen.because,
  details: present(
    [words.call.account, `${seen.account} · ${seen.environment}`],
    [words.call.covered, seen.coverage],
    [words.call.seenAt, seen.reference],
    ['HTTP', seen.status],
  ),
  is: { id: seen.observationId, thing: { kind: 'observation', of: seen } },
});

const fromDecision = (decision: JournalView['decisions'][number], words: AllWords): Line => ({
  entry: decision.entry,
  at: decision.at,
  what: words.decisions[decision.kind],
  by: decision.by.name,
  says: decision.reason ?? decision.evidence?.what,
  details: present(
    [words.recovery.where, decision.evidence?.where],
    [words.recovery.coverage, decision.evidence?.coverage],
  ),
  is: { id: decision.decisionId, thing: { kind: 'decision', of: decision } },
});

const fromAttempt = (of: JournalView['attempts'][number], words: AllWords): Line => ({
  entry: of.entry,
  at: of.engagedAt,
  what: `${words.call.attempt(of.attempt)}${words.colon}${words.call.engaged}`,
  details: present([words.call.deadline, dateIn(of.deadlineAtMs)]),
  is: { id: of.attemptId, thing: { kind: 'attempt', of } },
});

/** The first entry of every journal. */
const planned = ({ plannedAt }: Action, words: AllWords): Line => ({
  entry: 1,
  at: plannedAt,
  what: words.call.planned,
  says: undefined,
  details: [],
});

export const linesOf = (action: Action, journal: JournalView, words: AllWords): readonly Line[] =>
  [
    planned(action, words),
    ...journal.authorisations.map(({ entry, at, by, author, attempt, authorisation }) => ({
      entry,
      at,
      what: `${words.call.attempt(attempt)}${words.colon}${words.call.authorised[authorisation.by]}`,
      by: writerOf({ author, by }, words),
      says: authorisation.by === 'verdict' ? authorisation.because : undefined,
      details: [],
    })),
    ...journal.attempts.map((of) => fromAttempt(of, words)),
    ...journal.ends.map(({ entry, at, attempt, how, milestone, milestoneIs, because }) => ({
      entry,
      at,
      what: `${words.call.attempt(attempt)}${words.colon}${words.ends[how]}`,
      says: because,
      details: present([
        words.desk.reached,
        words.desk.reachedIs[milestoneIs](words.milestones[milestone]),
      ]),
    })),
    ...journal.observations.map((seen) => fromObservation(seen, words)),
    ...journal.decisions.map((decision) => fromDecision(decision, words)),
  ].toSorted((a, b) => a.entry - b.entry);

const LineView = ({ line }: { readonly line: Line }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const anchor = useAnchor<HTMLLIElement>(line.is?.id ?? `entry/${line.entry}`);
  return (
    <li value={line.entry} {...anchor}>
      <p>
        <strong>{line.what}</strong>{' '}
        {line.by === undefined ? null : (
          <span className="hint">
            {words.by('')}
            <Plain text={line.by} />
          </span>
        )}{' '}
        <Time at={line.at} exact />{' '}
        {line.is === undefined ? null : <CopyMenu compact {...line.is} />}
      </p>
      {line.says === undefined ? null : (
        <p>
          <Plain text={words.said(line.says)} />
        </p>
      )}
      {line.details.map(([name, value]) => (
        <p key={name} className="hint">
          {name}
          {words.colon}
          <Plain text={value} />
        </p>
      ))}
    </li>
  );
};

export const Journal = ({
  action,
  journal,
}: {
  readonly action: Action;
  readonly journal: JournalView;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const lines = linesOf(action, journal, words);
  return (
    <ol className="journal">
      {lines.map((line) => (
        <LineView key={`${line.entry}:${line.what}`} line={line} />
      ))}
    </ol>
  );
};

export const JournalOf = ({ actionId }: { readonly actionId: string }): ReactNode => (
  <Loaded asked={useAction(actionId)}>
    {({ action, journal }) => <Journal action={action} journal={journal} />}
  </Loaded>
);
