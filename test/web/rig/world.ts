// A whole Reprise for a browser test: the twin with its demo on free ports, the built page, and a way to ask both directly.
// Owns: that the page is built from the sources as they are, once, also when several test files start together.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { ItemKind, ItemOf } from '../../../functions/core/records/change.ts';
import { environmentNames } from '../../../functions/manifest.ts';
import { demoSecret, startDemoProcess } from '../../../local/command/demo-process.ts';
import { setUpDemo } from '../../../local/command/demo-setup.ts';
import { type Person, type PersonName, startTwin, type TwinOptions } from '../../../local/twin.ts';
import { putMany } from '../../functions/api/lists/many.ts';
import { alone } from './until.ts';

const web = join(import.meta.dirname, '..', '..', '..', 'web');
export const dist = join(web, 'dist');

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(dist))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
const builtAt = (): number => {
  const index = statSync(join(dist, 'index.html'), { throwIfNoEntry: false });
  return index?.mtimeMs ?? 0;
};

/** Builds the page if its sources are newer than its files. One builds, the others wait. */
export const builtPage = (): Promise<void> =>
  alone('page-build', async () => {
    if (builtAt() >= newestIn(web)) return;
    await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'error' });
  });

const freePort = async (): Promise<number> => {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
};

export interface World {
  readonly url: string;
  readonly agentId: string;
  token(person: PersonName | Person): Promise<string>;
  /** An address that signs the person in. */
  address(person: PersonName | Person): Promise<string>;
  /** Asks the API as a person. Rejects for anything but success. */
  api(
    person: PersonName,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<unknown>;
  /** A fault of the demo's destinations, as `local/demo/faults.ts` has them. */
  fault(fault: object): Promise<void>;
  /** Lets held requests of the demo's destinations go on. */
  release(): Promise<void>;
  /** Puts items as they are, past every rule. */
  putMany<Kind extends ItemKind>(kind: Kind, items: readonly ItemOf<Kind>[]): void;
  /** What really happened at the destinations. */
  effects(): Promise<readonly { readonly operation: string; readonly reference: string }[]>;
  close(): Promise<void>;
}

interface Effects {
  readonly effects: readonly { readonly operation: string; readonly reference: string }[];
}

const destinationsOf = (url: string) => ({
  fault: async (fault: object): Promise<void> => {
    const answer = await fetch(`${url}/_admin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    if (!answer.ok) throw new Error(`The fault was refused: ${await answer.text()}`);
  },
  release: async (): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/_admin/release`, { method: 'POST', headers, body: '{}' });
  },
  effects: async (): Promise<Effects['effects']> => {
    const read: Effects = await (await fetch(`${url}/_admin/effects`)).json();
    return read.effects;
  },
});

export const openWorld = async (
  options: Partial<TwinOptions> & {
    readonly script?: string;
    /** Further places on loopback that tools may call, as host and port. */
    readonly alsoAllowed?: readonly string[];
  } = {},
): Promise<World> => {
  await builtPage();
  const dataDir = mkdtempSync(join(tmpdir(), 'reprise-web-'));
  const port = await freePort();
  const { script = 'demo', alsoAllowed = [], ...twinOptions } = options;
  const egress = JSON.stringify({ allowPrivate: [`127.0.0.1:${port}`, ...alsoAllowed] });
  const twin = await startTwin({
    dataDir,
    port: 0,
    synchronous: 'NORMAL',
    environment: { [environmentNames.egress]: egress },
    ...twinOptions,
  });
  const secret = await demoSecret(twin.secrets);
  const demo = startDemoProcess({ dataDir, port, secret, onRestart: () => {} });
  await demo.ready;
  const admin = { url: twin.url, token: await twin.token('ana') };
  const agentId = await setUpDemo(admin, demo.url, { provider: 'scripted', script });
  return {
    url: twin.url,
    agentId,
    token: (person) => twin.token(person),
    address: async (person) => `${twin.url}/#token=${await twin.token(person)}`,
    api: async (person, method, path, body) => {
      const answer = await fetch(`${twin.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await twin.token(person)}`,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    putMany: (kind, items) =>
      putMany((operation, body) => twin.dynamo.handle(operation, body), kind, items),
    ...destinationsOf(demo.url),
    close: async () => {
      await demo.stop();
      await twin.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
