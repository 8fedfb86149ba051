// One OpenID Connect issuer as its client: discovery, code exchange with PKCE, refresh, revocation, end of session.
// Owns: the client's settings and which failure means what. Laws: L18 (an error keeps a code; never a token, never the
// issuer's answer, which may quote one).
// Tested in test/functions/auth/attacks.test.ts.
import * as client from 'openid-client';
import {
  type Granted,
  type Issuer,
  IssuerUnavailable,
  type Pending,
  type RefusalReason,
  SignInRefused,
} from '../../ports/sign-in.ts';
import type { Clock } from '../../ports/world.ts';
import { isLoopback, safeUrl } from './verifier.ts';

export interface IssuerParts {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: () => Promise<string | undefined>;
  readonly scope: string;
  readonly clock: Pick<Clock, 'now'>;
}

const timeoutSeconds = 8;
/** How soon a change of the issuer's own description is seen. */
const keptMs = 3_600_000;
const toleranceSeconds = 5;

/** Secret in the body where the issuer takes it, else in the header, as the issuer says it can. */
const authenticationWith = (secret: string | undefined): client.ClientAuth => {
  if (secret === undefined) return client.None();
  const [inBody, inHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_post') ? inBody : inHeader;
    authenticate(server, metadata, body, headers);
  };
};

const word = (text: string | undefined): string =>
  /^[A-Za-z0-9_.-]{1,60}$/.exec(text ?? '')?.[0] ?? 'unknown';

/** What the checks of an answer find wrong with it; everything else is the issuer not answering as it should. */
const failedChecks: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** `onGrant`: what an `invalid_grant` means here: a code that is no good, or a session that is over. */
const failureOf = (error: unknown, onGrant: RefusalReason): Error => {
  if (error instanceof client.AuthorizationResponseError)
    return new SignInRefused('refused', word(error.error));
  if (error instanceof client.ResponseBodyError)
    return error.error === 'invalid_grant'
      ? new SignInRefused(onGrant, word(error.error))
      : new IssuerUnavailable(`The issuer refused us: ${error.status} ${word(error.error)}.`);
  if (error instanceof client.ClientError) {
    const code = word(error.code);
    return failedChecks.has(code)
      ? new SignInRefused('invalid', code)
      : new IssuerUnavailable(`The issuer did not answer as it should: ${code}.`);
  }
  // Ours: a setting or a secret that is not as it must be.
  if (error instanceof Error && error.constructor === Error) return error;
  return new IssuerUnavailable('The issuer could not be reached.');
};

const grantedOf = (answer: {
  readonly access_token: string;
  readonly id_token?: string | undefined;
  readonly refresh_token?: string | undefined;
}): Granted => ({
  accessToken: answer.access_token,
  idToken: answer.id_token,
  refreshToken: answer.refresh_token,
});

interface Kept {
  readonly configuration: Promise<client.Configuration>;
  readonly secret: string | undefined;
  readonly skewSeconds: number;
  readonly untilMs: number;
}

/** The issuer's configuration, read once and kept for a while. */
const configurationsOf = (parts: IssuerParts): (() => Promise<client.Configuration>) => {
  let kept: Kept | undefined;
  const discover = (secret: string | undefined, skewSeconds: number) => {
    const server = safeUrl(parts.issuer);
    return client.discovery(
      server,
      parts.clientId,
      { [client.clockSkew]: skewSeconds, [client.clockTolerance]: toleranceSeconds },
      authenticationWith(secret),
      {
        timeout: timeoutSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          ...(isLoopback(server) ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  };
  return async () => {
    const secret = await parts.clientSecret();
    const nowMs = parts.clock.now();
    // Our clock may be another than the machine's, which the library reads.
    const skewSeconds = Math.round((nowMs - Date.now()) / 1000);
    const isGood =
      kept !== undefined &&
      nowMs < kept.untilMs &&
      kept.secret === secret &&
      Math.abs(kept.skewSeconds - skewSeconds) <= 1;
    if (kept !== undefined && isGood) return kept.configuration;
    const configuration = discover(secret, skewSeconds);
    const fresh: Kept = { configuration, secret, skewSeconds, untilMs: nowMs + keptMs };
    kept = fresh;
    configuration.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return configuration;
  };
};

const beginWith = async (
  configuration: client.Configuration,
  scope: string,
  { returnTo, other }: { readonly returnTo: string; readonly other: boolean },
): Promise<{ readonly address: string; readonly pending: Pending }> => {
  const pending: Pending = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: returnTo,
    scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(other ? { prompt: 'login' } : {}),
  });
  return { address: address.href, pending };
};

const endAddressOf = (
  configuration: client.Configuration,
  clientId: string,
  returnTo: string,
): string | undefined => {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  return client.buildEndSessionUrl(configuration, {
    client_id: clientId,
    post_logout_redirect_uri: returnTo,
    logout_uri: returnTo, // Cognito's name for it.
  }).href;
};

export const issuerFrom = (parts: IssuerParts): Issuer => {
  const read = configurationsOf(parts);
  const asking = async <Answer>(
    ask: (configuration: client.Configuration) => Answer | Promise<Answer>,
    onGrant: RefusalReason = 'invalid',
  ): Promise<Answer> => {
    try {
      return await ask(await read());
    } catch (error) {
      throw failureOf(error, onGrant);
    }
  };
  return {
    begin: (asked) => asking((configuration) => beginWith(configuration, parts.scope, asked)),
    redeem: (cameBackBy, { state, nonce, verifier }) =>
      asking(async (configuration) =>
        grantedOf(
          await client.authorizationCodeGrant(configuration, cameBackBy, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          }),
        ),
      ),
    renew: (refreshToken) =>
      asking(
        async (configuration) =>
          grantedOf(await client.refreshTokenGrant(configuration, refreshToken)),
        'ended',
      ),
    revoke: (refreshToken) =>
      asking(async (configuration) => {
        if (configuration.serverMetadata().revocation_endpoint === undefined) return;
        await client.tokenRevocation(configuration, refreshToken, {
          token_type_hint: 'refresh_token',
        });
      }),
    endAddress: (returnTo) =>
      asking((configuration) => endAddressOf(configuration, parts.clientId, returnTo)),
  };
};
