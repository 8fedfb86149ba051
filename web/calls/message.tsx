// A person's message in the thread, with its fate: queued, read at a step, held, withdrawn.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cache, keys } from '../api/cache.ts';
import { postMessage, withdrawMessage } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import type { Message } from '../api/types.ts';
import { claimsOf, session } from '../base/session.ts';
import { useStore } from '../base/store.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { CopyButton } from '../copying/copy-button.tsx';
import { useAnchor } from '../parts/anchor.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { spokenIn } from '../parts/spoken.ts';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

export const useSubject = (): string | undefined => {
  const { token } = useStore(session);
  return token === undefined ? undefined : claimsOf(token)?.subject;
};

const Fate = ({ message }: { readonly message: Message }): ReactNode => {
  const words = useWords();
  const { fate } = message;
  // The message that began the run is read at its first step: that says nothing new.
  if (fate.fate === 'started' || (fate.fate === 'taken' && fate.step === 1)) return null;
  return (
    <span className="fate" data-fate={fate.fate}>
      <Icon name={fate.fate === 'taken' ? 'check' : fate.fate === 'waiting' ? 'clock' : 'pause'} />
      {fate.fate === 'taken' ? words.thread.takenAt(fate.step) : words.thread.fates[fate.fate]}
    </span>
  );
};

const useWithdrawal = (message: Message, then: () => void) =>
  useMutation({
    mutationFn: () => withdrawMessage(message.conversationId, message.messageId),
    onSuccess: then,
    onSettled: () => cache.invalidateQueries({ queryKey: keys.messages(message.conversationId) }),
  });

const Waiting = ({
  message,
  edit,
}: {
  readonly message: Message;
  readonly edit: (text: string) => void;
}): ReactNode => {
  const words = useWords();
  const withdrawing = useWithdrawal(message, () => {});
  const editing = useWithdrawal(message, () => edit(message.text));
  return (
    <>
      <button type="button" className="quiet" onClick={() => editing.mutate()}>
        {words.thread.edit}
      </button>
      <button type="button" className="quiet" onClick={() => withdrawing.mutate()}>
        {words.thread.withdraw}
      </button>
      {withdrawing.error ? <ProblemNote cause={withdrawing.error} /> : null}
      {editing.error ? <ProblemNote cause={editing.error} /> : null}
    </>
  );
};

const Held = ({ message }: { readonly message: Message }): ReactNode => {
  const words = useWords();
  const sending = useMutation({
    mutationFn: (key: string) => postMessage(message.conversationId, message.text, key),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.messages(message.conversationId) }),
  });
  return (
    <>
      <button
        type="button"
        className="quiet"
        disabled={sending.isPending || sending.isSuccess}
        onClick={() => sending.mutate(newKey())}
      >
        {words.thread.sendAgain}
      </button>
      {sending.error ? <ProblemNote cause={sending.error} /> : null}
    </>
  );
};

export const MessageView = ({
  message,
  edit,
  begins = false,
}: {
  readonly message: Message;
  readonly edit: (text: string) => void;
  /** It began its run: it waits for nothing, and who changes their mind stops the run. */
  readonly begins?: boolean;
}): ReactNode => {
  const words = useWords();
  const mine = useSubject() === message.author.subject;
  const { fate } = message.fate;
  const waits = fate === 'waiting' && !begins;
  const anchor = useAnchor<HTMLLIElement>(message.messageId);
  return (
    <li
      className="item said"
      data-fate={fate === 'waiting' && !waits ? 'started' : fate}
      id={message.messageId}
      {...anchor}
    >
      <p className="who">
        <strong>
          <Plain text={message.author.name} />
        </strong>
        {mine ? <span className="hint"> ({words.thread.you})</span> : null} <Time at={message.at} />
        {fate === 'waiting' && !waits ? null : <Fate message={message} />}
        <CopyButton label={words.copy.text} text={() => message.text} />
        <CopyMenu compact id={message.messageId} thing={{ kind: 'message', of: message }} />
      </p>
      <p className="text" dir="auto" lang={spokenIn(message.text)}>
        <Plain text={message.text} />
      </p>
      <div className="row">
        {waits && mine ? <Waiting message={message} edit={edit} /> : null}
        {fate === 'held' ? <Held message={message} /> : null}
      </div>
    </li>
  );
};
