// The page: navigation, the screen that the address names, and the title with what needs somebody.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { cache } from './api/cache.ts';
import { useSummary } from './api/queries.ts';
import { usePlace } from './base/place.ts';
import { claimsOf, session } from './base/session.ts';
import { useStore } from './base/store.ts';
import { listOpen, useShortcuts } from './keyboard/shortcuts.ts';
import { Icon } from './parts/icon.tsx';
import { Late, patiently } from './parts/late.tsx';
import { Loading, LostNote } from './parts/notes.tsx';
import { Plain } from './parts/plain-text.tsx';
import { Nowhere, places, routes } from './screens.tsx';
import { SignIn } from './sign-in.tsx';
import { ConversationsScreen } from './thread/conversations-screen.tsx';
import { titleOf, useWords, WordsProvider } from './words/index.tsx';

/** How much waits for this person, and how much has ended unseen: both are in the tab's title. */
const useCounts = (): { readonly needsYou: number; readonly away: number } => {
  const { data } = useSummary();
  return { needsYou: data?.needsYou.total ?? 0, away: data?.finishedWhileAway ?? 0 };
};

const useTitle = (count: number): void => {
  const words = useWords();
  const [place] = useLocation();
  useEffect(() => {
    const here = places.find(({ holds }) => holds.test(place))?.name;
    document.title = titleOf(here === undefined ? '404' : words.nav[here], count);
  }, [words, place, count]);
};

/** Whose page this is: one machine, or one screen, may be several people's in turn. */
const Who = (): ReactNode => {
  const { token } = useStore(session);
  const name = token === undefined ? undefined : claimsOf(token)?.name;
  return name === undefined ? null : (
    <span className="nav-who">
      <Plain text={name} />
    </span>
  );
};

const Places = ({ needsYou }: { readonly needsYou: number }): ReactNode => {
  const words = useWords();
  const [place] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const current = places.find(({ holds }) => holds.test(place));
  // On a narrow screen they scroll sideways: where one is stays in view.
  useEffect(() => {
    const link = current && list.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <ul ref={list}>
      {places.map(({ name, href, icon }) => (
        <li key={name}>
          <Link href={href} aria-current={name === current?.name ? 'page' : undefined}>
            <Icon name={icon} />
            <span className="nav-word">{words.nav[name]}</span>
            {name === 'inbox' && needsYou > 0 ? (
              <span className="count">
                {needsYou}
                <span className="for-ears"> {words.inbox.count(needsYou)}</span>
              </span>
            ) : null}{' '}
            {name === 'settings' ? <Who /> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** More than a moment ago needs this person: said at once, also to those who do not see the count. A thread says its own. */
const NeedsYou = ({ count }: { readonly count: number }): ReactNode => {
  const words = useWords();
  const [place] = useLocation();
  const before = useRef<number>(undefined);
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const more = before.current !== undefined && count > before.current;
    before.current = count;
    setSaid(more && !place.startsWith('/c/') ? words.inbox.count(count) : undefined);
  }, [count, place, words]);
  return said === undefined ? null : (
    <p className="for-ears" role="alert">
      {said}
    </p>
  );
};

const Navigation = (): ReactNode => {
  const words = useWords();
  const { data } = useSummary();
  const { needsYou, away } = useCounts();
  useTitle(needsYou + away);
  return (
    <nav className="main-nav" aria-label={words.nav.label}>
      <p className="brand">
        <img src="/mark.svg" alt="" />
        Reprise
      </p>
      <Places needsYou={needsYou} />
      {data === undefined ? null : <NeedsYou count={needsYou} />}
      <div className="nav-foot">
        <button type="button" aria-haspopup="dialog" onClick={() => listOpen.set(true)}>
          <Icon name="keyboard" />
          <span className="nav-word">{words.openKeys}</span>
        </button>
      </div>
    </nav>
  );
};

/** The address names the screen, so this is no link: it moves the focus. */
const toContent = (): void => document.getElementById('main')?.focus();

/** Who comes to another screen is there with the focus too, unless the screen has given it to a control of its own. */
const useArrival = (): void => {
  const [place] = useLocation();
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    const main = document.getElementById('main');
    const at = document.activeElement;
    // What was left behind is hidden until the other screen is loaded.
    const stays = main !== null && at !== main && main.contains(at) && at?.checkVisibility();
    if (!stays) main?.focus({ preventScroll: true });
  }, [place]);
};

const ShortcutList = lazy(async () => ({
  default: (await patiently(() => import('./keyboard/shortcut-list.tsx'))).ShortcutList,
}));

const Keys = (): ReactNode =>
  useStore(listOpen) ? (
    <Late>
      <ShortcutList />
    </Late>
  ) : null;

/** One pattern, so that the list stays as it is when a conversation is begun. */
const noneOpen = /^\/(new)?$/;

const SignedIn = (): ReactNode => {
  const words = useWords();
  const [place] = useLocation();
  useShortcuts();
  useArrival();
  return (
    <>
      <button type="button" className="skip" onClick={toContent}>
        {words.skip}
      </button>
      <Navigation />
      <LostNote />
      <main id="main" tabIndex={-1}>
        <Late meanwhile={<Loading />} of={place}>
          <Switch>
            {routes.map(([path, component]) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route path={noneOpen} component={ConversationsScreen} />
            <Route component={Nowhere} />
          </Switch>
        </Late>
      </main>
      <Keys />
    </>
  );
};

/** What one person has read is nothing for the next one who signs in here. */
const forgetOthersReading = (): void => {
  let last: string | undefined;
  session.follow(() => {
    const { token } = session.get();
    const subject = token === undefined ? undefined : claimsOf(token)?.subject;
    if (subject === undefined || subject === last) return;
    if (last !== undefined) cache.clear();
    last = subject;
  });
};
forgetOthersReading();

const Inside = (): ReactNode => {
  const { phase, token } = useStore(session);
  if (phase === 'asking')
    return (
      <main id="main">
        <Loading />
      </main>
    );
  if (token === undefined) return <SignIn />;
  return (
    <QueryClientProvider client={cache}>
      <SignedIn />
    </QueryClientProvider>
  );
};

export const App = (): ReactNode => (
  <WordsProvider>
    <Router hook={usePlace}>
      <Inside />
    </Router>
  </WordsProvider>
);
