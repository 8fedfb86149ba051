// The page: navigation, the screen that the address names, and the title with what needs somebody.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { cache } from './api/cache.ts';
import { finishedAway, reading } from './api/marks.ts';
import { useConversations, useInbox } from './api/queries.ts';
import { Icon, type IconName } from './parts/icon.tsx';
import { Loading } from './parts/notes.tsx';
import { session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { useStore } from './store.ts';
import { ConversationsScreen } from './thread/conversations-screen.tsx';
import { titleOf, useWords, WordsProvider } from './words/index.tsx';

const InboxScreen = lazy(() => import('./requests/inbox-screen.tsx').then(({ InboxScreen: default_ }) => ({ default: default_ })));

type Place = 'conversations' | 'inbox';
const places: readonly (readonly [Place, string, IconName])[] = [
  ['conversations', '/', 'talk'],
  ['inbox', '/inbox', 'inbox'],
];

const isIn = (place: string, href: string): boolean =>
  href === '/' ? /^\/($|c\/|new)/.test(place) : place.startsWith(href);

const useNeedsYou = (): number => useInbox().data?.length ?? 0;

const useTitle = (): void => {
  const words = useWords();
  const [place] = useLocation();
  const needsYou = useNeedsYou();
  const read = useStore(reading);
  const away = useConversations(1).data?.items.filter((one) => finishedAway(one, read)).length ?? 0;
  useEffect(() => {
    const here = places.find(([, href]) => isIn(place, href))?.[0] ?? 'conversations';
    document.title = titleOf(words.nav[here], needsYou + away);
  }, [words, place, needsYou, away]);
};

const Navigation = (): ReactNode => {
  const words = useWords();
  const [place] = useLocation();
  const needsYou = useNeedsYou();
  useTitle();
  return (
    <nav className="main-nav" aria-label={words.nav.label}>
      <ul>
        {places.map(([name, href, icon]) => (
          <li key={name}>
            <Link href={href} aria-current={isIn(place, href) ? 'page' : undefined}>
              <Icon name={icon} />
              <span className="nav-word">{words.nav[name]}</span>
              {name === 'inbox' && needsYou > 0 ? <span className="count">{needsYou}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Screens = (): ReactNode => (
  <Suspense fallback={<Loading />}>
    <Switch>
      <Route path="/inbox" component={InboxScreen} />
      <Route path="/c/:id" component={ConversationsScreen} />
      <Route component={ConversationsScreen} />
    </Switch>
  </Suspense>
);

const Inside = (): ReactNode => {
  const words = useWords();
  const { token } = useStore(session);
  if (token === undefined) return <SignIn />;
  return (
    <QueryClientProvider client={cache}>
      <a className="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>
        {words.skip}
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <Screens />
      </main>
    </QueryClientProvider>
  );
};

export const App = (): ReactNode => (
  <WordsProvider>
    <Router hook={useHashLocation}>
      <Inside />
    </Router>
  </WordsProvider>
);
