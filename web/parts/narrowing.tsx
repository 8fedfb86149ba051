// Filters of a long list as fields whose values stand in the address, so that a narrowed list is a link. Owns: that form.
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAgents, useTools } from '../api/queries.ts';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Empty } from './notes.tsx';

export interface Choice<Name extends string = string> {
  /** Its name in the query. */
  readonly name: Name;
  readonly label: string;
  /** Value and words; the empty value narrows nothing. */
  readonly options: readonly (readonly [string, string])[];
}

/** The values that stand in the address, for the names given; whatever is not there is empty. */
export const useNarrowing = <Name extends string>(
  names: readonly Name[],
): readonly [{ readonly [N in Name]: string }, (name: Name, value: string) => void] => {
  const [parameters, setParameters] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as {
    [N in Name]: string;
  };
  const set = (name: Name, value: string): void => {
    const next = new URLSearchParams(parameters);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setParameters(next, { replace: true });
  };
  return [values, set];
};

/** In place of a list that was narrowed to nothing: the way back to the whole of it. */
export const NoneFits = ({ all }: { readonly all: string }): ReactNode => {
  const { lists } = useLater();
  return (
    <Empty title={lists.noneFits}>
      <Link href={all} className="button">
        {lists.showAll}
      </Link>
    </Empty>
  );
};

/** Fields that several lists have. */
export const useSharedChoices = (): {
  readonly agent: Choice<'agentId'>;
  readonly tool: Choice<'tool'>;
  readonly age: Choice<'olderThanMs'>;
} => {
  const { all } = useWords();
  const { lists: words } = useLater();
  const agents = useAgents().data ?? [];
  const tools = useTools().data ?? [];
  return {
    agent: {
      name: 'agentId',
      label: words.agent,
      options: [
        ['', all],
        ...agents.map(({ agentId, configuration: { name } }) => [agentId, name] as const),
      ],
    },
    tool: {
      name: 'tool',
      label: words.tool,
      options: [['', all], ...tools.map(({ registration: { name } }) => [name, name] as const)],
    },
    age: {
      name: 'olderThanMs',
      label: words.age,
      options: Object.entries(words.ages).toSorted(([a], [b]) => Number(a) - Number(b)),
    },
  };
};

export const Choices = <Name extends string>({
  choices,
  values,
  choose,
}: {
  readonly choices: readonly Choice<Name>[];
  readonly values: { readonly [N in Name]: string };
  readonly choose: (name: Name, value: string) => void;
}): ReactNode =>
  choices.map(({ name, label, options }) => (
    <label key={name}>
      {label}
      <select value={values[name]} onChange={({ target }) => choose(name, target.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  ));
