// An action beside the agent's last proposal of the same tool in the same run that a person did not let through: what changed.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Changes } from '../agents/changes.tsx';
import { useActions } from '../api/queries.ts';
import type { Action } from '../api/types.ts';
import { Quoted } from '../parts/quoted.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const earlierOf = (action: Action, actions: Iterable<Action>): Action | undefined =>
  [...actions]
    .filter(
      ({ actionId, tool, step, disposition }) =>
        actionId !== action.actionId &&
        tool.name === action.tool.name &&
        step < action.step &&
        disposition.kind === 'refused',
    )
    .toSorted((a, b) => a.step - b.step)
    .at(-1);

export const Earlier = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const { why } = useLater();
  const { data } = useActions(action.runId);
  const earlier = data === undefined ? undefined : earlierOf(action, data.values());
  if (earlier === undefined || earlier.disposition.kind !== 'refused') return null;
  const { because, at } = earlier.disposition;
  return (
    <section className="earlier">
      <h5>{why.earlier}</h5>
      <p>
        {why.earlierHint} <Link href={`/action/${earlier.actionId}`}>{earlier.tool.name}</Link>,{' '}
        <Time at={at} />
        {words.colon}
        <Quoted text={words.said(because)} />
      </p>
      <Changes before={earlier.arguments} after={action.arguments} />
    </section>
  );
};
