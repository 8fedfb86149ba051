// Changes a configuration, a registration or a skill by making its next version: edited as JSON, with what was and what becomes
// shown before it is saved. A first version begins from an example and has nothing before it.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { parseWritten } from '../../functions/core/base/exact-json.ts';
import { newKey } from '../api/client.ts';
import type { Json, JsonObject } from '../api/types.ts';
import { FormEnd } from '../parts/form-end.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';
import { Changes } from './changes.tsx';
import { type Compared, useFieldNames } from './field-names.ts';

export const objectIn = (text: string): JsonObject | undefined => {
  try {
    // As it was written: what cannot be kept exactly is the API's to refuse, not ours to change.
    const value = parseWritten(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as JsonObject;
  } catch {
    return undefined;
  }
};

interface Editing {
  readonly kind: Compared;
  /** The field's name. */
  readonly label: string;
  /** The newest version, which the next one follows. */
  readonly before: Json;
  /** `before` is an example to begin from. */
  readonly first?: boolean;
  readonly button: string;
  /** One key for one intention: a repeat after a lost answer makes no second version. */
  readonly save: (body: JsonObject, key: string) => Promise<unknown>;
  readonly leave: () => void;
}

export const EditForm = ({
  kind,
  label,
  before,
  first = false,
  button,
  save,
  leave,
}: Editing): ReactNode => {
  const { agents } = useLater();
  const names = useFieldNames(kind);
  const [text, setText] = useState(() => JSON.stringify(before, null, 2));
  const read = objectIn(text);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ body, key }: { readonly body: JsonObject; readonly key: string }) =>
      save(body, key),
    onSuccess: leave,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (read !== undefined) mutate({ body: read, key: newKey() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label>
        {label}
        <textarea
          rows={18}
          className="code"
          spellCheck={false}
          value={text}
          aria-invalid={read === undefined}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {read === undefined ? (
        <p className="problem" role="status">
          {agents.badJson}
        </p>
      ) : first ? null : (
        <Changes before={before} after={read} names={names} />
      )}
      {error ? <ProblemNote cause={error} /> : null}
      <FormEnd button={button} disabled={read === undefined || isPending} leave={leave} />
    </form>
  );
};

/** The form behind its button. */
export const Edit = ({
  open,
  ...editing
}: Omit<Editing, 'leave'> & { readonly open: string }): ReactNode => {
  const [shown, setShown] = useState(false);
  if (shown) return <EditForm {...editing} leave={() => setShown(false)} />;
  return (
    <div>
      <button type="button" onClick={() => setShown(true)}>
        {open}
      </button>
    </div>
  );
};
