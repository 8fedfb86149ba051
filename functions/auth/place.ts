// Where somebody returns to after signing in: a place in our page, never an address. Pure.
// Owns: what counts as one. It is only ever put after the `#` of our own origin, so it can lead nowhere else.

const charactersMax = 512;

/** Begins with a slash; visible ASCII, as the page writes its places; nothing that some reader takes for a slash. */
const place = /^\/[!-[\]-~]*$/;

/** The place asked for, or the page's first. */
export const placeFrom = (asked: string | undefined): string =>
  asked !== undefined && asked.length <= charactersMax && place.test(asked) ? asked : '/';

/** Why nobody was signed in, in the words of the address; the page says it in the person's language. */
export type Failure = 'expired' | 'refused' | 'failed' | 'no-workspace' | 'unavailable';

export const addressOf = (origin: string, at: string): string => `${origin}/#${placeFrom(at)}`;

/** The sign-in screen, with the reason and where to go on. */
export const failureAddress = (origin: string, why: Failure, at: string): string =>
  `${origin}/#/sign-in/${why}?return=${encodeURIComponent(placeFrom(at))}`;
