// The Lambda authoriser: a bearer token becomes a policy and a context, or nothing. Owns: that translation. Whether the
// caller may do what they ask is the API's to say (identity/access.ts); here it is only who they are.
// Laws: L13 (identity comes from the session), L18 (a token is never logged).
// Tested in test/functions/api/identity/identity.test.ts.
import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  APIGatewayTokenAuthorizerEvent,
} from 'aws-lambda';
import {
  type AuthoriseWorld,
  authoriseWorldFrom,
  lazily,
  type Substrate,
} from '../wiring/authorise.ts';
import { contextFrom } from './identity/claims.ts';

type AuthoriserEvent = APIGatewayRequestAuthorizerEvent | APIGatewayTokenAuthorizerEvent;

/** API Gateway answers 401 to an authoriser that throws exactly this message, 500 to any other. */
const unauthorised = (): Error => new Error('Unauthorized');

const headerOf = (event: AuthoriserEvent): string | undefined =>
  event.type === 'TOKEN'
    ? event.authorizationToken
    : Object.entries(event.headers ?? {}).find(
        ([name]) => name.toLowerCase() === 'authorization',
      )?.[1];

const tokenOf = (event: AuthoriserEvent): string | undefined =>
  /^Bearer ([\w~+/.=-]{1,16384})$/i.exec(headerOf(event) ?? '')?.[1];

/** Every method of this stage: a narrower policy would be wrong for the next request if it were ever cached. */
const resourceOf = (methodArn: string): string => {
  const [api = '', stage = ''] = methodArn.split('/');
  return `${api}/${stage}/*`;
};

const authorised = async (
  world: AuthoriseWorld,
  event: AuthoriserEvent,
): Promise<APIGatewayAuthorizerResult> => {
  const token = tokenOf(event);
  const claims = token === undefined ? undefined : await world.tokens.claimsOf(token);
  const context = contextFrom(claims);
  if (context === undefined) throw unauthorised();
  return {
    principalId: context.subject,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: resourceOf(event.methodArn) },
      ],
    },
    // Names have letters that are no ASCII, and what the gateway makes of them is nowhere said: none are put in its way.
    context: { ...context, name: encodeURIComponent(context.name.toWellFormed()) },
  };
};

export const authoriserOver =
  (world: AuthoriseWorld) =>
  async (event: AuthoriserEvent, _context: unknown): Promise<APIGatewayAuthorizerResult> =>
    authorised(world, event);

export const handlerFor = (substrate: Substrate) => authoriserOver(authoriseWorldFrom(substrate));

export const handler = lazily(handlerFor);
