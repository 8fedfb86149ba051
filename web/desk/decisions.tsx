// The seven decisions, each its own button; a forbidden one says why, with the fact and the date, in the server's words.
import { type ReactNode, useId, useState } from 'react';
import type { ActionView, DecisionView } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useNow } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { isHeld } from './claim.tsx';
import { DecisionForm, decisionButton, meansOf } from './decision-forms.tsx';

const Button = ({
  view,
  decision,
  saidAt,
  choose,
}: {
  readonly view: ActionView;
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
        id={decisionButton(view.action.actionId, kind)}
        disabled={!allowed}
        aria-describedby={saidAt ?? why}
        onClick={choose}
      >
        {words.recovery.kinds[kind]}
      </button>
      {saidAt === undefined ? (
        <p className="hint" id={why}>
          {allowed ? (
            meansOf(kind, view, words)
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
  // What was written in a form outlives the claim; only sending it needs the claim.
  if (chosen !== undefined)
    return <DecisionForm kind={chosen} view={view} leave={() => setChosen(undefined)} />;
  if (!isHeld(view.claim, now)) return null;
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
            view={view}
            decision={decision}
            saidAt={forAll === undefined ? undefined : saidAt}
            choose={() => setChosen(decision.kind)}
          />
        ))}
      </ul>
    </>
  );
};
