// What a screen says instead of its content: loading, a refusal in the server's words with each field that is wrong, nothing
// there yet.
import type { ReactNode } from 'react';
import { Problem } from '../api/client.ts';
import { lostSince } from '../api/connection.ts';
import { useStore } from '../base/store.ts';
import { useWords } from '../words/index.tsx';
import { Plain } from './plain-text.tsx';
import { Clock } from './time.tsx';

export const Loading = (): ReactNode => {
  const { loading, problem } = useWords();
  const since = useStore(lostSince);
  return (
    <p className="note" role="status">
      {since === undefined ? loading : problem.comesLater}
    </p>
  );
};

/** For the whole page: no answer comes, and from when all of it is. Goes by itself. */
export const LostNote = (): ReactNode => {
  const { problem } = useWords();
  const since = useStore(lostSince);
  return since === undefined ? null : (
    <p className="lost problem" role="status">
      <span>
        <strong>{problem.lost}</strong> {problem.datesFrom} <Clock at={since} />.
      </span>
    </p>
  );
};

const wordsFor = (cause: unknown, words: ReturnType<typeof useWords>): string => {
  if (!(cause instanceof Problem)) return cause instanceof Error ? cause.message : words.unknown;
  if (cause.status === 0)
    return cause.members.write === true ? words.problem.noAnswer : words.problem.unreachable;
  if (cause.status === 404) return words.problem.notFound;
  return cause.message;
};

/** A field's path as the API names it → its label on the page; one that is not named shows its path. */
export type FieldNames = Readonly<Record<string, string>>;

const FieldErrors = ({
  errors,
  names,
}: {
  readonly errors: NonNullable<Problem['errors']>;
  readonly names: FieldNames;
}): ReactNode => (
  <ul>
    {errors.map(({ field, reason }) => (
      <li key={`${field}:${reason}`}>
        {field === '' ? null : names[field] === undefined ? (
          <code>{field}</code>
        ) : (
          <strong>{names[field]}</strong>
        )}{' '}
        <Plain text={reason} />
      </li>
    ))}
  </ul>
);

export const ProblemNote = ({
  cause,
  again,
  names = {},
}: {
  readonly cause: unknown;
  readonly again?: (() => void) | undefined;
  readonly names?: FieldNames;
}): ReactNode => {
  const words = useWords();
  const unreached = cause instanceof Problem && cause.status === 0;
  const errors = cause instanceof Problem ? cause.errors : [];
  return (
    <div className="note problem" role="alert">
      <p>
        <strong>{(cause instanceof Problem && cause.title) || words.problem.title}</strong>
        {errors.length === 0 ? words.colon + wordsFor(cause, words) : null}
      </p>
      {errors.length === 0 ? null : <FieldErrors errors={errors} names={names} />}
      {unreached ? (
        <p>
          {cause.members.write === true ? words.problem.onceHint : words.problem.unreachableHint}
        </p>
      ) : null}
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          {words.problem.retry}
        </button>
      )}
    </div>
  );
};

export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode => (
  <div className="note empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  /** Why the last try failed, while it is still being tried again. */
  readonly failureReason?: unknown;
  readonly refetch: () => unknown;
}

/** The content once it is there; before that, why it is not. */
export const Loaded = <Data,>({
  asked,
  children,
}: {
  readonly asked: Asked<Data>;
  readonly children: (data: Data) => ReactNode;
}): ReactNode => {
  if (asked.data !== undefined) return children(asked.data);
  const failed = asked.error ?? asked.failureReason;
  if (failed) return <ProblemNote cause={failed} again={() => void asked.refetch()} />;
  return <Loading />;
};
