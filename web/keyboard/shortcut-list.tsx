// The list of all keys, behind `?`. Loaded when it is first asked for.
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../words/index.tsx';
import { type AllWords, useLater } from '../words/later.ts';
import { keyPlaces, listOpen } from './shortcuts.ts';

const linesOf = ({ keys, nav, composer }: AllWords): readonly (readonly [string, string])[] => [
  ['?', keys.list],
  [composer.hint, keys.send],
  ['n', keys.newConversation],
  ['/', keys.search],
  ['j', keys.next],
  ['k', keys.previous],
  ['w', keys.composer],
  ['x', keys.needsYou],
  ['e', keys.latest],
  ...Object.entries(keyPlaces).map(
    ([letter, [name]]) => [`g ${letter}`, keys.go(nav[name])] as const,
  ),
  ['Esc', keys.leave],
];

export const ShortcutList = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { keys } = words;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Its end, where the button is, may be far from its beginning.
    dialog.current?.focus();
    dialog.current?.scrollTo(0, 0);
  }, []);
  const close = (): void => listOpen.set(false);
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className="keys"
      aria-labelledby="keys-title"
      onClose={close}
    >
      <h2 id="keys-title">{keys.title}</h2>
      <table>
        <tbody>
          {linesOf(words).map(([key, what]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">{keys.note}</p>
      <button type="button" className="main" onClick={() => dialog.current?.close()}>
        {keys.close}
      </button>
    </dialog>
  );
};
