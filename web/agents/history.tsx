// Changes of a permission or a bar: what, when, by whom and why, newest first.
import type { ReactNode } from 'react';
import type { BarView, StandingView } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

export const History = ({
  changes,
}: {
  readonly changes: BarView['changes'] | StandingView['changes'];
}): ReactNode => {
  const words = useWords();
  const { bar } = useLater();
  if (changes.length === 0) return null;
  return (
    <ul className="hint" aria-label={bar.history}>
      {changes.toReversed().map(({ what, at, by, reason }) => (
        <li key={`${at}:${what}`}>
          {bar.what[what]}, <Time at={at} exact /> <Plain text={words.by(by.name)} />
          {words.colon}
          <Plain text={reason} />
        </li>
      ))}
    </ul>
  );
};
