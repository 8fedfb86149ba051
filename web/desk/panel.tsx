// Taking an action in hand: who holds it, what it waits for, the decisions, and evidence. With an open request of recovery and
// without one: whatever the API permits is offered, to those who may. Laws: L3, L10.
import type { ReactNode } from 'react';
import { useAction } from '../api/queries.ts';
import type { Action, ActionView } from '../api/types.ts';
import { useMay } from '../parts/may.ts';
import { Plain } from '../parts/plain-text.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { roleName } from '../words/role-name.ts';
import { Claim, isHeld } from './claim.tsx';
import { Decisions } from './decisions.tsx';
import { Look } from './look.tsx';

/** Others' claims and decisions show within a second. */
export const lookMs = 1_000;

/** What a person decided to wait for, while it is still to come. */
const Waits = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { action, journal } = view;
  const now = useNow();
  const last = journal.decisions.at(-1);
  if (last?.kind !== 'wait' || last.untilMs === undefined) return null;
  if (action.disposition.kind !== 'open' || last.untilMs <= now) return null;
  if (action.nextCheckAtMs !== last.untilMs) return null;
  return (
    <p role="status">
      <strong>
        {words.recovery.waits} <Time at={last.untilMs} exact />
      </strong>
      <Plain text={words.recovery.decidedBy(last.by.name)} />
      {last.reason === undefined ? null : (
        <>
          {words.colon}
          <Plain text={last.reason} />
        </>
      )}
    </p>
  );
};

export const Panel = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const may = useMay('recoverer');
  return (
    <>
      <Waits view={view} />
      <Claim view={view} may={may} />
      {may ? (
        <>
          <Decisions view={view} />
          <Look action={view.action} canLook={view.canLook} />
        </>
      ) : (
        <p className="hint">{words.recovery.noRole(roleName('recoverer', words))}</p>
      )}
    </>
  );
};

/** Nobody has to do anything about it, though evidence and corrections are taken. */
const isQuiet = ({ effect, disposition, contradicted, duplicateOf }: Action): boolean =>
  disposition.kind === 'open' &&
  !contradicted &&
  duplicateOf === undefined &&
  effect !== 'undetermined' &&
  effect !== 'in_progress';

/** On the action's own page, where no request of recovery is open. */
export const PanelAlone = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { action, claim } = view;
  const now = useNow();
  const offered = action.attempts > 0 && action.recovering !== true;
  useAction(action.actionId, offered, lookMs);
  if (!offered) return null;
  const panel = <Panel view={view} />;
  const { kind } = action.disposition;
  if (isQuiet(action) && !isHeld(claim, now))
    return (
      <details className="no-print">
        <summary>{words.recovery.correct}</summary>
        {panel}
      </details>
    );
  return (
    <section className="request no-print" aria-label={words.requestKinds.recovery}>
      <h4>{words.requestKinds.recovery}</h4>
      {kind === 'suspended' || kind === 'abandoned' || kind === 'reissued' ? (
        <p className="hint">{words.recovery.setAside[kind]}</p>
      ) : null}
      {panel}
    </section>
  );
};
