// A tool call where it happens: name, destination, state in words and icon; inside, exactly what was asked and what is known.
// Collapsed when all is well, open when it is not; a person's own choice stands.
import { lazy, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { CallPlace } from '../api/faults.ts';
import type { Action, Step } from '../api/types.ts';
import {
  ActionFacts,
  Destination,
  isOurs,
  ResultView,
  TextOrJson,
} from '../calls/action-parts.tsx';
import { CallFaults, MarkFaulty } from '../faults/call-faults.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Late, patiently } from '../parts/late.tsx';
import { Loading } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { useWords } from '../words/index.tsx';

/** Loaded with the first card that somebody opens. */
const JournalOf = lazy(async () => ({
  default: (await patiently(() => import('../calls/journal.tsx'))).JournalOf,
}));

/** Loaded with the first request that somebody sees. */
const Requests = lazy(async () => ({
  default: (await patiently(() => import('../requests/reissued.tsx'))).RequestsWithReissue,
}));

/** Not as it should be, so that it is open without being asked. What only asks a person is shown by its request. */
export const needsLook = (action: Action): boolean =>
  action.contradicted || (!isOurs(action) && lookedAt(action));

const lookedAt = (action: Action): boolean =>
  (action.requestId !== undefined && action.told === undefined) ||
  action.told?.status === 'error' ||
  action.effect === 'undetermined' ||
  action.effect === 'not_performed';

/** The first few arguments on one line. */
export const summaryOf = (values: Step['calls'][number]['arguments']): string => {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
};

const Inside = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  return (
    <>
      <p className="hint">{actionShown(action, words).means}</p>
      <section>
        <h4>{words.call.arguments}</h4>
        <JsonView value={action.arguments} label={words.call.arguments} />
      </section>
      {action.told === undefined ? null : (
        <section>
          <h4>{action.told.status === 'error' ? words.call.error : words.call.result}</h4>
          <ResultView action={action} />
        </section>
      )}
      <ActionFacts action={action} />
      {action.attempts > 0 || action.head > 1 ? (
        <section>
          <h4>{words.call.journal}</h4>
          <Late meanwhile={<Loading />}>
            <JournalOf actionId={action.actionId} />
          </Late>
        </section>
      ) : null}
      <div className="card-foot">
        <Link href={`/action/${action.actionId}`}>{words.call.openAction}</Link>
        <MarkFaulty of={action} tool={action.tool.name} />
      </div>
    </>
  );
};

export const ActionCard = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? needsLook(action);
  const shown = actionShown(action, words);
  const asked = action.requestId;
  return (
    <article className="call" data-tone={shown.tone} id={action.actionId}>
      <details
        open={open}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== open) setChosen(currentTarget.open);
        }}
      >
        <summary>
          <Badge shown={shown} />
          <span className="call-name">{action.tool.name}</span>
          <span className="call-where">
            <Destination of={action.destination} />
          </span>
          <span className="call-what">
            <Plain text={summaryOf(action.arguments)} />
          </span>
          {action.attempts > 1 ? (
            <span className="hint">{words.attempts(action.attempts)}</span>
          ) : null}
          {action.reference === undefined ? null : (
            <code className="reference">
              <Plain text={action.reference} />
            </code>
          )}
        </summary>
        <div className="call-inside">{open ? <Inside action={action} /> : null}</div>
      </details>
      {asked === undefined && action.disposition.kind !== 'reissued' ? null : (
        <Late meanwhile={<Loading />}>
          <Requests action={action} />
        </Late>
      )}
      <CallFaults of={action} />
    </article>
  );
};

type Fixed = Extract<Step['calls'][number], { kind: 'fixed' }>;

/** A call that never became an action: an unknown tool, bad arguments, one too many. */
export const FixedCall = ({
  call,
  of,
}: {
  readonly call: Fixed;
  readonly of: CallPlace;
}): ReactNode => {
  const words = useWords();
  return (
    <article className="call" data-tone="off">
      <details open>
        <summary>
          <Badge
            shown={{ icon: 'cross', tone: 'off', word: words.call.error, means: call.told.text }}
          />
          <span className="call-name">
            <Plain text={call.name} />
          </span>
          <span className="call-what">
            <Plain text={summaryOf(call.arguments)} />
          </span>
        </summary>
        <div className="call-inside">
          <p className="hint">{words.thread.neverAction}</p>
          <section>
            <h4>{words.call.arguments}</h4>
            <JsonView value={call.arguments} label={words.call.arguments} />
          </section>
          <section>
            <h4>{words.thread.told}</h4>
            <TextOrJson text={call.told.text} label={words.thread.told} />
          </section>
          <MarkFaulty of={of} tool={call.name} />
        </div>
      </details>
      <CallFaults of={of} />
    </article>
  );
};

/** A call whose action is being read. */
export const CallComing = ({ name }: { readonly name: string }): ReactNode => (
  <article className="call" data-tone="off">
    <div className="call-head">
      <Badge shown={{ icon: 'dots', tone: 'off', word: useWords().effects.not_sent, means: '' }} />
      <span className="call-name">
        <Plain text={name} />
      </span>
    </div>
  </article>
);
