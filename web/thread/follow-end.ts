// The reader's place in a growing thread: at the end it follows, elsewhere it stays and counts what is new.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as at the end, in pixels. */
const nearPx = 60;
/** A place that moves this soon after a reader's wheel, touch or key was moved by them. */
const intentMs = 500;

export interface Place {
  /** New items since the reader left the end. */
  readonly fresh: number;
  readonly away: boolean;
  readonly toEnd: () => void;
}

/**
 * `count` is the number of items in the thread; `growth` changes whenever it may have become longer. Whoever comes by a link to
 * one item does not begin at the end.
 */
export const useFollowEnd = (
  pane: RefObject<HTMLElement | null>,
  count: number,
  growth: unknown,
  fromEnd = true,
): Place => {
  const [away, setAway] = useState(false);
  const [seen, setSeen] = useState(count);
  const atEnd = useRef(fromEnd);
  const toEnd = useCallback(() => {
    const element = pane.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    atEnd.current = true;
    setAway(false);
  }, [pane]);
  useEffect(() => {
    const element = pane.current;
    if (element === null) return undefined;
    let topBefore = element.scrollTop;
    let heightBefore = element.scrollHeight;
    let intendedMs = Number.NEGATIVE_INFINITY;
    const intend = (): void => {
      intendedMs = performance.now();
    };
    const look = (): void => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      // Only a reader who goes up leaves the end; content that changed its height, and moved the place with it, does not.
      const wentUp = element.scrollTop < topBefore;
      const changed = element.scrollHeight !== heightBefore;
      topBefore = element.scrollTop;
      heightBefore = element.scrollHeight;
      if (near) atEnd.current = true;
      else if (wentUp && (!changed || performance.now() - intendedMs < intentMs))
        atEnd.current = false;
      else if (atEnd.current) element.scrollTop = element.scrollHeight;
      setAway(!atEnd.current);
    };
    // What is inside grows when details load: follow that too.
    const grown = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    for (const child of element.children) grown.observe(child);
    const leaving = new AbortController();
    const { signal } = leaving;
    element.addEventListener('scroll', look, { passive: true, signal });
    for (const input of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      element.addEventListener(input, intend, { passive: true, signal });
    return () => {
      leaving.abort();
      grown.disconnect();
    };
  }, [pane]);
  const grownTo = useRef<unknown>(undefined);
  useLayoutEffect(() => {
    if (grownTo.current === growth) return;
    grownTo.current = growth;
    if (atEnd.current) toEnd();
  });
  useEffect(() => {
    if (!away) setSeen(count);
  }, [away, count]);
  return { fresh: away ? Math.max(0, count - seen) : 0, away, toEnd };
};
