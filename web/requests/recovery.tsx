// A recovery in the thread and the inbox: what is not known, and the answers, each its own button; a forbidden one says why.
// Laws: L3 (only settling while an attempt may run), L10 (the journal head that was seen).
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../api/queries.ts';
import type { Action, PersonRequest } from '../api/types.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { ActionFacts } from '../thread/action-parts.tsx';
import { Journal } from '../thread/journal.tsx';
import { useWords } from '../words/index.tsx';
import { AbandonForm, EvidenceForm } from './evidence-form.tsx';

export type RecoveryRequest = Extract<PersonRequest, { on: 'recovery' }>;
type Choice = 'attach' | 'not_performed' | 'abandon';

/** A clock may disagree by this much: `skewMs` of the core. */
const skewMs = 2_000;

const Choices = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const [choice, setChoice] = useState<Choice>();
  const untilMs = action.engaged === undefined ? 0 : action.engaged.deadlineAtMs + skewMs;
  const running = useNow() < untilMs;
  const leave = (): void => setChoice(undefined);
  if (choice === 'abandon') return <AbandonForm action={action} leave={leave} />;
  if (choice !== undefined) return <EvidenceForm action={action} kind={choice} leave={leave} />;
  return (
    <>
      {running ? (
        <p className="hint" id={`why-${action.actionId}`}>
          {words.recovery.running} <Time at={untilMs} exact />. {words.recovery.runningHint}
        </p>
      ) : null}
      <div className="row answers">
        <button type="button" onClick={() => setChoice('attach')}>
          {words.recovery.attach}
        </button>
        {(['not_performed', 'abandon'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            disabled={running}
            aria-describedby={running ? `why-${action.actionId}` : undefined}
            onClick={() => setChoice(kind)}
          >
            {kind === 'abandon' ? words.recovery.abandon : words.recovery.notPerformed}
          </button>
        ))}
      </div>
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
  const words = useWords();
  return (
    <section className="request" aria-label={words.recovery.title} id={request.requestId}>
      <h4>{words.recovery.title}</h4>
      <p>
        <Plain text={request.because} />
      </p>
      <p className="hint">
        {words.recovery.hint} {request.released === true ? words.recovery.released : null}
      </p>
      <Loaded asked={useAction(request.actionId)}>
        {({ action, journal }) => (
          <>
            {standing ? (
              <>
                <p>
                  <strong>{action.tool.name}</strong>
                </p>
                <JsonView value={action.arguments} label={words.call.arguments} />
                <ActionFacts action={action} />
                <Journal journal={journal} />
              </>
            ) : null}
            <Choices action={action} />
          </>
        )}
      </Loaded>
      <p className="hint">
        {words.recovery.inCharge}{' '}
        <Link href={`/action/${request.actionId}`}>{words.recovery.openSheet}</Link>
      </p>
    </section>
  );
};
