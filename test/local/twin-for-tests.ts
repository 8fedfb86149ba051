// A twin in a temporary folder for one test, with handlers given in place. Owns: its folder, which it removes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import type { FunctionEntry } from '../../functions/manifest.ts';
import type { Substrate } from '../../functions/wiring/substrate.ts';
import { startTwin, type Twin, type TwinOptions } from '../../local/twin.ts';

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-twin-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

export const testFunction = (changes: Partial<FunctionEntry> = {}): FunctionEntry => ({
  module: 'functions/none.ts',
  calledBy: 'api',
  timeoutMs: 5_000,
  memoryMb: 128,
  tables: {},
  ...changes,
});

/** Starts a twin whose schedules rest; it is closed when the test ends. */
export const twinForTest = async (options: Partial<TwinOptions> = {}): Promise<Twin> => {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const twin = await startTwin({
    dataDir,
    port: 0,
    schedules: false,
    processEnvironment: {},
    ...options,
  });
  onTestFinished(() => twin.close());
  return twin;
};

type Handle = (event: unknown, context: Context, substrate: Substrate) => unknown;

/** `handlerFor` of a handler that also gets the substrate. */
export const handling =
  (handle: Handle) =>
  (substrate: Substrate) =>
  async (event: unknown, context: Context): Promise<unknown> =>
    handle(event, context, substrate);

export const allowEverybody = handling(() => ({
  principalId: 'ana',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
  },
  context: { workspace: 'local', roles: 'admin' },
}));

/** Resolves when `holds` is true; looks again on every turn of the event loop. */
export const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise<void>((done) => setImmediate(done));
};
