// An issuer that can be told to answer wrongly. Owns: its keys, its codes, and what was asked of it.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

export interface Manner {
  /** Claims over the ID token's own. */
  readonly idClaims?: object;
  /** Claims over the access token's own. */
  readonly accessClaims?: object;
  readonly refreshToken?: string | undefined;
  /** Takes each refresh token once and gives another with it, as RFC 9700 wants it; one that comes again is refused. */
  readonly rotates?: boolean;
  /** Signs the ID token with a key that it does not publish. */
  readonly foreignKey?: boolean;
  /** What the token endpoint answers instead. */
  readonly refusal?: { readonly status: number; readonly body: object };
}

export interface TestIssuer {
  readonly url: string;
  manner: Manner;
  /** Forms that reached the token endpoint. */
  readonly asked: URLSearchParams[];
  readonly revoked: string[];
  /** A refresh token that it gave out before. */
  know(refreshToken: string): void;
  /** Signs a person in: where the browser is sent back to. */
  authorise(address: string): string;
}

export const clientId = 'page';
export const manyCharacters = 'refresh-'.padEnd(1_800, 'x');

const openKeys = async () => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' };
  return { own: own.privateKey, foreign: foreign.privateKey, jwk };
};

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(await text(request));

/** Like Cognito: the ID token names the workspace, the access token does not. */
export const openIssuer = async (host = '127.0.0.1'): Promise<TestIssuer> => {
  const keys = await openKeys();
  const codes = new Map<string, { challenge: string; nonce: string }>();
  const asked: URLSearchParams[] = [];
  const revoked: string[] = [];
  const current = new Set<string>();
  const sign = (claims: object, foreign = false): Promise<string> =>
    new SignJWT({ iss: made.url, sub: 'u-1', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'own' })
      .setIssuedAt()
      .setExpirationTime('exp' in claims ? Number(claims.exp) : '1h')
      .sign(foreign ? keys.foreign : keys.own);
  const tokens = async (nonce: string | undefined): Promise<object> => {
    const { idClaims, accessClaims, foreignKey, rotates } = made.manner;
    const refreshToken = rotates === true ? crypto.randomUUID() : made.manner.refreshToken;
    if (rotates === true && refreshToken !== undefined) current.add(refreshToken);
    const id = { aud: clientId, 'custom:workspace': 'main', 'cognito:groups': ['admin'] };
    return {
      token_type: 'Bearer',
      expires_in: 3_600,
      access_token: await sign({ client_id: clientId, token_use: 'access', ...accessClaims }),
      id_token: await sign({ ...id, ...(nonce ? { nonce } : {}), ...idClaims }, foreignKey),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    };
  };
  const answerToken = async (form: URLSearchParams): Promise<[number, object]> => {
    asked.push(form);
    const { refusal } = made.manner;
    if (refusal !== undefined) return [refusal.status, refusal.body];
    if (form.get('grant_type') === 'refresh_token') {
      const known = current.delete(form.get('refresh_token') ?? '');
      return made.manner.rotates === true && !known
        ? [400, { error: 'invalid_grant' }]
        : [200, await tokens(undefined)];
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const hash = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== hash) return [400, { error: 'invalid_grant' }];
    return [200, await tokens(code.nonce)];
  };
  const server = createServer(async (request, response) => {
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url?.endsWith('/openid-configuration') === true)
      return say(200, {
        issuer: made.url,
        jwks_uri: `${made.url}/keys`,
        authorization_endpoint: `${made.url}/authorize`,
        token_endpoint: `${made.url}/token`,
        revocation_endpoint: `${made.url}/revoke`,
        end_session_endpoint: `${made.url}/logout`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['ES256'],
        subject_types_supported: ['public'],
      });
    // A page to go on from, and a place that a browser passes when it signs out.
    if (request.url?.startsWith('/authorize?') === true) {
      const back = made.authorise(`${made.url}${request.url}`).replaceAll('&', '&amp;');
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end(`<!doctype html><title>Issuer</title><a href="${back}">Go on</a>`);
    }
    if (request.url?.startsWith('/logout?') === true) {
      const to = new URL(request.url, made.url).searchParams.get('logout_uri') ?? '';
      return response.writeHead(303, { location: to }).end();
    }
    if (request.url === '/keys') return say(200, { keys: [keys.jwk] });
    const form = await formOf(request);
    if (request.url !== '/revoke') return say(...(await answerToken(form)));
    revoked.push(form.get('token') ?? '');
    return say(200, {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const made: TestIssuer = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    manner: { refreshToken: manyCharacters },
    asked,
    revoked,
    know: (refreshToken) => void current.add(refreshToken),
    authorise: (address) => {
      const { searchParams } = new URL(address);
      const given = (name: string): string => searchParams.get(name) ?? '';
      const code = crypto.randomUUID();
      codes.set(code, { challenge: given('code_challenge'), nonce: given('nonce') });
      return `${given('redirect_uri')}?${new URLSearchParams({ code, state: given('state') })}`;
    },
  };
  return made;
};
