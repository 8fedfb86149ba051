// Who is signed in: the bearer token of this tab. Owns: where the token is kept (this tab's session storage) and that it
// never stays in the address. Laws: L18 (the token is shown nowhere and leaves in the Authorization header only).
import { type Store, storeOf } from './store.ts';

const storageKey = 'reprise.token';
const channelName = 'reprise.session';

/** What the page shows of a token; the API alone decides what it is worth. */
export interface Claims {
  readonly name: string;
  readonly subject: string;
  readonly workspace: string;
  readonly roles: readonly string[];
  /** Epoch milliseconds. */
  readonly expiresAtMs: number | undefined;
}
export interface Session {
  readonly token: string | undefined;
}

const read = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined;

export const session: Store<Session> = storeOf<Session>({ token: undefined });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a JWT's claims for display; undefined when it is none. */
export const claimsOf = (token: string): Claims | undefined => {
  try {
    const part = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(
      atob(part.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const claims: Record<string, unknown> = JSON.parse(new TextDecoder().decode(bytes));
    const { name, sub, workspace, roles, exp } = claims;
    return {
      name: textOf(name) || textOf(sub),
      subject: textOf(sub),
      workspace: textOf(workspace),
      roles: Array.isArray(roles) ? roles.map(textOf) : textOf(roles).split(' '),
      expiresAtMs: typeof exp === 'number' ? exp * 1000 : undefined,
    };
  } catch {
    return undefined;
  }
};

export const signIn = (token: string): void => {
  sessionStorage.setItem(storageKey, token);
  session.set({ token });
};

/** Forgets the token of this tab. */
export const signOut = (): void => {
  sessionStorage.removeItem(storageKey);
  session.set({ token: undefined });
};

/** The token in what a person pasted: a whole address, or the token itself. */
export const tokenIn = (pasted: string): string | undefined => {
  const token = /[#&]token=([^&\s]+)/.exec(pasted)?.[1] ?? pasted.trim();
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
};

/** Takes a token out of the address (`#token=…`), so that neither history nor a copied link holds it. */
const takeFromAddress = (): string | undefined => {
  if (!location.hash.startsWith('#token=')) return undefined;
  const token = tokenIn(location.hash);
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  return token;
};

/** A new tab of a signed-in person asks the person's other tabs; nothing is kept beyond them. */
const askOtherTabs = (): void => {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { token } = session.get();
    if (data === 'token?' && token !== undefined) channel.postMessage({ token });
    if (token === undefined && typeof data === 'object' && data !== null && 'token' in data) {
      const given = tokenIn(textOf(data.token));
      if (given !== undefined) signIn(given);
    }
  });
  if (session.get().token === undefined) channel.postMessage('token?');
};

export const beginSession = (): void => {
  const take = (): void => {
    const token = takeFromAddress();
    if (token !== undefined) signIn(token);
  };
  session.set({ token: read() });
  take();
  addEventListener('hashchange', take);
  askOtherTabs();
};
