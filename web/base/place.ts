// Where in the page somebody is: the address after `#`, path and query apart, so that a place with a query is one link that
// can be copied, opened in a tab and reloaded. Owns: reading and changing it, for the router.
import { useSyncExternalStore } from 'react';

const follow = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

const whole = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;
const path = (): string => whole().split('?', 1)[0] ?? '/';
const search = (): string => whole().split('?')[1] ?? '';

const go = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
  // Neither of the two tells of itself.
  dispatchEvent(new HashChangeEvent('hashchange'));
};

export const usePlace = (): [string, typeof go] => [useSyncExternalStore(follow, path), go];
usePlace.hrefs = (href: string): string => `#${href}`;
usePlace.searchHook = (): string => useSyncExternalStore(follow, search);
