// The end of a form: the button that sends it, and the one that leaves it.
import type { ReactNode } from 'react';
import { useWords } from '../words/index.tsx';

export const FormEnd = ({
  button,
  disabled,
  leave,
}: {
  readonly button: string;
  readonly disabled: boolean;
  readonly leave: () => void;
}): ReactNode => (
  <div className="row">
    <button type="submit" className="main" disabled={disabled}>
      {button}
    </button>
    <button type="button" onClick={leave}>
      {useWords().cancel}
    </button>
  </div>
);
