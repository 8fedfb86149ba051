// Loads the functions' modules and builds one handler per function. Owns: the built handlers.

import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { Substrate } from '../../functions/wiring/substrate.ts';
import { installStreaming, isStreaming } from './streaming.ts';

export type PlainHandler = (event: unknown, context: Context) => unknown;
export type StreamHandler = (event: unknown, stream: Writable, context: Context) => unknown;
export type BuiltHandler =
  | { readonly kind: 'plain'; readonly run: PlainHandler }
  | { readonly kind: 'streaming'; readonly run: StreamHandler };
/** What a handler module exports as `handlerFor`. */
export type HandlerFor = (substrate: Substrate) => unknown;

const root = join(import.meta.dirname, '..', '..');

/** The module or its handler cannot be used; AWS calls it a failed init. */
export class ImportModuleError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Runtime.ImportModuleError';
  }
}

const isHandlerFor = (value: unknown): value is HandlerFor => typeof value === 'function';
const isPlain = (value: unknown): value is PlainHandler =>
  typeof value === 'function' && !isStreaming(value);
const isStream = (value: unknown): value is StreamHandler =>
  typeof value === 'function' && isStreaming(value);

const exportOf = async (path: string): Promise<HandlerFor> => {
  installStreaming();
  let module: object;
  try {
    module = await import(pathToFileURL(join(root, path)).href);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new ImportModuleError(
      `The module ${path} could not be loaded: ${detail}. Create or correct it, then start the twin again.`,
      cause,
    );
  }
  const handlerFor: unknown = Reflect.get(module, 'handlerFor');
  if (isHandlerFor(handlerFor)) return handlerFor;
  throw new ImportModuleError(
    `The module ${path} exports no function "handlerFor". Export handlerFor(substrate), which returns the handler.`,
  );
};

/** Builds the handler of the module at `path` (or of `given`). Throws ImportModuleError, or what the factory throws. */
export const buildHandler = async (
  path: string,
  substrate: Substrate,
  given: HandlerFor | undefined,
): Promise<BuiltHandler> => {
  installStreaming();
  const made = (given ?? (await exportOf(path)))(substrate);
  if (isStream(made)) return { kind: 'streaming', run: made };
  if (isPlain(made)) return { kind: 'plain', run: made };
  throw new ImportModuleError(
    `handlerFor of ${path} returned no function. It must return the Lambda handler.`,
  );
};
