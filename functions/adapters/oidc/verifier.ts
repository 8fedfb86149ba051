// Verifies tokens of one OpenID Connect issuer. Owns: which algorithms count, and where the keys come from.
// Keys are fetched from the address the issuer's configuration names, kept, and fetched again when a token names a new one.
// Tested in test/functions/auth/attacks.test.ts.
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Tokens } from '../../ports/tokens.ts';
import type { Clock } from '../../ports/world.ts';

/** Signatures only: a shared secret or `none` would let a reader of our settings make tokens. */
const algorithms = ['RS256', 'ES256', 'EdDSA'];
/** How far the issuer's clock may be off. */
const toleranceSeconds = 5;
const fetchMsMax = 5_000;

const Configuration = z.object({ issuer: z.string(), jwks_uri: z.url() });

export const isLoopback = (url: URL): boolean =>
  url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]';

/** Keys travel over TLS, save on this very machine. */
export const safeUrl = (text: string): URL => {
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  throw new Error(`The issuer's address ${text} is not https. Correct REPRISE_ISSUER.`);
};

const jwksUriOf = async (issuer: string): Promise<URL> => {
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
  const url = safeUrl(`${base}/.well-known/openid-configuration`);
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(fetchMsMax),
  });
  if (!response.ok) throw new Error(`The issuer answered ${response.status} for ${url.href}.`);
  const configuration = Configuration.parse(await response.json());
  if (configuration.issuer !== issuer)
    throw new Error(`The issuer at ${url.href} calls itself ${configuration.issuer}.`);
  return safeUrl(configuration.jwks_uri);
};

export interface VerifierParts {
  readonly issuer: string;
  readonly audience: string;
  readonly clock: Clock;
  /** Pause between two fetches of the keys: made-up key names must not flood the issuer. */
  readonly fetchPauseMs?: number;
}

type Keys = ReturnType<typeof createRemoteJWKSet>;

const payloadOf = async (
  token: string,
  keys: Keys,
  { issuer, audience, clock }: VerifierParts,
): Promise<JWTPayload | undefined> => {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    algorithms,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(clock.now()),
    requiredClaims: ['sub', 'exp'],
  });
  // Access tokens of Cognito name the client where others name the audience.
  const meant = [payload.aud ?? payload.client_id].flat();
  return meant.includes(audience) ? payload : undefined;
};

/** Failures that are the token's, not the issuer's: only those say that the caller is nobody. */
const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC';

export const verifierFrom = (parts: VerifierParts): Tokens => {
  let keys: Promise<Keys> | undefined;
  const keysOnce = (): Promise<Keys> => {
    keys ??= jwksUriOf(parts.issuer).then((uri) =>
      createRemoteJWKSet(uri, {
        timeoutDuration: fetchMsMax,
        cooldownDuration: parts.fetchPauseMs ?? 10_000,
      }),
    );
    // A failed look at the issuer is tried again by the next request.
    keys.catch(() => {
      keys = undefined;
    });
    return keys;
  };
  return {
    claimsOf: async (token) => {
      const known = await keysOnce();
      try {
        return await payloadOf(token, known, parts);
      } catch (error) {
        if (isTokensFault(error)) return undefined;
        throw error;
      }
    },
  };
};
