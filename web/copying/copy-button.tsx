// A button that copies a text and says that it did, or that the browser refused.
import { type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useWords } from '../words/index.tsx';

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
  readonly text: () => string | Promise<string>;
  readonly plain?: boolean;
}): ReactNode => {
  const words = useWords();
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    const given = await Promise.resolve(text()).catch(() => undefined);
    const done = given !== undefined && (await write(given));
    setSaid(done ? words.copy.done : words.copy.failed);
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
