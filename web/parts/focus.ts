// Where the focus goes when a form takes the place of the button that opened it, and when the form goes away again: whoever
// works by keys, or does not see the page, is never left with nothing.
import { type RefObject, useEffect, useRef } from 'react';

const giveBack = (id: string): void => {
  if (document.activeElement !== document.body) return;
  document.getElementById(id)?.focus();
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true });
};

/** Of a choice, what is chosen: that is where Tab would go. */
const firstControl = 'input:not([type=radio]), input:checked, select, textarea, button';

/** The first control of what appears takes the focus; afterwards the element of that id gets it, or else the screen. */
export const useFocusWithin = <Element extends HTMLElement>(
  backTo: string,
): RefObject<Element | null> => {
  const form = useRef<Element>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(firstControl)?.focus();
    return () => void requestAnimationFrame(() => giveBack(backTo));
  }, [backTo]);
  return form;
};
