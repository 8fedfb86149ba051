// Copying a thing: its id, its link, itself as JSON or Markdown, or the call that reads it. One small menu for every thing.
import { type ReactNode, useId, useState } from 'react';
import { useWords } from '../words/index.tsx';
import { Icon } from './icon.tsx';

const write = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

/** Copies what `text` gives at that moment. */
export const CopyButton = ({
  label,
  text,
  plain = false,
}: {
  readonly label: string;
  readonly text: () => string;
  readonly plain?: boolean;
}): ReactNode => {
  const words = useWords();
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    setSaid((await write(text())) ? words.copy.done : words.copy.failed);
    setTimeout(() => setSaid(undefined), 2_000);
  };
  return (
    <button
      type="button"
      className={plain ? 'copy plain' : 'copy'}
      aria-label={label}
      onClick={() => void copy()}
    >
      {plain ? null : <Icon name={said === words.copy.done ? 'check' : 'copy'} />}
      {plain ? (said ?? label) : null}
      <span role="status" className="for-ears">
        {said}
      </span>
    </button>
  );
};

/** What can be copied of a thing; `path` is where the API has it. */
export interface Copied {
  readonly id: string;
  /** The page's own place for it, such as `/action/act_…`. */
  readonly place: string;
  readonly path: string;
  readonly json: () => unknown;
  readonly markdown?: () => string;
}

export const linkTo = (place: string): string => `${location.origin}${location.pathname}#${place}`;

const curlOf = (path: string): string =>
  `curl -sS '${location.origin}${path}' -H "Authorization: Bearer $TOKEN"`;

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** The id itself, shortened to look at and whole to copy, with a menu of the other forms. */
export const CopyMenu = ({ copied }: { readonly copied: Copied }): ReactNode => {
  const words = useWords();
  const menu = useId();
  const { id, place, path, json, markdown } = copied;
  return (
    <span className="copy-menu">
      <code className="id" title={id}>
        {shortId(id)}
      </code>
      <CopyButton label={words.copy.id} text={() => id} />
      <button
        type="button"
        className="copy"
        popoverTarget={menu}
        aria-label={words.copy.menu(shortId(id))}
      >
        <Icon name="dots" />
      </button>
      <span id={menu} popover="auto" className="menu">
        <CopyButton plain label={words.copy.id} text={() => id} />
        <CopyButton plain label={words.copy.link} text={() => linkTo(place)} />
        <CopyButton plain label={words.copy.json} text={() => jsonText(json())} />
        {markdown === undefined ? null : (
          <CopyButton plain label={words.copy.markdown} text={markdown} />
        )}
        <CopyButton plain label={words.copy.curl} text={() => curlOf(path)} />
      </span>
    </span>
  );
};

/** Enough of an id to tell it from its neighbours. */
export const shortId = (id: string): string =>
  id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
