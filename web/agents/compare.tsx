// Two versions of one thing beside each other, any two: what was, what becomes. Begins with the shown one and the one before.
import { type ReactNode, useState } from 'react';
import type { Json } from '../api/types.ts';
import { Loaded } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';
import { Changes } from './changes.tsx';
import { type Compared, useFieldNames } from './field-names.ts';

interface Asked {
  readonly data: Json | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Comparing {
  readonly kind: Compared;
  /** Id or name of the thing. */
  readonly of: string;
  readonly newest: number;
  readonly shown: number;
  /** A version by its number, in words. */
  readonly name: (number: number) => string;
  /** Said in place of a comparison while there is only one. */
  readonly only: string;
  /** Reads one version. */
  readonly useContent: (of: string, number: number) => Asked;
}

const Choice = ({
  label,
  chosen,
  choose,
  newest,
  name,
}: Pick<Comparing, 'newest' | 'name'> & {
  readonly label: string;
  readonly chosen: number;
  readonly choose: (number: number) => void;
}): ReactNode => (
  <label>
    {label}{' '}
    <select value={chosen} onChange={({ target }) => choose(Number(target.value))}>
      {Array.from({ length: newest }, (_, index) => newest - index).map((number) => (
        <option key={number} value={number}>
          {name(number)}
        </option>
      ))}
    </select>
  </label>
);

const Two = ({ kind, of, newest, shown, name, useContent }: Comparing): ReactNode => {
  const { agents } = useLater();
  const names = useFieldNames(kind);
  const [after, setAfter] = useState(shown);
  const [before, setBefore] = useState(shown > 1 ? shown - 1 : newest);
  const earlier = useContent(of, before);
  const later = useContent(of, after);
  return (
    <>
      <div className="row">
        <Choice label={agents.compare} chosen={after} choose={setAfter} {...{ newest, name }} />
        <Choice label={agents.with} chosen={before} choose={setBefore} {...{ newest, name }} />
      </div>
      <Loaded asked={earlier}>
        {(was) => (
          <Loaded asked={later}>
            {(becomes) => <Changes before={was} after={becomes} names={names} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
};

export const Compare = (comparing: Comparing): ReactNode => {
  const { agents } = useLater();
  return (
    <>
      <h2>{agents.differences}</h2>
      {comparing.newest < 2 ? (
        <p className="hint">{comparing.only}</p>
      ) : (
        <Two key={comparing.shown} {...comparing} />
      )}
    </>
  );
};
