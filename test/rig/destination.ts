// The demo destinations as a test sees them: their own list of effects, the requests that arrived, and their switchboard.
// Judged by this list and never by an agent's words. Owns: the demo's folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { TwinClock } from '../../local/base/clock.ts';
import type { FaultInput } from '../../local/demo/faults.ts';
import { startDemo } from '../../local/demo/server.ts';
import { holds } from './until.ts';

export const demoToken = 'token-of-the-demo-in-tests';

const effect = z.object({
  service: z.string(),
  operation: z.string(),
  id: z.string(),
  reference: z.string().nullable(),
  key: z.string().nullable(),
  arguments: z.record(z.string(), z.unknown()),
});
export type Effect = z.infer<typeof effect>;
const ledger = z.object({ effects: z.array(effect) });
const arrival = z.object({
  service: z.string(),
  operation: z.string(),
  key: z.string().nullable(),
  outcome: z.string().nullable(),
});
const arrivals = z.object({ requests: z.array(arrival) });
const board = z.object({ holding: z.array(z.object({ operation: z.string() })) });
const added = z.object({ fault: z.object({ id: z.number() }) });

/** Starts the demo in this process, on a folder and a port of its own. */
export const openDestination = async (clock?: TwinClock) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-destination-'));
  const demo = await startDemo({
    dataDir,
    port: 0,
    secret: demoToken,
    ...(clock === undefined ? {} : { clock }),
  });
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema>> => {
    const response = await fetch(`${demo.url}/_admin${path}`, {
      ...(body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    });
    return schema.parse(await response.json());
  };
  const effects = async (): Promise<Effect[]> => (await ask(ledger, '/effects')).effects;
  return {
    url: demo.url,
    port: Number(new URL(demo.url).port),
    effects,
    /** Effects of one action: it is named by its id there. */
    effectsOf: async (actionId: string): Promise<Effect[]> =>
      (await effects()).filter(({ reference }) => reference === actionId),
    arrivals: async (operation: string) =>
      (await ask(arrivals, '/requests')).requests.filter((one) => one.operation === operation),
    fault: async (fault: FaultInput): Promise<number> =>
      (await ask(added, '/faults', fault)).fault.id,
    untilHeld: (operation: string, count = 1) =>
      holds(
        `${operation} is held ${count} times at the destination`,
        async () =>
          (await ask(board, '/faults')).holding.filter((one) => one.operation === operation)
            .length >= count,
      ),
    release: (faultId: number) => ask(z.unknown(), '/release', { faultId }),
    close: async () => {
      await demo.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
export type Destination = Awaited<ReturnType<typeof openDestination>>;
