// Changes an agent by making its next revision: edited as JSON, with what changes shown before it is saved.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { reviseAgent } from '../api/calls.ts';
import { newKey, Problem } from '../api/client.ts';
import type { AgentRevision, JsonObject } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { Changes } from './changes.tsx';

const objectIn = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const read: JsonObject = JSON.parse(text);
    return read;
  } catch {
    return undefined;
  }
};

const FieldErrors = ({ cause }: { readonly cause: unknown }): ReactNode => {
  const errors = cause instanceof Problem ? cause.members.errors : undefined;
  if (!Array.isArray(errors)) return null;
  return (
    <ul className="hint">
      {errors.map(({ field, reason }: { field: string; reason: string }) => (
        <li key={`${field}:${reason}`}>
          <code>{field}</code> {reason}
        </li>
      ))}
    </ul>
  );
};

export const ReviseForm = ({
  newest,
  leave,
}: {
  readonly newest: AgentRevision;
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const [text, setText] = useState(() => JSON.stringify(newest.configuration, null, 2));
  const read = objectIn(text);
  const saving = useMutation({
    mutationFn: ({ body, key }: { readonly body: object; readonly key: string }) =>
      reviseAgent(newest.agentId, body, key),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: keys.revisions(newest.agentId) });
      await cache.invalidateQueries({ queryKey: keys.agents });
      leave();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (read !== undefined) saving.mutate({ body: read, key: newKey() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label>
        {words.agents.json}
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
          {words.agents.badJson}
        </p>
      ) : (
        <Changes before={JSON.parse(JSON.stringify(newest.configuration))} after={read} />
      )}
      {saving.error ? <ProblemNote cause={saving.error} /> : null}
      <FieldErrors cause={saving.error} />
      <div className="row">
        <button type="submit" className="main" disabled={read === undefined || saving.isPending}>
          {words.agents.saveRevision}
        </button>
        <button type="button" onClick={leave}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
};
