// One run in the thread: the messages it began with and took, its steps, the text being written, and its end.
import { Fragment, memo, type ReactNode, useMemo } from 'react';
import type { LiveText as LiveTexts } from '../../functions/core/turn/live-text.ts';
import type { Actions } from '../api/cache.ts';
import { useActions, useSteps } from '../api/queries.ts';
import type { Message, RunView, Step } from '../api/types.ts';
import { MessageView } from '../calls/message.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { RunEndView } from './run-end.tsx';
import { actionsOf, LiveText, StepView } from './step.tsx';

/**
 * Messages by the step that took them; those that began the run come first, as step 0, the first of all also while nothing
 * has taken it. Another that the run never took is offered after it.
 */
const byStep = (messages: readonly Message[], run: RunView): ReadonlyMap<number, Message[]> =>
  Map.groupBy(
    messages.filter(
      ({ fate, messageId }) =>
        messageId === run.firstMessageId ||
        ('runId' in fate && fate.runId === run.runId && fate.fate !== 'held'),
    ),
    ({ fate, messageId }) =>
      fate.fate === 'taken' && messageId !== run.firstMessageId ? fate.step : 0,
  );

interface Given {
  readonly run: RunView;
  readonly messages: readonly Message[];
  readonly texts: LiveTexts | undefined;
  readonly last: boolean;
  readonly edit: (text: string) => void;
}

/** Texts that are newer than the steps that were read. */
const newerTexts = (texts: LiveTexts | undefined, steps: readonly Step[]) => {
  const known = steps.at(-1)?.step ?? 0;
  return [...(texts?.values() ?? [])].filter(({ step }) => step > known);
};

const isThinking = (run: RunView, texts: readonly unknown[], steps: readonly Step[]): boolean => {
  if (run.state.status !== 'running' || texts.length > 0) return false;
  const last = steps.at(-1);
  return last === undefined || last.calls.length === 0;
};

interface Stored {
  readonly steps: readonly Step[];
  readonly actions: Actions | undefined;
  readonly taken: ReadonlyMap<number, Message[]>;
  readonly edit: (text: string) => void;
}

/** The stored steps with the messages they took: untouched by the text that is being written below them. */
const StoredSteps = memo(
  ({ steps, actions, taken, edit }: Stored): ReactNode =>
    steps.map((step) => (
      <Fragment key={step.step}>
        {taken.get(step.step)?.map((one) => (
          <MessageView key={one.messageId} message={one} edit={edit} />
        ))}
        <StepView step={step} actions={actionsOf(step, actions)} />
      </Fragment>
    )),
);

const noSteps: readonly Step[] = [];

export const RunBlock = ({ run, messages, texts, last, edit }: Given): ReactNode => {
  const words = useWords();
  const asked = useSteps(run.runId);
  const actions = useActions(run.runId);
  const steps = asked.data ?? noSteps;
  const taken = useMemo(() => byStep(messages, run), [messages, run]);
  const live = newerTexts(texts, steps);
  return (
    <li className="run">
      <h3 className="for-ears">{words.thread.run(run.number)}</h3>
      <ol className="items">
        {taken.get(0)?.map((one) => (
          <MessageView key={one.messageId} message={one} edit={edit} begins />
        ))}
        {asked.error ? (
          <ProblemNote cause={asked.error} again={() => void asked.refetch()} />
        ) : null}
        {asked.data === undefined && !asked.error ? <Loading /> : null}
        <StoredSteps steps={steps} actions={actions.data} taken={taken} edit={edit} />
        {live.map(({ step, text }) => (
          <LiveText key={step} text={text} />
        ))}
        {isThinking(run, live, steps) && asked.data !== undefined ? <LiveText text="" /> : null}
        <RunEndView run={run} actions={actions.data} last={last} />
      </ol>
    </li>
  );
};
