// One step in the thread: what the agent said, and the calls it asked for. Drawn once it is stored; only its calls change.
import { memo, type ReactNode } from 'react';
import type { Actions } from '../api/cache.ts';
import type { Action, Step } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { stepId } from '../copying/thing-kinds.ts';
import { useAnchor } from '../parts/anchor.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { ActionCard, CallComing, FixedCall } from './action-card.tsx';

const Facts = ({ text }: { readonly text: string }): ReactNode => (
  <details className="told-facts">
    <summary>{useWords().thread.facts}</summary>
    <p>
      <Plain text={text} />
    </p>
  </details>
);

interface Given {
  readonly step: Step;
  readonly actions: readonly (Action | undefined)[];
}

const StepBody = ({ step, actions }: Given): ReactNode => {
  const words = useWords();
  const id = stepId(step);
  const anchor = useAnchor<HTMLLIElement>(id);
  return (
    <li className="item step" aria-label={words.thread.step(step.step)} {...anchor}>
      <CopyMenu compact id={id} thing={{ kind: 'step', of: step }} />
      {step.facts === undefined ? null : <Facts text={step.facts} />}
      {step.text === '' ? null : <Markdown text={step.text} />}
      {step.calls.map((call, place) => {
        const of = { runId: step.runId, step: step.step, call: place };
        if (call.kind === 'fixed') return <FixedCall key={call.callId} call={call} of={of} />;
        const action = actions[place];
        return action === undefined ? (
          <CallComing key={call.actionId} name={call.name} />
        ) : (
          <ActionCard key={call.actionId} action={action} />
        );
      })}
    </li>
  );
};

const same = (before: Given, next: Given): boolean =>
  before.step === next.step &&
  before.actions.length === next.actions.length &&
  before.actions.every((action, place) => action === next.actions[place]);

export const StepView = memo(StepBody, same);

export const actionsOf = (step: Step, actions: Actions | undefined) =>
  step.calls.map((call) => (call.kind === 'action' ? actions?.get(call.actionId) : undefined));

/** Text as it is written. Screen readers get it when it is whole. */
export const LiveText = ({ text }: { readonly text: string }): ReactNode => {
  const words = useWords();
  return (
    <li className="item step live" aria-busy="true" aria-live="off">
      {text === '' ? null : <Markdown text={text} />}
      <p className="hint writing">{text === '' ? words.thread.thinking : words.thread.writing}</p>
    </li>
  );
};
