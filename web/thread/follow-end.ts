// The reader's place in a growing thread: at the end it follows, elsewhere it stays and counts what is new.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as at the end, in pixels. */
const nearPx = 60;

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
    const look = (): void => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      // Only going up leaves the end; content that grew below does not.
      const wentUp = element.scrollTop < topBefore;
      topBefore = element.scrollTop;
      if (near) atEnd.current = true;
      else if (wentUp) atEnd.current = false;
      setAway(!atEnd.current);
    };
    // What is inside grows when details load: follow that too.
    const grown = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    for (const child of element.children) grown.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      element.removeEventListener('scroll', look);
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
