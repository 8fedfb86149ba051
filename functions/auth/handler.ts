// The Lambda of /auth: one Hono application behind API Gateway proxy events. Owns: the entry.
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { authWorldFrom, lazily, type Substrate } from '../wiring/auth.ts';
import { authAppFor } from './app.ts';

export const handlerFor = (
  substrate: Substrate,
): ((event: LambdaEvent, context: LambdaContext) => ReturnType<ReturnType<typeof handle>>) =>
  handle(authAppFor(authWorldFrom(substrate)), { isContentTypeBinary: () => false });

export const handler = lazily(handlerFor);
