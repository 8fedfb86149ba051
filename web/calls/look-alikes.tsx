// An action beside the ones that look like it and are not settled: field by field, the same or not, in words.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Action, Json } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const isFields = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: Json | undefined): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

export interface Pair {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly same: boolean;
}

/** Two values as pairs of fields, nested ones by dotted path. */
export const pairsOf = (before: Json | undefined, after: Json | undefined, at = ''): Pair[] => {
  if (isFields(before) && isFields(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      pairsOf(before[name], after[name], at === '' ? name : `${at}.${name}`),
    );
  }
  const [one, other] = [textOf(before), textOf(after)];
  return [{ field: at, before: one, after: other, same: one === other }];
};

const Comparison = ({
  action,
  other,
}: {
  readonly action: Action;
  readonly other: Action;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <div className="scroll-x">
      <table className="pairs">
        <caption>
          <Link href={`/action/${other.actionId}`}>{other.tool.name}</Link>{' '}
          <Badge shown={actionShown(other, words)} />{' '}
          {other.firstEngagedAt === undefined ? null : <Time at={other.firstEngagedAt} />}
        </caption>
        <thead>
          <tr>
            <th scope="col">{words.approval.field}</th>
            <th scope="col">{words.approval.other}</th>
            <th scope="col">{words.approval.this}</th>
          </tr>
        </thead>
        <tbody>
          {pairsOf(other.arguments, action.arguments).map(({ field, before, after, same }) => (
            <tr key={field} data-same={same}>
              <th scope="row">
                <Plain text={field} />
              </th>
              <td>
                <Plain text={before} />
              </td>
              <td>
                {same ? (
                  <span className="hint">{words.approval.same}</span>
                ) : (
                  <strong>
                    <Plain text={after} />
                  </strong>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

export const LookAlikes = ({
  action,
  others,
}: {
  readonly action: Action;
  readonly others: readonly Action[];
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <section className="look-alikes">
      <h5>{words.approval.lookAlike}</h5>
      <p>{words.approval.lookAlikeHint}</p>
      {others.map((other) => (
        <Comparison key={other.actionId} action={action} other={other} />
      ))}
    </section>
  );
};
