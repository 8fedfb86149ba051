// A short text that goes with an answer: the reason of a refusal, what must change, why one declines.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { FormEnd } from '../parts/form-end.tsx';

export const WordsForm = ({
  label,
  button,
  needed = true,
  busy = false,
  send,
  cancel,
}: {
  readonly label: string;
  readonly button: string;
  readonly needed?: boolean;
  readonly busy?: boolean;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}): ReactNode => {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!needed || text.trim() !== '') send(text.trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label>
        {label}
        <textarea
          ref={field}
          rows={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') cancel();
          }}
        />
      </label>
      <FormEnd button={button} disabled={busy || (needed && text.trim() === '')} leave={cancel} />
    </form>
  );
};
