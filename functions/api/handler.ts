// The API's Lambda: one Hono application behind API Gateway proxy events. Owns: the entry.
// Tested in test/functions/api/problems/problems.test.ts.
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { type ApiWorld, apiWorldFrom, lazily, type Substrate } from '../wiring/api.ts';
import { appFor } from './app.ts';

export const handlerOver = (
  world: ApiWorld,
): ((event: LambdaEvent, context: LambdaContext) => ReturnType<ReturnType<typeof handle>>) =>
  // Everything it answers is text, Markdown included, which the adapter would take for bytes.
  handle(appFor(world), { isContentTypeBinary: () => false });

export const handlerFor = (substrate: Substrate) => handlerOver(apiWorldFrom(substrate));

export const handler = lazily(handlerFor);
