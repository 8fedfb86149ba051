// The versions of a tool or a skill, newest first, each by its own address.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useLater } from '../words/later.ts';

export const Versions = ({
  place,
  newest,
  shown,
}: {
  /** Of the thing without its version. */
  readonly place: string;
  readonly newest: number;
  readonly shown: number;
}): ReactNode => {
  const { tools } = useLater();
  return (
    <>
      <h2>{tools.versions}</h2>
      <ul className="row">
        {Array.from({ length: newest }, (_, index) => newest - index).map((one) => (
          <li key={one}>
            <Link href={`${place}/${one}`} aria-current={one === shown ? 'true' : undefined}>
              {tools.version(one)}
            </Link>{' '}
            {one === newest ? <span className="hint">{tools.newest}</span> : null}
          </li>
        ))}
      </ul>
      <p className="hint">{tools.keep}</p>
    </>
  );
};
