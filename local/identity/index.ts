// The local identity provider's key and tokens: an issuer with one ES256 key, its discovery documents, access, ID and refresh
// tokens. Owns: `identity.json`, readable by its owner only. The private key never leaves this module.
import { existsSync, readFileSync } from 'node:fs';
import {
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { TwinClock } from '../base/clock.ts';
import { writeDurably } from '../base/files.ts';
import type { Person } from './people.ts';

export { type Person, type PersonName, people } from './people.ts';

export const localWorkspace = 'local';
export const localAudience = 'reprise';
export const localClient = 'reprise-local';

export interface Identity {
  /** A signed access token, valid for `lifetimeMs` (default 30 days). */
  token(person: Person, issuer: string, lifetimeMs?: number): Promise<string>;
  idToken(
    person: Person,
    issuer: string,
    about: { readonly lifetimeMs: number; readonly nonce?: string | undefined },
  ): Promise<string>;
  /** Renews the sign-in `session`; good for nothing else. */
  refreshToken(person: Person, issuer: string, session: string): Promise<string>;
  /** Whose, and of which sign-in; undefined when it is no refresh token of ours, or too old. */
  refreshed(
    token: string,
    issuer: string,
  ): Promise<{ readonly subject: string; readonly session: string } | undefined>;
  jwks(): { readonly keys: readonly JWK[] };
  configuration(issuer: string): Record<string, unknown>;
}

const dayMs = 86_400_000;
const thirtyDaysMs = 30 * dayMs;
const refreshMs = 7 * dayMs;

const readOrMakeKey = async (file: string): Promise<JWK> => {
  if (existsSync(file)) {
    const stored: JWK = JSON.parse(readFileSync(file, 'utf8'));
    if (stored.kty === 'EC' && typeof stored.d === 'string') return stored;
    throw new Error(`${file} holds no private key. Move it away; the twin then makes a new one.`);
  }
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = {
    ...(await exportJWK(privateKey)),
    alg: 'ES256',
    use: 'sig',
    kid: crypto.randomUUID(),
  };
  await writeDurably(file, JSON.stringify(key));
  return key;
};

const claimsOf = (person: Person): JWTPayload => ({
  name: person.name,
  email: person.email,
  workspace: localWorkspace,
  roles: person.roles,
  ...(person.kind === undefined ? {} : { 'reprise:kind': person.kind }),
});

/** A refresh token is for the provider itself: its audience is nobody's API. */
const refreshAudience = (issuer: string): string => `${issuer}/identity/token`;

const configurationOf = (issuer: string): Record<string, unknown> => ({
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  authorization_endpoint: `${issuer}/identity/authorize`,
  token_endpoint: `${issuer}/identity/token`,
  revocation_endpoint: `${issuer}/identity/revoke`,
  end_session_endpoint: `${issuer}/identity/end`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  id_token_signing_alg_values_supported: ['ES256'],
  subject_types_supported: ['public'],
  scopes_supported: ['openid', 'email', 'profile'],
});

/** Opens the key in `file`, made on the first start. */
export const openIdentity = async (file: string, clock: TwinClock): Promise<Identity> => {
  const key = await readOrMakeKey(file);
  const signingKey = await importJWK(key, 'ES256');
  const { d: _secret, ...published } = key;
  const publicKey = await importJWK(published, 'ES256');
  const sign = (
    claims: JWTPayload,
    to: { person: Person; issuer: string; audience: string; type: string; lifetimeMs: number },
  ): Promise<string> => {
    const nowSeconds = Math.floor(clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: to.type, kid: String(key.kid) })
      .setIssuer(to.issuer)
      .setSubject(to.person.subject)
      .setAudience(to.audience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + Math.floor(to.lifetimeMs / 1000))
      .setJti(crypto.randomUUID())
      .sign(signingKey);
  };
  return {
    token: (person, issuer, lifetimeMs = thirtyDaysMs) => {
      const use = { token_use: 'access', client_id: localClient, scope: 'reprise/use' };
      const to = { person, issuer, audience: localAudience, type: 'at+jwt', lifetimeMs };
      return sign({ ...use, ...claimsOf(person) }, to);
    },
    idToken: (person, issuer, { lifetimeMs, nonce }) => {
      const to = { person, issuer, audience: localClient, type: 'JWT', lifetimeMs };
      return sign({ ...claimsOf(person), ...(nonce === undefined ? {} : { nonce }) }, to);
    },
    refreshToken: (person, issuer, session) => {
      const audience = refreshAudience(issuer);
      const to = { person, issuer, audience, type: 'refresh+jwt', lifetimeMs: refreshMs };
      return sign({ sid: session }, to);
    },
    refreshed: async (token, issuer) => {
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          audience: refreshAudience(issuer),
          typ: 'refresh+jwt',
          currentDate: new Date(clock.now()),
        });
        const { sub, sid } = payload;
        return sub === undefined || typeof sid !== 'string'
          ? undefined
          : { subject: sub, session: sid };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
    jwks: () => ({ keys: [published] }),
    configuration: configurationOf,
  };
};
