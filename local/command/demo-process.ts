// Keeps the demo destinations running beside the twin: a process of their own, started again whenever it dies.
// Owns: its port (kept, because the tools' registrations name it) and its secret.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { writeDurably } from '../base/files.ts';
import { demoSecretName } from '../demo/registration-parts.ts';
import type { SecretsTwin } from '../secrets/index.ts';

const restartMs = 300;
const farewellLooks = 10;
const stored = z.object({ port: z.number().int() });

const listensOn = async (port: number): Promise<number | undefined> => {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  server.once('error', () => resolve(undefined));
  server.listen(port, '127.0.0.1', () => {
    const { port: taken } = server.address() as AddressInfo;
    server.close(() => resolve(taken));
  });
  return promise;
};

const keptPort = (file: string): number | undefined => {
  if (!existsSync(file)) return undefined;
  return stored.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.port;
};

/**
 * The port of this data folder's demo: the one it had, else a free one from `preferred` on (0: any), then kept. A demo that
 * lost its twin a moment ago is given the time to end.
 */
export const demoPort = async (dataDir: string, preferred: number): Promise<number> => {
  const file = join(dataDir, 'demo.json');
  const kept = keptPort(file);
  for (let looks = 0; kept !== undefined && looks < farewellLooks; looks += 1) {
    if ((await listensOn(kept)) !== undefined) return kept;
    await pause(restartMs);
  }
  const port = (await listensOn(preferred)) ?? (await listensOn(0)) ?? preferred;
  await writeDurably(file, JSON.stringify({ port }));
  return port;
};

/** The bearer token of the demo, made once and kept among the secrets. */
export const demoSecret = async (secrets: SecretsTwin): Promise<string> => {
  const known = secrets.read(demoSecretName);
  if (known !== undefined) return known;
  const made = randomBytes(24).toString('base64url');
  await secrets.write(demoSecretName, made);
  return made;
};

export interface DemoProcess {
  readonly url: string;
  /** Resolves when it serves for the first time. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

interface DemoProcessOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly secret: string;
  /** Told when it died and is started again. */
  onRestart(why: string): void;
}

const spawnDemo = ({ dataDir, port, secret }: DemoProcessOptions): ChildProcess =>
  fork(
    join(import.meta.dirname, 'demo-child.ts'),
    ['--data', join(dataDir, 'demo'), '--port', String(port)],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, REPRISE_DEMO_SECRET: secret },
    },
  );

export const startDemoProcess = (options: DemoProcessOptions): DemoProcess => {
  const ready = Promise.withResolvers<void>();
  let child: ChildProcess;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  const ended = Promise.withResolvers<void>();
  const start = (): void => {
    child = spawnDemo(options);
    child.stdout?.on('data', () => ready.resolve());
    child.once('error', (cause) => options.onRestart(cause.message));
    child.once('exit', (code, signal) => {
      if (stopping) return ended.resolve();
      options.onRestart(signal ?? `exit code ${code}`);
      restart = setTimeout(start, restartMs);
    });
  };
  start();
  return {
    url: `http://127.0.0.1:${options.port}`,
    ready: ready.promise,
    stop: async () => {
      stopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await ended.promise;
    },
  };
};
