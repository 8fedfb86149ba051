// The seven decisions, each its own button; a forbidden one says why, with the fact and the date, in the server's words.
import { type ReactNode, useId, useState } from 'react';
import type { ActionView, DecisionView } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useNow } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { isHeld } from './claim.tsx';
import { DecisionForm, decisionButton } from './decision-forms.tsx';

const Button = ({
  actionId,
  decision,
  saidAt,
  choose,
}: {
  readonly actionId: string;
  readonly decision: DecisionView;
  /** The element that says why for all of them. */
  readonly saidAt: string | undefined;
  readonly choose: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const why = useId();
  const { kind, allowed, reason } = decision;
  return (
    <li>
      <button
        type="button"
        id={decisionButton(actionId, kind)}
        disabled={!allowed}
        aria-describedby={saidAt ?? why}
        onClick={choose}
      >
        {words.recovery.kinds[kind]}
      </button>
      {saidAt === undefined ? (
        <p className="hint" id={why}>
          {allowed ? (
            words.recovery.kindMeans[kind]
          ) : (
            <Plain text={reason ?? words.recovery.refusedBecause} />
          )}
        </p>
      ) : null}
    </li>
  );
};

/** The one reason why none of them is allowed now, such as somebody else's claim. */
const reasonOfAll = (decisions: readonly DecisionView[]): string | undefined => {
  const reasons = new Set(decisions.map(({ allowed, reason }) => (allowed ? undefined : reason)));
  return reasons.size === 1 ? [...reasons][0] : undefined;
};

export const Decisions = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const now = useNow();
  const [chosen, setChosen] = useState<DecisionView['kind']>();
  const saidAt = useId();
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
  const forAll = reasonOfAll(view.decisions);
  return (
    <>
      <h5>{words.recovery.decide}</h5>
      {forAll === undefined ? null : (
        <p className="hint" id={saidAt}>
          <Plain text={forAll} />
        </p>
      )}
      <ul className="decisions">
        {view.decisions.map((decision) => (
          <Button
            key={decision.kind}
            actionId={view.action.actionId}
            decision={decision}
            saidAt={forAll === undefined ? undefined : saidAt}
            choose={() => setChosen(decision.kind)}
          />
        ))}
      </ul>
    </>
  );
};
