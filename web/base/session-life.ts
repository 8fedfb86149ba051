// The life of a session: begun or found again, renewed before its token ends and once after a refusal, shared by the tabs of one
// browser, ended in all of them. Owns: when /auth is asked. Laws: L18 (tokens go between tabs of one origin and nowhere else).
import {
  claimsOf,
  forget,
  forgetGiven,
  givenToken,
  session,
  signIn,
  signInIssued,
  takeFromAddress,
  takeReason,
  tokenIn,
} from './session.ts';

const name = 'reprise.session';
const channel = new BroadcastChannel(name);

type Said =
  | { readonly say: 'given?' }
  | { readonly say: 'given'; readonly token: string }
  | { readonly say: 'issued'; readonly token: string; readonly forMs: number }
  | { readonly say: 'out' };
const tell = (said: Said): void => channel.postMessage(said);

type Outcome =
  | { readonly is: 'token'; readonly token: string; readonly forMs: number }
  | { readonly is: 'nobody' | 'over' | 'unreachable' };

interface Issued {
  readonly token: string;
  readonly expiresInMs: number;
}

/** The tabs wait for each other: none may wait for ever. */
const limitMs = 30_000;
const ask = (path: string): Promise<Response> =>
  fetch(path, { method: 'POST', cache: 'no-store', signal: AbortSignal.timeout(limitMs) });

const askForToken = async (): Promise<Outcome> => {
  try {
    const response = await ask('/auth/token');
    if (response.status === 200) {
      const { token, expiresInMs }: Issued = await response.json();
      return { is: 'token', token, forMs: expiresInMs };
    }
    if (response.status === 401) return { is: 'over' };
    return { is: response.status < 500 && response.status !== 429 ? 'nobody' : 'unreachable' };
  } catch {
    return { is: 'unreachable' };
  }
};

/** So long before its end a token is renewed, or a quarter of its life when that is less. */
const aheadMsMax = 60_000;
const againMs = 5_000;
let timer: number | undefined;

const renewIn = (ms: number): void => {
  clearTimeout(timer);
  timer = window.setTimeout(() => void renew(session.get().token), ms);
};

/** Another person's session in this browser: nothing of the one before may stay on the screen. */
const isSomebodyElse = (token: string): boolean => {
  const before = session.get().token;
  return before !== undefined && claimsOf(before)?.subject !== claimsOf(token)?.subject;
};

const take = (token: string, forMs: number): void => {
  if (isSomebodyElse(token)) {
    location.reload();
    return;
  }
  signInIssued(token);
  renewIn(Math.max(0, forMs - Math.min(aheadMsMax, forMs / 4)));
};

const end = (): void => {
  clearTimeout(timer);
  forget('ended');
};

type Renewal = 'renewed' | 'ended' | 'unreachable';

const renewAlone = async (stale: string | undefined): Promise<Renewal> => {
  // Another tab, or another call of this one, was faster.
  if (session.get().token !== stale) return session.get().token === undefined ? 'ended' : 'renewed';
  const outcome = await askForToken();
  switch (outcome.is) {
    case 'token':
      tell({ say: 'issued', token: outcome.token, forMs: outcome.forMs });
      take(outcome.token, outcome.forMs);
      return 'renewed';
    case 'unreachable':
      renewIn(againMs);
      return 'unreachable';
    default:
      end();
      return 'ended';
  }
};

/** A token in place of one that ends or was refused. One tab at a time: an issuer may take a renewal only once. */
export const renew = async (stale: string | undefined): Promise<Renewal> => {
  const { token, kind } = session.get();
  if (token === stale && kind === 'given') {
    forget('ended');
    return 'ended';
  }
  return navigator.locks.request(name, () => renewAlone(stale));
};

const isSaid = (data: unknown): data is Said =>
  typeof data === 'object' && data !== null && 'say' in data;

/** What another tab says. A token that was given is passed on to a tab that has none; nothing is kept beyond the tabs. */
const hear = (said: Said): void => {
  const { phase, kind, token } = session.get();
  switch (said.say) {
    case 'given?':
      if (kind === 'given' && token !== undefined) tell({ say: 'given', token });
      return;
    case 'given': {
      const given = tokenIn(said.token);
      if (phase === 'out' && given !== undefined) signIn(given);
      return;
    }
    case 'issued':
      if (kind === 'issued' || phase === 'out') take(said.token, said.forMs);
      return;
    case 'out':
      if (kind === 'issued') end();
  }
};

/** Is there a session from before? If not, has another tab a token? */
const findAgain = async (): Promise<void> => {
  const failed = takeReason();
  const outcome = await navigator.locks.request(name, askForToken);
  if (session.get().phase !== 'asking') return;
  if (outcome.is === 'token') {
    take(outcome.token, outcome.forMs);
    tell({ say: 'issued', token: outcome.token, forMs: outcome.forMs });
    return;
  }
  const why = { nobody: undefined, over: 'ended', unreachable: 'unavailable' } as const;
  forget(failed ?? why[outcome.is]);
  if (failed === undefined) tell({ say: 'given?' });
};

export const beginSession = (): void => {
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isSaid(data)) hear(data);
  });
  const fromAddress = (): void => {
    const token = takeFromAddress();
    if (token !== undefined) signIn(token);
  };
  fromAddress();
  addEventListener('hashchange', fromAddress);
  const given = givenToken();
  if (given === undefined) void findAgain();
  else signIn(given);
};

/** Leaves for the issuer; the page comes back to the same place. `other`: as another person than the one signed in. */
export const goSignIn = ({ other = false }: { readonly other?: boolean } = {}): void => {
  forgetGiven();
  const place = location.hash.replace(/^#/, '') || '/';
  location.assign(`/auth/login?return=${encodeURIComponent(place)}${other ? '&other' : ''}`);
};

interface Left {
  readonly address?: string;
}

const leave = async (): Promise<boolean> => {
  try {
    const response = await ask('/auth/logout');
    if (!response.ok) return false;
    const { address }: Left = await response.json();
    tell({ say: 'out' });
    clearTimeout(timer);
    forget();
    if (address !== undefined) location.assign(address);
    return true;
  } catch {
    return false;
  }
};

/**
 * Ends the session here, in the other tabs and at the issuer. False: it could not be ended, and goes on. Not while a tab renews it:
 * the answer to that would begin it anew.
 */
export const signOut = async (): Promise<boolean> => {
  if (session.get().kind === 'issued') return navigator.locks.request(name, leave);
  forget();
  return true;
};
