// Finding out without deciding: what one found by oneself, and asking the system to look again.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { lookAgain } from '../api/calls.ts';
import type { Action } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { decisionButton, ObservationForm } from './decision-forms.tsx';

export const Look = ({
  action,
  canLook,
}: {
  readonly action: Action;
  /** Its contract declares a look-up. */
  readonly canLook: boolean;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [adding, setAdding] = useState(false);
  const looking = useMutation({
    mutationFn: () => lookAgain(action.actionId),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.action(action.actionId) }),
  });
  if (adding) return <ObservationForm action={action} leave={() => setAdding(false)} />;
  return (
    <div className="row no-print">
      <button
        type="button"
        id={decisionButton(action.actionId, 'observe')}
        onClick={() => setAdding(true)}
      >
        {words.desk.observe}
      </button>
      {canLook ? (
        <button type="button" disabled={looking.isPending} onClick={() => looking.mutate()}>
          {words.desk.look}
        </button>
      ) : null}
      <span className="hint" role="status">
        {looking.isSuccess
          ? words.desk.looked
          : canLook
            ? words.desk.lookHint
            : words.desk.lookYourself}
      </span>
      {looking.error ? <ProblemNote cause={looking.error} /> : null}
    </div>
  );
};
