// Asks the authorise function who a request is from, as API Gateway does: its policy decides, its context goes to the
// function. Asked for each request: a right that was withdrawn lives on in no cache. Owns: the reading of the policy.
import { z } from 'zod';
import { authoriser } from '../../functions/manifest.ts';
import type { TwinClock } from '../base/clock.ts';
import type { Place } from '../base/names.ts';
import { GatewayRefusal } from '../http/answers.ts';
import type { GatewayRequest } from '../http/request.ts';
import type { LambdaRuntime } from '../lambda/runtime.ts';
import { type AuthorizerContext, authorizerEvent, methodArn } from './event.ts';
import type { RouteMatch } from './routing.ts';

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const result = z.object({
  principalId: z.string(),
  policyDocument: z.object({
    Statement: z.array(
      z.object({ Effect: z.enum(['Allow', 'Deny']), Action: oneOrMany, Resource: oneOrMany }),
    ),
  }),
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
type Decision = z.infer<typeof result>;

const fits = (pattern: string, value: string): boolean => {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
};

const allows = ({ policyDocument }: Decision, arn: string): boolean => {
  const applying = policyDocument.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((action) => fits(action, 'execute-api:Invoke')) &&
      Resource.some((resource) => fits(resource, arn)),
  );
  return applying.length > 0 && applying.every(({ Effect }) => Effect === 'Allow');
};

export interface Authoriser {
  /** The context for the function. Throws GatewayRefusal: unauthenticated, forbidden, internal-error. */
  authorise(request: GatewayRequest, match: RouteMatch): Promise<AuthorizerContext>;
}

const ask = async (runtime: LambdaRuntime, event: object): Promise<Decision> => {
  const answer = await runtime.invoke(authoriser.function, JSON.stringify(event));
  if (answer.functionError !== undefined) {
    const failure = z.object({ errorMessage: z.string() }).safeParse(JSON.parse(answer.payload));
    // AWS's convention: this very message is how an authoriser says 401.
    throw new GatewayRefusal(
      failure.data?.errorMessage === 'Unauthorized' ? 'unauthenticated' : 'internal-error',
    );
  }
  const decision = result.safeParse(JSON.parse(answer.payload));
  if (decision.success) return decision.data;
  throw new GatewayRefusal('internal-error');
};

export const openAuthoriser = (
  runtime: LambdaRuntime,
  world: { readonly clock: TwinClock; readonly place: Place },
): Authoriser => ({
  authorise: async (request, match) => {
    const token = request.message.headers[authoriser.identityHeader.toLowerCase()];
    if (token === undefined || token === '') throw new GatewayRefusal('unauthenticated');
    const decision = await ask(runtime, authorizerEvent(request, match, world));
    if (!allows(decision, methodArn(request, world.place))) throw new GatewayRefusal('forbidden');
    return { ...decision.context, principalId: decision.principalId };
  },
});
