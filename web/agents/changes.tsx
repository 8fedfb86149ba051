// A difference in words: what was, what becomes; lines that were added or removed. Never by colour alone.
import type { ReactNode } from 'react';
import type { Json } from '../api/types.ts';
import type { FieldNames } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { changesOf, lineChanges } from './diff.ts';
import { namedField } from './field-names.ts';

const Lines = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const words = { ...useWords(), ...useLater() };
  let place = 0;
  return (
    <ul className="line-changes">
      {lineChanges(before, after).map(({ how, text }) => {
        place += 1;
        if (how === 'same')
          return (
            <li key={place} className="hint">
              <Plain text={text} />
            </li>
          );
        const Marked = how === 'added' ? 'ins' : 'del';
        return (
          <li key={place} data-how={how}>
            <span className="change-word">{words.agents[how]}</span>{' '}
            <Marked>
              <Plain text={text} />
            </Marked>
          </li>
        );
      })}
    </ul>
  );
};

const Field = ({ path, names }: { readonly path: string; readonly names: FieldNames }) => {
  const { name, rest } = namedField(path, names);
  return (
    <dt title={path}>
      {name}{' '}
      {rest === '' ? null : (
        <code>
          <Plain text={rest} />
        </code>
      )}
    </dt>
  );
};

export const Changes = ({
  before,
  after,
  names = {},
}: {
  readonly before: Json;
  readonly after: Json;
  /** Fields that have words; others are shown by their path. */
  readonly names?: FieldNames;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className="hint">{words.agents.same}</p>;
  return (
    <dl className="changes">
      {changes.map((change) => (
        <div key={change.field}>
          <Field path={change.field} names={names} />
          {change.before.includes('\n') || change.after.includes('\n') ? (
            <dd>
              <Lines before={change.before} after={change.after} />
            </dd>
          ) : (
            <dd>
              <span className="change-word">{words.agents.was}</span>{' '}
              <del>
                <Plain text={change.before} />
              </del>{' '}
              <span className="change-word">{words.agents.becomes}</span>{' '}
              <ins>
                <Plain text={change.after} />
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};
