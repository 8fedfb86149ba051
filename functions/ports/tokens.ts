// The token port: whether a bearer token is the issuer's, meant for us and valid now.

export interface Tokens {
  /** The token's claims, or undefined when it is not valid. Throws when the issuer's keys cannot be had. */
  claimsOf(token: string): Promise<object | undefined>;
}
