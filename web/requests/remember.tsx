// Beside an approval: that like calls need not be asked again, as far as a condition says. Offered only where the server would
// take it: never for what cannot be taken back, never for look-alikes.
import type { ReactNode } from 'react';
import type { AnswerBody, RequestView } from '../api/types.ts';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

export type Remember = NonNullable<Extract<AnswerBody, { kind: 'approve' }>['remember']>;

const scopes = ['run', 'agent'] as const;

/** How far the server would take it; nothing where it says nothing. */
export const rememberScopes = ({ rememberable }: RequestView): readonly Remember['scope'][] =>
  scopes.filter((scope) => rememberable === 'agent' || rememberable === scope);

export const RememberFields = ({
  name,
  offered,
  given,
  change,
}: {
  readonly name: string;
  readonly offered: readonly Remember['scope'][];
  readonly given: Remember | undefined;
  readonly change: (given: Remember | undefined) => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <div className="stack">
      <label className="affirm">
        <input
          type="checkbox"
          checked={given !== undefined}
          onChange={({ target }) =>
            change(target.checked ? { scope: 'run', condition: '' } : undefined)
          }
        />
        <span>
          {words.approval.remember} <span className="hint">{words.approval.rememberHint}</span>
        </span>
      </label>
      {given === undefined ? null : (
        <>
          <fieldset className="choices">
            <legend>{words.approval.rememberScope}</legend>
            {offered.map((scope) => (
              <label key={scope}>
                <input
                  type="radio"
                  name={`remember-${name}`}
                  checked={given.scope === scope}
                  onChange={() => change({ ...given, scope })}
                />
                {words.approval.rememberScopes[scope]}
              </label>
            ))}
          </fieldset>
          <label>
            {words.approval.condition}
            <input
              type="text"
              className="code"
              placeholder="amount_cents <= 5000"
              value={given.condition}
              onChange={({ target }) => change({ ...given, condition: target.value })}
            />
          </label>
        </>
      )}
    </div>
  );
};
