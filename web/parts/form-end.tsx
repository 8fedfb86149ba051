// The end of a form: the button that sends it, and the one that leaves it.
import { useIsMutating } from '@tanstack/react-query';
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
}): ReactNode => {
  const words = useWords();
  const sending = useIsMutating() > 0 && disabled;
  return (
    <div className="row">
      <button type="submit" className="main" disabled={disabled} aria-busy={sending}>
        {sending ? words.sending : button}
      </button>
      <button type="button" onClick={leave}>
        {words.cancel}
      </button>
    </div>
  );
};
