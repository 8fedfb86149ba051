// Why a run ended, and what to do about it: one component per reason, the same words everywhere. Laws: L14.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Actions } from '../api/cache.ts';
import { continueRun } from '../api/calls.ts';
import type { Action, RunEnd, RunState, RunView } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { actionShown, Badge, runShown } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { useLength, useNumber, useWords } from '../words/index.tsx';

export type Ended = Extract<RunState, { status: 'finished' }>;

interface End {
  readonly run: RunView;
  readonly state: Ended;
  readonly actions: readonly Action[];
  /** The conversation's newest run: only it can be gone on with. */
  readonly last: boolean;
}

const unsettled = (actions: readonly Action[]): readonly Action[] =>
  actions.filter(
    ({ effect, disposition, contradicted }) =>
      contradicted ||
      (['engaged', 'in_progress', 'undetermined'].includes(effect) &&
        disposition.kind !== 'abandoned'),
  );

const happened = (actions: readonly Action[]): readonly Action[] =>
  actions.filter(({ effect, attempts }) => attempts > 0 && effect !== 'not_performed');

const ActionLinks = ({ actions }: { readonly actions: readonly Action[] }): ReactNode => {
  const words = useWords();
  return (
    <ul className="action-links">
      {actions.map((action) => (
        <li key={action.actionId}>
          <Badge shown={actionShown(action, words)} />{' '}
          <Link href={`/action/${action.actionId}`}>{action.tool.name}</Link>{' '}
          {action.reference === undefined ? null : <Plain text={action.reference} />}
        </li>
      ))}
    </ul>
  );
};

const Done = ({ run, state, actions }: End): ReactNode => {
  const words = useWords();
  const length = useLength();
  const number = useNumber();
  const { steps, usage, startedAt } = run;
  const took = length(Date.parse(state.at) - Date.parse(startedAt));
  return (
    <p>
      {words.runLine.doneDetail(words.steps(steps.taken), took)} ·{' '}
      {words.runLine.usage(number(usage.inputTokens), number(usage.outputTokens))}
      {actions.length === 0 ? null : ` · ${words.call.assertion}`}
    </p>
  );
};

const GoOn = ({ runId }: { readonly runId: string }): ReactNode => {
  const words = useWords();
  const goingOn = useMutation({ mutationFn: () => continueRun(runId) });
  return (
    <>
      {goingOn.error ? <ProblemNote cause={goingOn.error} /> : null}
      <button
        type="button"
        className="main"
        disabled={goingOn.isPending || goingOn.isSuccess}
        onClick={() => goingOn.mutate()}
      >
        {words.runLine.goOn}
      </button>
    </>
  );
};

const Stopped = ({ state, actions }: End): ReactNode => {
  const words = useWords();
  const effects = happened(actions);
  return (
    <>
      <p>
        <Plain text={words.said(state.detail)} />
      </p>
      <p>{effects.length === 0 ? words.runLine.stoppedNothing : words.runLine.stoppedEffects}</p>
      <ActionLinks actions={effects} />
    </>
  );
};

/** It failed, reached its limit, or no whole answer came: what happened, what to do, and the way on where there is one. */
const Failed = ({ run, state, actions, last }: End): ReactNode => {
  const words = useWords();
  return (
    <>
      <p>
        <Plain text={words.said(state.detail)} />
      </p>
      <ActionLinks actions={happened(actions)} />
      {last && /limit|cut|no_/.test(state.reason) ? <GoOn runId={run.runId} /> : null}
      <Link href={`/run/${run.runId}`} className="button">
        {words.runLine.seeWhy}
      </Link>
    </>
  );
};

const byReason: { readonly [End in RunEnd]?: typeof Done } = {
  done: Done,
  stopped: Stopped,
};

export const RunEndView = ({
  run,
  actions,
  last,
}: {
  readonly run: RunView;
  readonly actions: Actions | undefined;
  readonly last: boolean;
}): ReactNode => {
  const words = useWords();
  const { state } = run;
  if (state.status !== 'finished') return null;
  const all = [...(actions?.values() ?? [])];
  const open = unsettled(all);
  const Reason = byReason[state.reason] ?? Failed;
  return (
    <li className="item run-end" data-reason={state.reason}>
      <div className="run-end-head">
        <Badge shown={runShown(state, words)} /> <Time at={state.at} />{' '}
        <Link href={`/run/${run.runId}`}>{words.thread.openRun}</Link>
      </div>
      <Reason run={run} state={state} actions={all} last={last} />
      {open.length === 0 ? null : (
        <div className="unsettled">
          <p>
            <strong>{words.runLine.unresolved(open.length)}</strong>
          </p>
          <ActionLinks actions={open} />
        </div>
      )}
    </li>
  );
};
