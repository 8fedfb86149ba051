// Above and below a long list: how much is new, and the way to the next page.
import type { ReactNode } from 'react';
import type { Shown } from '../api/use-book.ts';
import { settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { useWords } from '../words/index.tsx';
import { ProblemNote } from './notes.tsx';
import { absoluteIn } from './time.tsx';

/** Says how much is new, and shows it when asked to: nothing moves by itself. */
export const NewOf = ({
  shown,
  label,
}: {
  readonly shown: Pick<Shown<unknown>, 'data' | 'showHeld'>;
  readonly label: string;
}): ReactNode => (
  <div role="status" className="new-rows">
    {(shown.data?.held.length ?? 0) === 0 ? null : (
      <button type="button" onClick={shown.showHeld}>
        {label}
      </button>
    )}
  </div>
);

export const MoreOf = ({
  shown,
  label,
}: {
  readonly shown: Pick<Shown<unknown>, 'data' | 'more' | 'loading' | 'moreError'>;
  readonly label: string;
}): ReactNode => {
  const words = useWords();
  const { language } = useStore(settings);
  const { data, loading, moreError } = shown;
  if (data?.next === undefined) return null;
  return (
    <>
      {moreError === undefined ? null : <ProblemNote cause={moreError} />}
      {data.lookedTo === undefined ? null : (
        <p className="hint">
          {words.conversations.lookedTo(absoluteIn(language, Date.parse(data.lookedTo), false))}
        </p>
      )}
      <button type="button" className="quiet" disabled={loading} onClick={() => void shown.more()}>
        {loading ? words.loading : label}
      </button>
    </>
  );
};
