// Copying a thing: its id, its link, itself as JSON or Markdown, or the call that reads it. One small menu for every thing.
// Laws: L18 (the call names `$TOKEN`, never the token).
import { lazy, type ReactNode, useId, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Late, patiently } from '../parts/late.tsx';
import { useWords } from '../words/index.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Thing } from './thing-kinds.ts';

/** The forms of every kind of thing, loaded when the first menu is opened. */
const Forms = lazy(async () => ({
  default: (await patiently(() => import('./copy-forms.tsx'))).CopyForms,
}));

/** The id itself, shortened to look at and whole to copy, with a menu of the other forms. */
export const CopyMenu = ({
  id,
  thing,
  compact = false,
}: {
  readonly id: string;
  readonly thing: Thing;
  /** Where there are many beside each other: the id is copied from the menu alone. */
  readonly compact?: boolean;
}): ReactNode => {
  const words = useWords();
  const menu = useId();
  const [open, setOpen] = useState(false);
  return (
    <span className="copy-menu">
      <code className="id" title={id}>
        {shortId(id)}
      </code>
      {compact ? null : <CopyButton label={words.copy.id} text={() => id} />}
      <button
        type="button"
        className="copy"
        popoverTarget={menu}
        aria-label={words.copy.menu(shortId(id))}
      >
        <Icon name="dots" />
      </button>
      <span
        id={menu}
        popover="auto"
        className="menu"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {open ? (
          <Late meanwhile={words.loading}>
            <Forms id={id} thing={thing} />
          </Late>
        ) : null}
      </span>
    </span>
  );
};

/** Enough of an id to tell it from its neighbours. */
export const shortId = (id: string): string => {
  const [first = '', ...rest] = id.split('/');
  const short = first.length > 16 ? `${first.slice(0, 4)}…${first.slice(-6)}` : first;
  return [short, ...rest].join('/');
};
