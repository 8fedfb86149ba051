// The form that marks a call as faulty, or rewords a mark: what the agent should have done, and what sort of mistake it was.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { newKey } from '../api/client.ts';
import type { CallPlace } from '../api/faults.ts';
import type { FaultMarkView } from '../api/types.ts';
import { FormEnd } from '../parts/form-end.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { type FaultKind, type FaultSaying, useMarking, useRewording } from './changes.ts';

/** As the API limits it, in characters. */
const noteMax = 2_000;

interface Given {
  readonly name: string;
  readonly before?: FaultSaying;
  readonly button: string;
  readonly busy: boolean;
  readonly cause: unknown;
  readonly send: (saying: FaultSaying) => void;
  readonly leave: () => void;
}

const FaultForm = ({ name, before, button, busy, cause, send, leave }: Given): ReactNode => {
  const { faults } = useLater();
  const [note, setNote] = useState(before?.note ?? '');
  const [kind, setKind] = useState<FaultKind | undefined>(before?.kind);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { kinds } = faults;
  const known = Object.keys(kinds).filter((one): one is FaultKind => one in kinds);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (note.trim() === '') return;
    send({ note: note.trim(), ...(kind === undefined ? {} : { kind }) });
  };
  return (
    <form
      className="stack fault-form"
      aria-label={name}
      onSubmit={submit}
      onKeyDown={({ key }) => {
        if (key === 'Escape') leave();
      }}
    >
      <label>
        {faults.should}
        <textarea
          ref={field}
          rows={3}
          maxLength={noteMax}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <label>
        {faults.kind}
        <select
          value={kind ?? ''}
          onChange={({ target }) => setKind(known.find((one) => one === target.value))}
        >
          <option value="">{faults.noKind}</option>
          {known.map((one) => (
            <option key={one} value={one}>
              {kinds[one]}
            </option>
          ))}
        </select>
      </label>
      <p className="hint">{faults.hint}</p>
      {cause ? <ProblemNote cause={cause} /> : null}
      <FormEnd button={button} disabled={busy || note.trim() === ''} leave={leave} />
    </form>
  );
};

export const MarkForm = ({
  of,
  tool,
  leave,
}: {
  readonly of: CallPlace;
  readonly tool: string;
  readonly leave: () => void;
}): ReactNode => {
  const { faults } = useLater();
  const marking = useMarking(of, leave);
  return (
    <FaultForm
      name={faults.formOf(tool)}
      button={faults.save}
      busy={marking.isPending}
      cause={marking.error}
      send={(given) => marking.mutate({ given, key: newKey() })}
      leave={leave}
    />
  );
};

export const RewordForm = ({
  mark,
  leave,
}: {
  readonly mark: FaultMarkView;
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const { faults } = useLater();
  const rewording = useRewording(mark, leave);
  const { note = '', kind } = mark;
  return (
    <FaultForm
      name={faults.formOf(mark.tool)}
      before={{ note, kind }}
      button={words.save}
      busy={rewording.isPending}
      cause={rewording.error}
      send={(given) => rewording.mutate({ given, key: newKey() })}
      leave={leave}
    />
  );
};
