// At a tool call: marking it as the faulty one, and what readers said of it. Small, since every call of a thread has it and the
// thread is in the first load: what there is to see is loaded when there is something to see.
import { lazy, type ReactNode } from 'react';
import { type CallPlace, callId } from '../api/faults.ts';
import { useAnchor } from '../parts/anchor.ts';
import { Late, patiently } from '../parts/late.tsx';
import { useCallFaults } from './conversation-faults.tsx';

const FaultNotes = lazy(async () => ({
  default: (await patiently(() => import('./fault-notes.tsx'))).FaultNotes,
}));
const Faulty = lazy(async () => ({
  default: (await patiently(() => import('./mark-faulty.tsx'))).MarkFaulty,
}));

interface Given {
  readonly of: CallPlace;
}

/** The marks of a call; an address may lead here. */
export const CallFaults = ({ of }: Given): ReactNode => {
  const marks = useCallFaults(of);
  const anchor = useAnchor<HTMLDivElement>(callId(of));
  return (
    <div id={callId(of)} className="call-faults" tabIndex={-1} {...anchor}>
      {marks.length === 0 ? null : (
        <Late>
          <FaultNotes marks={marks} />
        </Late>
      )}
    </div>
  );
};

export const MarkFaulty = ({ of, tool }: Given & { readonly tool: string }): ReactNode => (
  <Late>
    <Faulty of={of} tool={tool} />
  </Late>
);
