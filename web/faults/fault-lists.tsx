// The calls marked as faulty of a run, for reading it, and of an agent, for whoever edits it: each with a link to the call.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { callPlace, useAgentFaults } from '../api/faults.ts';
import type { FaultMarkView } from '../api/types.ts';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { useRunFaults } from './conversation-faults.tsx';
import { FaultNote } from './fault-notes.tsx';

const Call = ({ mark }: { readonly mark: FaultMarkView }): ReactNode => {
  const words = useWords();
  const { faults } = useLater();
  return (
    <Link href={callPlace(mark)}>
      {faults.call(mark.step, mark.call + 1)}
      {words.colon}
      <code>
        <Plain text={mark.tool} />
      </code>
    </Link>
  );
};

/** Nothing when there is none. */
export const RunFaults = ({ runId }: { readonly runId: string }): ReactNode => {
  const { faults } = useLater();
  const marks = useRunFaults(runId);
  if (marks.length === 0) return null;
  return (
    <section className="stack" aria-label={faults.title}>
      <h2>{faults.title}</h2>
      <ul className="faults">
        {marks.map((mark) => (
          <FaultNote key={mark.markId} mark={mark} where={<Call mark={mark} />} />
        ))}
      </ul>
    </section>
  );
};

/** Shown at first; the rest on demand. */
const first = 20;

const AgentList = ({ marks }: { readonly marks: readonly FaultMarkView[] }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [all, setAll] = useState(false);
  const shown = all ? marks : marks.slice(0, first);
  return (
    <>
      <ul className="faults">
        {shown.map((mark) => (
          <FaultNote
            key={mark.markId}
            mark={mark}
            where={
              <>
                <Call mark={mark} /> ·{' '}
                <Link href={`/agents/${mark.agentId}?revision=${mark.revision}`}>
                  {words.agents.revision(mark.revision)}
                </Link>
              </>
            }
          />
        ))}
      </ul>
      {shown.length < marks.length ? (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          {words.more}
        </button>
      ) : null}
    </>
  );
};

export const AgentFaults = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const { faults } = useLater();
  return (
    <section className="stack" aria-label={faults.title}>
      <h2>{faults.title}</h2>
      <p className="hint">{faults.agentHint}</p>
      <Loaded asked={useAgentFaults(agentId)}>
        {(marks) =>
          marks.length === 0 ? <p className="hint">{faults.empty}</p> : <AgentList marks={marks} />
        }
      </Loaded>
    </section>
  );
};
