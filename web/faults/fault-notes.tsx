// Fault marks as readers see them: who marked the call, why, and how it is reworded or taken back by its author or an admin.
import { type ReactNode, useState } from 'react';
import { newKey } from '../api/client.ts';
import type { FaultMarkView } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { useTakingBack } from './changes.ts';
import { RewordForm } from './fault-form.tsx';

/** Taking it back asks once more, since it offers to erase the note as well. */
const TakeBack = ({
  mark,
  leave,
}: {
  readonly mark: FaultMarkView;
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const { faults } = useLater();
  const taking = useTakingBack(mark, leave);
  const take = (erase: boolean) => () => taking.mutate({ given: { erase }, key: newKey() });
  return (
    <>
      <p className="hint">{faults.takeBackHint}</p>
      {taking.error ? <ProblemNote cause={taking.error} /> : null}
      <div className="row">
        <button type="button" className="main" disabled={taking.isPending} onClick={take(false)}>
          {faults.takeBack}
        </button>
        <button type="button" disabled={taking.isPending} onClick={take(true)}>
          {faults.erase}
        </button>
        <button type="button" onClick={leave}>
          {words.cancel}
        </button>
      </div>
    </>
  );
};

const Own = ({ mark }: { readonly mark: FaultMarkView }): ReactNode => {
  const { faults } = useLater();
  const [doing, setDoing] = useState<'rewording' | 'taking'>();
  const leave = (): void => setDoing(undefined);
  if (doing === 'rewording') return <RewordForm mark={mark} leave={leave} />;
  if (doing === 'taking') return <TakeBack mark={mark} leave={leave} />;
  return (
    <div className="row">
      <button type="button" className="quiet" onClick={() => setDoing('rewording')}>
        {faults.edit}
      </button>
      <button type="button" className="quiet" onClick={() => setDoing('taking')}>
        {faults.takeBackAsk}
      </button>
    </div>
  );
};

/** One mark; `where` says which call it is on, where that is not seen already. */
export const FaultNote = ({
  mark,
  where,
}: {
  readonly mark: FaultMarkView;
  readonly where?: ReactNode;
}): ReactNode => {
  const words = useWords();
  const { faults } = useLater();
  const { kind, note = '', by, at, changed, mayChange } = mark;
  return (
    <li className="fault">
      {where === undefined ? null : <p>{where}</p>}
      <p className="who">
        <Icon name="hand" />
        <strong>{faults.marked}</strong>
        {kind === undefined ? null : <span>{faults.kinds[kind]}</span>}
        <span className="hint">
          <Plain text={words.by(by.name)} /> <Time at={at} />
          {changed === undefined ? null : (
            <>
              {' · '}
              {faults.changed} <Plain text={words.by(changed.by.name)} /> <Time at={changed.at} />
            </>
          )}
        </span>
        <CopyMenu compact id={mark.markId} thing={{ kind: 'faultMark', of: mark }} />
      </p>
      <p className="text" dir="auto">
        <Plain text={note} />
      </p>
      {mayChange ? <Own mark={mark} /> : null}
    </li>
  );
};

export const FaultNotes = ({ marks }: { readonly marks: readonly FaultMarkView[] }): ReactNode => (
  <ul className="faults">
    {marks.map((mark) => (
      <FaultNote key={mark.markId} mark={mark} />
    ))}
  </ul>
);
