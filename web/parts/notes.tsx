// What a screen says instead of its content: loading, a refusal in the server's words, nothing there yet.
import type { ReactNode } from 'react';
import { Problem } from '../api/client.ts';
import { useWords } from '../words/index.tsx';

export const Loading = (): ReactNode => (
  <p className="note" role="status">
    {useWords().loading}
  </p>
);

const wordsFor = (cause: unknown, words: ReturnType<typeof useWords>): string => {
  if (!(cause instanceof Problem)) return cause instanceof Error ? cause.message : words.unknown;
  if (cause.status === 0) return words.problem.unreachable;
  if (cause.status === 404) return words.problem.notFound;
  return cause.message;
};

export const ProblemNote = ({
  cause,
  again,
}: {
  readonly cause: unknown;
  readonly again?: (() => void) | undefined;
}): ReactNode => {
  const words = useWords();
  const unreached = cause instanceof Problem && cause.status === 0;
  return (
    <div className="note problem" role="alert">
      <p>
        <strong>{(cause instanceof Problem && cause.title) || words.problem.title}</strong>{' '}
        {wordsFor(cause, words)}
      </p>
      {unreached ? <p>{words.problem.unreachableHint}</p> : null}
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
  if (asked.error) return <ProblemNote cause={asked.error} again={() => void asked.refetch()} />;
  return <Loading />;
};
