// The seven decisions, each its own button; a forbidden one says why, with the fact and the date, in the server's words.
import { type ReactNode, useId, useState } from 'react';
import type { ActionView, DecisionView } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { isHeld } from './claim.tsx';
import { DecisionForm, decisionButton } from './decision-forms.tsx';

const Button = ({
  actionId,
  decision,
  choose,
}: {
  readonly actionId: string;
  readonly decision: DecisionView;
  readonly choose: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const why = useId();
  const { kind, allowed, reason, until } = decision;
  return (
    <li>
      <button
        type="button"
        id={decisionButton(actionId, kind)}
        disabled={!allowed}
        aria-describedby={why}
        onClick={choose}
      >
        {words.recovery.kinds[kind]}
      </button>
      <p className="hint" id={why}>
        {allowed ? (
          words.recovery.kindMeans[kind]
        ) : (
          <>
            <Plain text={reason ?? words.recovery.refusedBecause} />
            {until === undefined ? null : (
              <>
                {' '}
                <Time at={until} />
              </>
            )}
          </>
        )}
      </p>
    </li>
  );
};

export const Decisions = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const now = useNow();
  const [chosen, setChosen] = useState<DecisionView['kind']>();
  if (!isHeld(view.claim, now)) return null;
  if (chosen !== undefined && view.claim !== undefined)
    return (
      <DecisionForm
        kind={chosen}
        action={view.action}
        claim={view.claim}
        leave={() => setChosen(undefined)}
      />
    );
  return (
    <>
      <h5>{words.recovery.decide}</h5>
      <ul className="decisions">
        {view.decisions.map((decision) => (
          <Button
            key={decision.kind}
            actionId={view.action.actionId}
            decision={decision}
            choose={() => setChosen(decision.kind)}
          />
        ))}
      </ul>
    </>
  );
};
