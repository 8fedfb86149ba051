// At a tool call: marking it as the faulty one, and what readers said of it. Small, since every call in a thread has it; the
// form and the notes are loaded when there is one to show.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { type CallPlace, callId, callPlace } from '../api/faults.ts';
import { useAnchor } from '../parts/anchor.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/notes.tsx';
import { useSubject } from '../thread/message.tsx';
import { useWords } from '../words/index.tsx';
import { useCallFaults } from './conversation-faults.tsx';

const FaultNotes = lazy(async () => ({
  default: (await import('./fault-notes.tsx')).FaultNotes,
}));
const MarkForm = lazy(async () => ({ default: (await import('./fault-form.tsx')).MarkForm }));

/** The marks of a call; an address may lead here. */
export const CallFaults = ({ of }: { readonly of: CallPlace }): ReactNode => {
  const marks = useCallFaults(of);
  const anchor = useAnchor<HTMLDivElement>(callId(of));
  return (
    <div className="call-faults" {...anchor}>
      {marks.length === 0 ? null : (
        <Suspense fallback={<Loading />}>
          <FaultNotes marks={marks} />
        </Suspense>
      )}
    </div>
  );
};

/** How many marks a call has, with a link to it: for lists that show no notes. */
export const CallFlag = ({ of }: { readonly of: CallPlace | undefined }): ReactNode =>
  of === undefined ? null : <Flag of={of} />;

const Flag = ({ of }: { readonly of: CallPlace }): ReactNode => {
  const words = useWords();
  const [mark, ...others] = useCallFaults(of);
  if (mark === undefined) return null;
  return (
    <Link className="call-flag" href={callPlace(mark)}>
      <Icon name="hand" /> {words.faults.marks(others.length + 1)}
    </Link>
  );
};

/** Opens the form. Each person has one mark per call: whoever has marked it changes theirs instead. */
export const MarkFaulty = ({
  of,
  tool,
}: {
  readonly of: CallPlace;
  readonly tool: string;
}): ReactNode => {
  const words = useWords();
  const subject = useSubject();
  const [open, setOpen] = useState(false);
  if (useCallFaults(of).some(({ by }) => by.subject === subject)) return null;
  return open ? (
    <Suspense fallback={<Loading />}>
      <MarkForm of={of} tool={tool} leave={() => setOpen(false)} />
    </Suspense>
  ) : (
    <p>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        {words.faults.mark}
      </button>
    </p>
  );
};
