// An act that should not happen by a slip: a button, and a dialog that says what it means, asks for the reason where one is
// kept, and shows the API's refusal in the reader's language.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useLater } from '../words/later.ts';
import { FormEnd } from './form-end.tsx';
import { ProblemNote } from './notes.tsx';

export interface Act {
  /** The button that opens the dialog. */
  readonly label: string;
  readonly title: string;
  /** What it does, and what it does not. */
  readonly means: readonly string[];
  /** The button that does it. */
  readonly button: string;
  /** Whether a reason is asked for. */
  readonly reason: boolean;
  readonly act: (reason: string) => Promise<unknown>;
  /** Read anew what it may have changed, whether it was done or refused. */
  readonly after: () => Promise<unknown>;
}

const Inside = ({
  of,
  titleId,
  close,
}: {
  readonly of: Act;
  readonly titleId: string;
  readonly close: () => void;
}): ReactNode => {
  const later = useLater();
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => of.act(reason.trim()),
    onSuccess: close,
    onSettled: of.after,
  });
  const unsaid = of.reason && reason.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!unsaid) mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <h2 id={titleId}>{of.title}</h2>
      {of.means.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {of.reason ? (
        <label>
          {later.reason}
          <textarea
            rows={2}
            maxLength={1_000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
      ) : null}
      {error ? <ProblemNote cause={error} /> : null}
      <FormEnd button={of.button} disabled={unsaid || isPending} leave={close} />
    </form>
  );
};

export const Confirm = ({ of }: { readonly of: Act }): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [open, setOpen] = useState(false);
  const show = (): void => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" onClick={show}>
        {of.label}
      </button>
      <dialog
        ref={dialog}
        className="confirm"
        aria-labelledby={titleId}
        onClose={() => setOpen(false)}
      >
        {open ? <Inside of={of} titleId={titleId} close={() => dialog.current?.close()} /> : null}
      </dialog>
    </>
  );
};
