// Who is signed in, in this tab. A token is either given (pasted, or in the address that a start printed: kept in this tab's
// session storage) or issued (from a sign-in: kept in memory only, renewed by session-life.ts). Owns: those two, and that no
// token stays in the address. Laws: L18 (a token is shown nowhere and leaves in the Authorization header only).
import { type Store, storeOf } from './store.ts';

export { type Claims, claimsOf } from './claims.ts';

const storageKey = 'reprise.token';

/** Why nobody is signed in, where there is more to say than that; the first five are the words of a sign-in that failed. */
export const reasons = [
  'expired',
  'refused',
  'failed',
  'no-workspace',
  'unavailable',
  'ended',
] as const;
export type Reason = (typeof reasons)[number];

export interface Session {
  /** `asking`: whether a session goes on is not known yet. */
  readonly phase: 'asking' | 'in' | 'out';
  readonly token: string | undefined;
  readonly kind: 'given' | 'issued';
  readonly why: Reason | undefined;
}

export const session: Store<Session> = storeOf<Session>({
  phase: 'asking',
  token: undefined,
  kind: 'given',
  why: undefined,
});

export const givenToken = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined;
export const forgetGiven = (): void => sessionStorage.removeItem(storageKey);

/** With a token that was given. */
export const signIn = (token: string): void => {
  sessionStorage.setItem(storageKey, token);
  session.set({ phase: 'in', token, kind: 'given', why: undefined });
};

export const signInIssued = (token: string): void =>
  session.set({ phase: 'in', token, kind: 'issued', why: undefined });

/** Forgets the token of this tab. The place in the address stays, so that a person returns to it. */
export const forget = (why?: Reason): void => {
  forgetGiven();
  session.set({ phase: 'out', token: undefined, kind: 'given', why });
};

/** The token in what a person pasted: a whole address, or the token itself. */
export const tokenIn = (pasted: string): string | undefined => {
  const token = /[#&]token=([^&\s]+)/.exec(pasted)?.[1] ?? pasted.trim();
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
};

const replaceHash = (place: string): void =>
  history.replaceState(null, '', `${location.pathname}${location.search}#${place}`);

/** Takes a token out of the address (`#token=…`), so that neither history nor a copied link holds it. */
export const takeFromAddress = (): string | undefined => {
  if (!location.hash.startsWith('#token=')) return undefined;
  const token = tokenIn(location.hash);
  replaceHash('/');
  return token;
};

/** Takes out of the address why a sign-in failed; what stays is the place that was wanted. */
export const takeReason = (): Reason | undefined => {
  const found = /^#\/sign-in\/([a-z-]+)(?:\?(.*))?$/.exec(location.hash);
  if (found === null) return undefined;
  const place = new URLSearchParams(found[2]).get('return') ?? '/';
  replaceHash(place.startsWith('/') ? place : '/');
  return reasons.find((reason) => reason === found[1]) ?? 'failed';
};
