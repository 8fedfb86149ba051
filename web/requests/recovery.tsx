// A recovery in the thread and the inbox: what is not known, who holds it, and the decisions. Laws: L3, L10.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAction } from '../api/queries.ts';
import type { ActionView, PersonRequest } from '../api/types.ts';
import { ActionFacts } from '../calls/action-parts.tsx';
import { Journal } from '../calls/journal.tsx';
import { lookMs, Panel } from '../desk/panel.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

export type RecoveryRequest = Extract<PersonRequest, { on: 'recovery' }>;

const Standing = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { action, journal } = view;
  return (
    <>
      <p>
        <strong>{action.tool.name}</strong>
      </p>
      <JsonView value={action.arguments} label={words.call.arguments} />
      <ActionFacts action={action} />
      <details>
        <summary>
          {words.call.journal} <span className="hint">{words.attempts(action.attempts)}</span>
        </summary>
        <Journal action={action} journal={journal} />
      </details>
    </>
  );
};

export const Recovery = ({
  request,
  standing,
}: {
  readonly request: RecoveryRequest;
  readonly standing: boolean;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const asked = useAction(request.actionId, true, lookMs);
  const { needsPerson, recoverer, released, because } = request;
  return (
    <section className="request" aria-label={words.recovery.title} id={request.requestId}>
      <h4>{words.recovery.title}</h4>
      <p>
        <Plain text={words.said(because)} />
      </p>
      <p className="hint">
        {needsPerson ? words.recovery.hint : words.recovery.looking}{' '}
        {recoverer === undefined ? null : <Plain text={words.recovery.inCharge(recoverer)} />}{' '}
        {released === true ? words.recovery.released : null}
      </p>
      <Loaded asked={asked}>
        {(view) => (
          <>
            {standing ? <Standing view={view} /> : null}
            <Panel view={view} />
          </>
        )}
      </Loaded>
      {standing ? (
        <p>
          <Link href={`/action/${request.actionId}`}>{words.recovery.openAction}</Link>
        </p>
      ) : null}
    </section>
  );
};
