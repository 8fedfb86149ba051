// A thing within a screen that an address leads to: `…?at=obs_…` scrolls to it, gives it the focus and marks it.
// Owns: that mark, as the current location, so that it is no matter of colour alone.
import { type Ref, useEffect, useRef } from 'react';
import { usePlace } from '../base/place.ts';

/** The id that the address leads to within the screen. */
export const useAt = (): string | undefined =>
  new URLSearchParams(usePlace.searchHook()).get('at') ?? undefined;

interface Anchored<Element> {
  readonly ref: Ref<Element>;
  readonly tabIndex?: -1;
  readonly 'aria-current'?: 'location';
}

/** Attributes of the element that holds the thing of this id. */
export const useAnchor = <Element extends HTMLElement>(id: string): Anchored<Element> => {
  const ref = useRef<Element>(null);
  const here = useAt() === id;
  useEffect(() => {
    if (!here) return;
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'center' });
  }, [here]);
  return { ref, ...(here ? { tabIndex: -1, 'aria-current': 'location' } : {}) };
};
