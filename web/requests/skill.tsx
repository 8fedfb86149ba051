// A request for a skill: which, why, what it brings; granted for the run or for the agent, or refused with a reason. Laws: L13.
import { type ReactNode, useState } from 'react';
import type { PersonRequest } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { useAnswering } from './answering.ts';
import { WordsForm } from './words-form.tsx';

export type SkillRequest = Extract<PersonRequest, { on: 'skill' }>;

export const Skill = ({ request }: { readonly request: SkillRequest }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [refusing, setRefusing] = useState(false);
  const { give, busy, error } = useAnswering(request.requestId);
  return (
    <section className="request" aria-label={words.skill.title} id={request.requestId}>
      <h4>{words.skill.title}</h4>
      <p>
        <strong>
          <Plain text={words.skill.asks(request.skill)} />
        </strong>
      </p>
      <p>
        <Plain text={request.reason} />
      </p>
      <p className="hint">
        {request.tools.length === 0
          ? words.skill.noTools
          : `${words.skill.brings} ${request.tools.join(', ')}`}
      </p>
      {error ? <ProblemNote cause={error} /> : null}
      {refusing ? (
        <WordsForm
          label={words.approval.reason}
          button={words.approval.refuseNow}
          cancel={() => setRefusing(false)}
          send={(reason) => {
            setRefusing(false);
            give({ kind: 'refuse', reason });
          }}
        />
      ) : (
        <div className="row answers">
          {(['run', 'agent'] as const).map((scope) => (
            <button
              key={scope}
              type="button"
              className={scope === 'run' ? 'main' : undefined}
              disabled={busy}
              onClick={() => give({ kind: 'grant', scope })}
            >
              {scope === 'run' ? words.skill.forRun : words.skill.forAgent}
            </button>
          ))}
          <button type="button" disabled={busy} onClick={() => setRefusing(true)}>
            {words.approval.refuse}
          </button>
        </div>
      )}
    </section>
  );
};
