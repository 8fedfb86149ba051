// Text that somebody else wrote, harmless: as text only, in its own direction, with hidden characters made visible, and a
// giant one in pieces. Owns: that no byte of a tool's result can act or mislead here.
import { type ReactNode, useState } from 'react';
import { useNumber, useWords } from '../words/index.tsx';

/** Controls, zero-width characters and direction overrides; not line breaks, tabs and the joiner within an emoji. */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\r\t\u200d]]|\r(?!\n)|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gv;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const Hidden = ({ code }: { readonly code: string }): ReactNode => {
  const words = useWords();
  return (
    <mark className="hidden-character" title={words.call.hidden(code)}>
      {code}
    </mark>
  );
};

const partsOf = (text: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(<Hidden key={match.index} code={codeOf(match[0])} />);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
};

/** Short text on its own line or within one. */
export const Plain = ({ text }: { readonly text: string }): ReactNode => (
  <bdi>{text.search(hidden) < 0 ? text : partsOf(text)}</bdi>
);

/** It scrolls, so it must take the focus. */
export const focusable = { tabIndex: 0 } as const;

const firstShown = 4_000;
const shownMore = 50_000;

/** A block of text of any length; `label` names it for those who cannot see where it stands. */
export const Block = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode => {
  const words = useWords();
  const number = useNumber();
  const [shown, setShown] = useState(firstShown);
  const rest = text.length > shown;
  return (
    <div className="block">
      <section className="block-text" {...focusable} aria-label={label}>
        <pre dir="auto">{partsOf(rest ? text.slice(0, shown) : text)}</pre>
      </section>
      {rest ? (
        <p className="block-more">
          <span>{words.call.shownOf(number(shown), number(text.length))}</span>
          <button type="button" onClick={() => setShown(shown + shownMore)}>
            {words.more}
          </button>
        </p>
      ) : null}
    </div>
  );
};
