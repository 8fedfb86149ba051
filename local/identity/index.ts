// The local identity provider: an issuer with one ES256 key, its discovery documents, and access tokens for the demo
// people. Owns: `identity.json`, readable by its owner only. The private key never leaves this module.
import { existsSync, readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { TwinClock } from '../clock.ts';
import { writeDurably } from '../files.ts';

export interface Person {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
}

export const people = {
  ana: {
    subject: 'ana',
    name: 'Ana',
    email: 'ana@example.test',
    roles: ['admin', 'approver', 'recoverer', 'member'],
  },
  ben: { subject: 'ben', name: 'Ben', email: 'ben@example.test', roles: ['member'] },
} as const satisfies Record<string, Person>;
export type PersonName = keyof typeof people;

export const localWorkspace = 'local';
export const localAudience = 'reprise';

export interface Identity {
  /** A signed access token, valid for `lifetimeMs` (default 30 days). */
  token(person: Person, issuer: string, lifetimeMs?: number): Promise<string>;
  jwks(): { readonly keys: readonly JWK[] };
  configuration(issuer: string): Record<string, unknown>;
}

const thirtyDaysMs = 30 * 86_400_000;

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

/** Opens the key in `file`, made on the first start. */
export const openIdentity = async (file: string, clock: TwinClock): Promise<Identity> => {
  const key = await readOrMakeKey(file);
  const signingKey = await importJWK(key, 'ES256');
  const { d: _secret, ...published } = key;
  return {
    token: (person, issuer, lifetimeMs = thirtyDaysMs) => {
      const nowSeconds = Math.floor(clock.now() / 1000);
      return new SignJWT({
        token_use: 'access',
        client_id: 'reprise-local',
        scope: 'reprise/use',
        name: person.name,
        email: person.email,
        workspace: localWorkspace,
        roles: person.roles,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(key.kid) })
        .setIssuer(issuer)
        .setSubject(person.subject)
        .setAudience(localAudience)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + Math.floor(lifetimeMs / 1000))
        .setJti(crypto.randomUUID())
        .sign(signingKey);
    },
    jwks: () => ({ keys: [published] }),
    configuration: (issuer) => ({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['ES256'],
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
    }),
  };
};
