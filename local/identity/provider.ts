// The local identity provider over HTTP: authorization with a page to choose a person, tokens, revocation, end of session.
// Owns: which clients and return addresses it knows: the page's own, and a program's on loopback (RFC 8252).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf } from '../../functions/api/problems/language.ts';
import type { TwinClock } from '../base/clock.ts';
import { sendAnswer, sendWhole } from '../http/answers.ts';
import { type GatewayRequest, readBody } from '../http/request.ts';
import { chooserHeaders, chooserPage, wrongPage } from './chooser.ts';
import { type Asked, type Grants, openGrants } from './grants.ts';
import { type Identity, localClient } from './index.ts';
import { type Person, personOf } from './people.ts';

export interface ProviderParts {
  readonly identity: Identity;
  readonly clock: TwinClock;
  readonly issuer: () => string;
  /** How long access and ID tokens are valid (default one hour). */
  readonly lifetimeMs?: number | undefined;
}

export type Provider = (request: GatewayRequest, response: ServerResponse) => Promise<void>;

const hourMs = 3_600_000;
const bodyBytesMax = 64 * 1024;
const programs = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}\/callback$/;

interface World extends ProviderParts {
  readonly grants: Grants;
}

const redirect = (response: ServerResponse, address: string): void =>
  sendWhole(response, 303, { location: address, 'cache-control': 'no-store' }, '');

const tell = (response: ServerResponse, status: number, body: object): void =>
  sendWhole(
    response,
    status,
    { 'content-type': 'application/json', 'cache-control': 'no-store' },
    JSON.stringify(body),
  );

const refuse = (response: ServerResponse, error: string): void => tell(response, 400, { error });

/** What was asked, or why nobody may be sent back: then the return address is not to be trusted either. */
const askedIn = (query: URLSearchParams, issuer: string): Asked | string => {
  const clientId = query.get('client_id') ?? '';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (clientId !== localClient) return 'Unknown client_id.';
  const known = redirectUri === `${issuer}/auth/callback` || programs.test(redirectUri);
  if (!known || !URL.canParse(redirectUri)) return 'Unknown redirect_uri.';
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('response_type') !== 'code') return 'response_type must be code.';
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return 'PKCE with S256 is needed.';
  return { clientId, redirectUri, challenge, nonce: query.get('nonce') ?? undefined };
};

const authorize = (world: World, { query, message }: GatewayRequest, response: ServerResponse) => {
  const language = languageOf(message.headers['accept-language']);
  const asked = askedIn(query, world.issuer());
  if (typeof asked === 'string')
    return sendWhole(response, 400, chooserHeaders, wrongPage(language, asked));
  const person = personOf(query.get('person') ?? '');
  if (person === undefined) {
    const addressFor = ({ subject }: Person): string => {
      const chosen = new URLSearchParams(query);
      chosen.set('person', subject);
      return `/identity/authorize?${chosen}`;
    };
    return sendWhole(response, 200, chooserHeaders, chooserPage(language, addressFor));
  }
  const back = new URL(asked.redirectUri);
  back.searchParams.set('code', world.grants.code(person, asked));
  const state = query.get('state');
  if (state !== null) back.searchParams.set('state', state);
  return redirect(response, back.href);
};

const formOf = async (message: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams((await readBody(message, bodyBytesMax)).toString('utf8'));

const tokensFor = async (
  { identity, issuer, lifetimeMs = hourMs }: World,
  to: { readonly person: Person; readonly session: string; readonly nonce?: string | undefined },
): Promise<object> => ({
  token_type: 'Bearer',
  expires_in: Math.floor(lifetimeMs / 1000),
  access_token: await identity.token(to.person, issuer(), lifetimeMs),
  id_token: await identity.idToken(to.person, issuer(), { lifetimeMs, nonce: to.nonce }),
  refresh_token: await identity.refreshToken(to.person, issuer(), to.session),
});

const token = async (world: World, { message }: GatewayRequest, response: ServerResponse) => {
  const form = await formOf(message);
  const given = (name: string): string => form.get(name) ?? '';
  if (given('client_id') !== localClient) return tell(response, 401, { error: 'invalid_client' });
  switch (given('grant_type')) {
    case 'authorization_code': {
      const grant = world.grants.redeem(given('code'), {
        clientId: given('client_id'),
        redirectUri: given('redirect_uri'),
        verifier: given('code_verifier'),
      });
      if (grant === undefined) return refuse(response, 'invalid_grant');
      return tell(response, 200, await tokensFor(world, grant));
    }
    case 'refresh_token': {
      const known = await world.identity.refreshed(given('refresh_token'), world.issuer());
      const person = known === undefined ? undefined : personOf(known.subject);
      if (known === undefined || person === undefined || world.grants.isEnded(known.session))
        return refuse(response, 'invalid_grant');
      return tell(response, 200, await tokensFor(world, { person, session: known.session }));
    }
    default:
      return refuse(response, 'unsupported_grant_type');
  }
};

const revoke = async (world: World, { message }: GatewayRequest, response: ServerResponse) => {
  const form = await formOf(message);
  const known = await world.identity.refreshed(form.get('token') ?? '', world.issuer());
  if (known !== undefined) world.grants.end(known.session);
  return tell(response, 200, {});
};

/** There is no session of its own to end: whoever comes chooses a person each time. */
const end = (world: World, { query }: GatewayRequest, response: ServerResponse) => {
  const back = query.get('post_logout_redirect_uri');
  return redirect(response, back === `${world.issuer()}/` ? back : `${world.issuer()}/`);
};

const operations: Readonly<
  Record<string, (world: World, request: GatewayRequest, response: ServerResponse) => unknown>
> = {
  'GET /identity/authorize': authorize,
  'POST /identity/token': token,
  'POST /identity/revoke': revoke,
  'GET /identity/end': end,
};

/** Serves the paths under `/identity/`. */
export const openProvider = (parts: ProviderParts): Provider => {
  const world: World = { ...parts, grants: openGrants(parts.clock) };
  return async (request, response) => {
    const key = `${request.method} ${request.path}`;
    const run = Object.hasOwn(operations, key) ? operations[key] : undefined;
    if (run === undefined) return sendAnswer(response, 'not-found');
    await run(world, request, response);
  };
};
