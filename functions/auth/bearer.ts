// Which of an issuer's tokens the API takes: the access token, else the ID token. Owns: that choice.
// The ID token is the bearer where the access token names no workspace, as with Cognito.
import { contextFrom } from '../api/identity/claims.ts';
import type { Granted } from '../ports/sign-in.ts';
import type { Tokens } from '../ports/tokens.ts';

export interface Bearer {
  readonly token: string;
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly expiresAtMs: number;
}

/** Undefined when the token is not valid or names no workspace. Throws when the issuer's keys cannot be had. */
export const bearerIn = async (tokens: Tokens, token: string): Promise<Bearer | undefined> => {
  const context = contextFrom(await tokens.claimsOf(token));
  if (context === undefined) return undefined;
  return { token, subject: context.subject, expiresAtMs: context.expiresAtMs ?? 0 };
};

export const bearerOf = async (
  tokens: Tokens,
  { accessToken, idToken }: Granted,
): Promise<Bearer | undefined> =>
  (await bearerIn(tokens, accessToken)) ??
  (idToken === undefined ? undefined : bearerIn(tokens, idToken));
