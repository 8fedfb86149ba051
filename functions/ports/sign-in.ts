// The ports of signing in: the issuer as a client of it sees it, and the sealing of what a browser keeps for us.
// Laws: L18 (an error of these carries a code, never a token, a cookie or an answer of the issuer).

/** What one sign-in under way must show again when it comes back. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  /** PKCE: only its hash went to the issuer. */
  readonly verifier: string;
}

export interface Granted {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** `refused`: the issuer or the person said no. `ended`: the session is over. `invalid`: the answer failed a check. */
export type RefusalReason = 'refused' | 'ended' | 'invalid';

/** Nobody is signed in by this. Its message holds a code only. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, code: string) {
    super(`${reason}: ${code}`);
    this.reason = reason;
  }
}

/** The issuer could not be asked, or failed. Nothing is known of the session; ask again. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

export interface Issuer {
  /** Where a browser goes to sign in, and what must come back. `other`: ask who, even of somebody signed in there. */
  begin(asked: { readonly returnTo: string; readonly other: boolean }): Promise<{
    readonly address: string;
    readonly pending: Pending;
  }>;
  /** Redeems the code in the address that the browser came back by. Throws SignInRefused, IssuerUnavailable. */
  redeem(cameBackBy: URL, pending: Pending): Promise<Granted>;
  /** Throws SignInRefused, IssuerUnavailable. */
  renew(refreshToken: string): Promise<Granted>;
  /** Throws IssuerUnavailable. An issuer without revocation is not asked. */
  revoke(refreshToken: string): Promise<void>;
  /** Where a browser goes to end the issuer's own session; undefined when the issuer has no such place. */
  endAddress(returnTo: string): Promise<string | undefined>;
}

/** What is sealed for one purpose opens for no other. */
export type SealPurpose = 'transaction' | 'session';

export interface Seals {
  seal(purpose: SealPurpose, content: object, untilMs: number): Promise<string>;
  /** The content, or undefined when it was changed, is out of date, or was sealed for something else. */
  open(purpose: SealPurpose, sealed: string): Promise<object | undefined>;
}
