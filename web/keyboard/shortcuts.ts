// Keys: single letters where nobody writes, and sequences "g x" to go to a screen.
// Owns: that letters can be switched off (WCAG 2.1.4) and that approving and refusing have none.
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { settings } from '../base/settings.ts';
import { type Store, storeOf } from '../base/store.ts';
import type { Words } from '../words/index.tsx';

/** Whether the list of all keys is shown. */
export const listOpen: Store<boolean> = storeOf(false);

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const press = (key: string): void => {
  const target = document.querySelector<HTMLElement>(`[data-key='${key}']`);
  if (target === null) return;
  target.focus();
  if (target instanceof HTMLButtonElement) target.click();
};

/** Focuses the conversation before or after the one with the focus, or the current one. */
const moveInList = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-conversation]')];
  const focused = rows.findIndex((row) => row.matches(':focus'));
  const current = rows.findIndex((row) => row.hasAttribute('aria-current'));
  const from = focused >= 0 ? focused : current;
  rows[Math.max(0, Math.min(rows.length - 1, from + by))]?.focus();
};

export const keyPlaces = {
  c: ['conversations', '/'],
  i: ['inbox', '/inbox'],
  d: ['desk', '/desk'],
  a: ['agents', '/agents'],
  t: ['tools', '/tools'],
  o: ['overview', '/overview'],
  k: ['skills', '/skills'],
  r: ['routines', '/routines'],
  u: ['audit', '/audit'],
  s: ['settings', '/settings'],
} as const satisfies { [letter: string]: readonly [keyof Words['nav'], string] };
const placeOf = (letter: string): string | undefined =>
  Object.entries(keyPlaces).find(([key]) => key === letter)?.[1][1];

type Act = (go: (place: string) => void) => void;
const acts: { readonly [key: string]: Act } = {
  '?': () => listOpen.set(true),
  '/': () => press('search'),
  n: (go) => go('/new'),
  j: () => moveInList(1),
  k: () => moveInList(-1),
  w: () => press('composer'),
  x: () => press('needs-you'),
  e: () => press('latest'),
};

/** How long the second key of a sequence may take. */
const sequenceMs = 1_500;

export const useShortcuts = (): void => {
  const [, go] = useLocation();
  useEffect(() => {
    let leader = 0;
    const act = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLElement && writes(event.target)) {
        if (event.key === 'Escape') event.target.blur();
        return;
      }
      if (!settings.get().letterKeys) return;
      const place = Date.now() - leader < sequenceMs ? placeOf(event.key) : undefined;
      leader = event.key === 'g' ? Date.now() : 0;
      const found = place === undefined ? acts[event.key] : () => go(place);
      if (found === undefined) return;
      event.preventDefault();
      found(go);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [go]);
};
