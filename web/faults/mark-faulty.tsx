// The button that marks a call as faulty and the form it opens; and a word for lists that show no notes.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type CallPlace, callId, callPlace } from '../api/faults.ts';
import { useSubject } from '../calls/message.tsx';
import { Icon } from '../parts/icon.tsx';
import { useLater } from '../words/later.ts';
import { useCallFaults } from './conversation-faults.tsx';
import { MarkForm } from './fault-form.tsx';

/** Once the form is closed, where its reader goes on: at its button, or at the mark that was made. */
const useWayBack = (open: boolean, of: CallPlace) => {
  const button = useRef<HTMLButtonElement>(null);
  const left = useRef(false);
  useEffect(() => {
    if (left.current && !open)
      (button.current ?? document.getElementById(callId(of)))?.focus({ preventScroll: true });
    left.current = open;
  });
  return button;
};

/** Each person has one mark per call: whoever has marked it changes theirs instead. */
export const MarkFaulty = ({
  of,
  tool,
}: {
  readonly of: CallPlace;
  readonly tool: string;
}): ReactNode => {
  const { faults } = useLater();
  const subject = useSubject();
  const [open, setOpen] = useState(false);
  const button = useWayBack(open, of);
  if (useCallFaults(of).some(({ by }) => by.subject === subject)) return null;
  return open ? (
    <MarkForm of={of} tool={tool} leave={() => setOpen(false)} />
  ) : (
    <p>
      <button ref={button} type="button" className="quiet" onClick={() => setOpen(true)}>
        {faults.mark}
      </button>
    </p>
  );
};

/** How many marks a call has, with a link to them. */
export const CallFlag = ({ of }: { readonly of: CallPlace }): ReactNode => {
  const { faults } = useLater();
  const [mark, ...others] = useCallFaults(of);
  if (mark === undefined) return null;
  return (
    <Link className="call-flag" href={callPlace(mark)}>
      <Icon name="hand" /> {faults.marks(others.length + 1)}
    </Link>
  );
};
