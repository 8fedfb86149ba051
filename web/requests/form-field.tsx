// One field of a question's form: text, number, yes or no, one of several, several of several. The server checks the answer;
// what a browser can check by itself it checks before.
import type { ReactNode } from 'react';
import type { Field, Json } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** The values a field allows, with their titles; undefined for a free one. */
export const choicesOf = (field: Field): readonly Choice[] | undefined => {
  const titled = (entries: readonly { readonly const: string; readonly title: string }[]) =>
    entries.map(({ const: value, title }) => ({ value, title }));
  if (field.type === 'array')
    return field.items.anyOf
      ? titled(field.items.anyOf)
      : field.items.enum?.map((value) => ({ value, title: value }));
  if (field.type !== 'string') return undefined;
  if ('oneOf' in field && field.oneOf) return titled(field.oneOf);
  if (!('enum' in field) || !field.enum) return undefined;
  const names = 'enumNames' in field ? field.enumNames : undefined;
  return field.enum.map((value, place) => ({ value, title: names?.[place] ?? value }));
};

interface Given {
  readonly name: string;
  readonly field: Field;
  readonly needed: boolean;
  readonly value: Json | undefined;
  readonly change: (value: Json | undefined) => void;
}

const Described = ({ field }: { readonly field: Field }): ReactNode =>
  field.description === undefined ? null : (
    <span className="hint">
      {' '}
      <Plain text={field.description} />
    </span>
  );

const Name = ({ name, field, needed }: Pick<Given, 'name' | 'field' | 'needed'>): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <>
      <Plain text={field.title ?? name} />
      {needed ? null : <span className="hint"> ({words.question.optional})</span>}
      <Described field={field} />
    </>
  );
};

/** Up to so many choices are shown all at once. */
const shownAtOnce = 7;

const Choose = ({
  of,
  choices,
}: {
  readonly of: Given;
  readonly choices: readonly Choice[];
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { name, needed, value, change } = of;
  if (choices.length > shownAtOnce)
    return (
      <label>
        <Name {...of} />
        <select
          required={needed}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => change(target.value === '' ? undefined : target.value)}
        >
          <option value="">{words.question.choose}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.title}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <fieldset className="choices column">
      <legend>
        <Name {...of} />
      </legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            required={needed}
            checked={value === choice.value}
            onChange={() => change(choice.value)}
          />
          <Plain text={choice.title} />
        </label>
      ))}
    </fieldset>
  );
};

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const ChooseSeveral = ({
  of,
  choices,
}: {
  readonly of: Given;
  readonly choices: readonly Choice[];
}): ReactNode => {
  const { value, change } = of;
  const chosen = isTexts(value) ? value : [];
  const toggle = (one: string): void =>
    change(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <fieldset className="choices column">
      <legend>
        <Name {...of} />
      </legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={() => toggle(choice.value)}
          />
          <Plain text={choice.title} />
        </label>
      ))}
    </fieldset>
  );
};

const inputTypes = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
} as const;

const typeOf = (field: Field): string => {
  if (field.type === 'number' || field.type === 'integer') return 'number';
  const format = 'format' in field ? field.format : undefined;
  return format === undefined ? 'text' : inputTypes[format];
};

/** The field's value from what was typed. A number that another would stand for stays text, which is then refused. */
const typed = (field: Field, text: string): Json | undefined => {
  if (text === '') return undefined;
  if (field.type === 'number' || field.type === 'integer')
    return text.length < 16 || `${+text}` === text ? +text : text;
  return typeOf(field) === 'datetime-local' ? new Date(text).toISOString() : text;
};

const Typed = (of: Given): ReactNode => {
  const { field, needed, value, change } = of;
  const isNumber = field.type === 'number' || field.type === 'integer';
  const isTime = typeOf(field) === 'datetime-local';
  const shown = isTime && typeof value === 'string' ? value.slice(0, 16) : value;
  return (
    <label>
      <Name {...of} />
      <input
        type={typeOf(field)}
        required={needed}
        value={shown === undefined ? '' : String(shown)}
        {...(isNumber
          ? { min: field.minimum, max: field.maximum, step: field.type === 'integer' ? 1 : 'any' }
          : {})}
        {...('minLength' in field
          ? { minLength: field.minLength, maxLength: field.maxLength }
          : {})}
        onChange={({ target }) => change(typed(field, target.value))}
      />
    </label>
  );
};

export const FormField = (of: Given): ReactNode => {
  const { field, value, change } = of;
  const choices = choicesOf(field);
  if (field.type === 'array') return <ChooseSeveral of={of} choices={choices ?? []} />;
  if (choices !== undefined) return <Choose of={of} choices={choices} />;
  if (field.type === 'boolean')
    return (
      <label className="affirm">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => change(target.checked)}
        />
        <span>
          <Name {...of} needed />
        </span>
      </label>
    );
  return <Typed {...of} />;
};
