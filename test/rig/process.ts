// Starts a twin in a process of its own and tells when and how it died. Owns: the process; it never outlives its test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, clientOf } from './client.ts';
import type { Scripts } from './rig.ts';

/** What the child is told. */
export interface ChildOrders {
  readonly dataDir: string;
  readonly scripts: Scripts;
  readonly environment: Readonly<Record<string, string>>;
  readonly demoToken: string;
}

/** What the child says when it serves. */
export interface ChildWord {
  readonly url: string;
  readonly token: string;
}

export interface TwinProcess {
  readonly pid: number;
  readonly client: Client;
  /** The signal that ended it, or undefined while it lives. */
  endedBy(): NodeJS.Signals | 'exit' | undefined;
  /** Ends it as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
}

/** The process's first line of output. Rejects with what it said on stderr when it ends before. */
export const firstLine = async (child: ChildProcess): Promise<string> => {
  const complaints: string[] = [];
  child.stderr?.on('data', (part: Buffer) => complaints.push(part.toString()));
  if (child.stdout === null) throw new Error('The process has no output to read.');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(
      `The process ended (${code ?? signal}) before it served. ${complaints.join('')}`,
    );
  });
  ended.catch(() => undefined);
  const line = await Promise.race([once(lines, 'line'), ended]);
  return String(line[0]);
};

const cleanEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  ...more,
});

/** `environment` is the process's own, such as `REPRISE_CRASH_AT`. */
export const startTwinProcess = async (
  orders: ChildOrders,
  environment: Readonly<Record<string, string>>,
): Promise<TwinProcess> => {
  const program = join(import.meta.dirname, 'child.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(environment),
  });
  const gone = once(child, 'exit');
  const word: ChildWord = JSON.parse(await firstLine(child));
  return {
    pid: child.pid ?? 0,
    client: clientOf(word.url, word.token),
    endedBy: () => child.signalCode ?? (child.exitCode === null ? undefined : 'exit'),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
