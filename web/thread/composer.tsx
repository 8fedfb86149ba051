// Where one writes. It stays enabled during a run: a message then steers it. What is written is kept per conversation until it
// is sent, and a message that could not be sent stays with its key, so that sending it again cannot say it twice.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cache, keys } from '../api/cache.ts';
import { postMessage } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';

/** Of a message: what the API takes. */
export const charactersMost = 100_000;

interface Sent {
  readonly text: string;
  readonly key: string;
}

export interface Draft {
  readonly text: string;
  readonly set: (text: string) => void;
}

const useSending = (id: string, sent: () => void) =>
  useMutation({
    mutationFn: async ({ text, key }: Sent) => {
      await postMessage(id, text, key);
      await cache.invalidateQueries({ queryKey: keys.messages(id) });
      await cache.invalidateQueries({ queryKey: keys.runs(id) });
    },
    onSuccess: sent,
  });

const Pending = ({ text }: { readonly text: string }): ReactNode => (
  <p className="sending" role="status">
    <Icon name="clock" /> {useWords().thread.fates.sending} <bdi>{text.slice(0, 80)}</bdi>
  </p>
);

const useSend = (id: string, draft: Draft) => {
  const key = useRef(newKey());
  const sending = useSending(id, () => {
    key.current = newKey();
    draft.set('');
  });
  const send = (): void => {
    if (draft.text.trim() !== '' && draft.text.length <= charactersMost && !sending.isPending)
      sending.mutate({ text: draft.text, key: key.current });
  };
  const type = (text: string): void => {
    // Another text is another intention.
    if (sending.isError) key.current = newKey();
    draft.set(text);
  };
  return { sending, send, type };
};

export const Composer = ({
  id,
  draft,
  steering,
  field,
}: {
  readonly id: string;
  readonly draft: Draft;
  readonly steering: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}): ReactNode => {
  const words = useWords();
  const { sending, send, type } = useSend(id, draft);
  // Where fingers point, the focus would bring up a keyboard over what is to be read.
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus({ preventScroll: true });
  }, [field]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <form className="composer" onSubmit={submit}>
      {sending.error ? <ProblemNote cause={sending.error} /> : null}
      {sending.isPending ? <Pending text={sending.variables.text} /> : null}
      <textarea
        ref={field}
        rows={2}
        data-key="composer"
        aria-label={words.composer.label}
        placeholder={steering ? words.composer.placeholderSteer : words.composer.placeholder}
        value={draft.text}
        readOnly={sending.isPending}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      <div className="row">
        <span className="hint">
          {draft.text.length > charactersMost
            ? words.composer.tooLong(charactersMost)
            : words.composer.hint}
        </span>
        <button type="submit" className="main" disabled={draft.text.trim() === ''}>
          <Icon name="send" />
          {steering ? words.composer.steer : words.composer.send}
        </button>
      </div>
    </form>
  );
};
