// Asking for changes: in words, and, if one likes, the exact arguments one wants. Both go to the agent as text; what it then
// proposes is approved, or not, as it stands. Laws: L6 (nobody but the agent makes an action's bytes).
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Changes } from '../agents/changes.tsx';
import { objectIn } from '../agents/edit-form.tsx';
import type { Action } from '../api/types.ts';
import { FormEnd } from '../parts/form-end.tsx';
import { useNumber, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

/** What the API takes. */
const charactersMax = 4_000;

/** The words, then the arguments if they were changed; undefined while these are no JSON object. */
const askedText = (
  said: string,
  {
    wanted,
    shown,
    before,
  }: { readonly wanted: string; readonly shown: string; readonly before: string },
): string | undefined => {
  if (wanted === before) return said.trim();
  const read = objectIn(wanted);
  if (read === undefined) return undefined;
  return `${said.trim()}\n\n${shown}\n${JSON.stringify(read, null, 2)}`.trim();
};

export const ChangesForm = ({
  action,
  busy,
  send,
  cancel,
}: {
  readonly action: Action;
  readonly busy: boolean;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { why, agents } = useLater();
  const number = useNumber();
  const before = JSON.stringify(action.arguments, null, 2);
  const [said, say] = useState('');
  const [wanted, want] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const text = askedText(said, { wanted, shown: why.wantedWords, before });
  const read = objectIn(wanted);
  const tooLong = text !== undefined && text.length > charactersMax;
  const ready = text !== undefined && text !== '' && !tooLong;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready) send(text);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label>
        {words.approval.what}
        <textarea ref={field} rows={2} value={said} onChange={({ target }) => say(target.value)} />
      </label>
      <label>
        {why.wanted}
        <textarea
          className="code"
          rows={6}
          spellCheck={false}
          value={wanted}
          aria-invalid={text === undefined}
          onChange={({ target }) => want(target.value)}
        />
      </label>
      <p className="hint">{why.wantedHint}</p>
      {read === undefined ? (
        <p className="problem" role="status">
          {agents.badJson}
        </p>
      ) : wanted === before ? null : (
        <Changes before={action.arguments} after={read} />
      )}
      {tooLong ? (
        <p className="problem" role="status">
          {why.tooLong(number(charactersMax))}
        </p>
      ) : null}
      <FormEnd button={words.approval.changeNow} disabled={busy || !ready} leave={cancel} />
    </form>
  );
};
