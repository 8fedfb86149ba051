// The trials' twin, seen from outside: started, asked, killed with -9, started again on the same folder.
// Owns: the process; it never outlives the trials.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Script } from '../../functions/adapters/model/script.ts';
import type { JsonObject } from '../../functions/core/base/json.ts';
import type { Person } from '../../local/identity/index.ts';

export interface Orders {
  readonly dataDir: string;
  readonly scripts: { readonly [name: string]: Script };
  readonly environment: { readonly [name: string]: string };
  readonly secrets: { readonly [name: string]: string };
  /** How far its clock is ahead already. */
  readonly aheadMs: number;
  /** A crash point at which it kills itself, as `REPRISE_CRASH_AT` writes it. */
  readonly crashAt?: string | undefined;
}

type Wish =
  | { readonly do: 'token'; readonly person: Person }
  | { readonly do: 'jump'; readonly byMs: number }
  | { readonly do: 'tamper'; readonly actionId: string; readonly change: JsonObject }
  | { readonly do: 'close' };
export type Ask = Wish & { readonly number: number };
export type Word =
  | { readonly url: string }
  | { readonly to: number; readonly text: string }
  | { readonly to: number; readonly trouble: string };

export interface TwinProcess {
  /** Changes when it is started again. */
  url(): string;
  token(person: Person): Promise<string>;
  /** Puts its clock forward. */
  jump(byMs: number): Promise<void>;
  /**
   * Changes a stored action's arguments behind the product's back, between two attempts. '': done; `engaged` or `moved`: try
   * again; `over`: no further attempt will be made.
   */
  tamper(actionId: string, change: JsonObject): Promise<string>;
  /** As `kill -9` does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same folder, with a crash point armed if one is named. */
  start(crashAt?: string): Promise<void>;
  /** Resolves with the signal, or exit code, by which it ended. */
  readonly ended: () => Promise<string>;
  close(): Promise<void>;
}

/** A clean environment: an endpoint or a crash point that somebody armed for themselves is not meant for the trials. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  ask(wish: Wish): Promise<string>;
}

const startChild = async (orders: Orders): Promise<Running> => {
  const child = fork(join(import.meta.dirname, 'twin-child.ts'), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(),
    execArgv: [],
  });
  const complaints: string[] = [];
  child.stderr?.on('data', (part: Buffer) => complaints.push(part.toString()));
  const asked = new Map<number, PromiseWithResolvers<string>>();
  const ready = Promise.withResolvers<string>();
  child.on('message', (word: Word) => {
    if ('url' in word) return ready.resolve(word.url);
    const waiting = asked.get(word.to);
    asked.delete(word.to);
    if ('text' in word) waiting?.resolve(word.text);
    else waiting?.reject(new Error(word.trouble));
  });
  child.once('exit', (code, signal) => {
    const gone = new Error(`The trials' twin ended (${signal ?? code}). ${complaints.join('')}`);
    ready.reject(gone);
    for (const { reject } of asked.values()) reject(gone);
  });
  let numbers = 0;
  // By message and not by argument: the orders hold secrets, and everybody can read a command line.
  child.send(orders);
  const url = await ready.promise;
  return {
    child,
    url,
    ask: (wish) => {
      numbers += 1;
      const waiting = Promise.withResolvers<string>();
      asked.set(numbers, waiting);
      child.send({ ...wish, number: numbers } satisfies Ask);
      return waiting.promise;
    },
  };
};

const end = async ({ child }: Running): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** Rejects with what it said when it does not start. */
export const startTwinProcess = async (orders: Orders): Promise<TwinProcess> => {
  let aheadMs = orders.aheadMs;
  let running = await startChild(orders);
  return {
    url: () => running.url,
    token: (person) => running.ask({ do: 'token', person }),
    jump: async (byMs) => {
      aheadMs += byMs;
      await running.ask({ do: 'jump', byMs });
    },
    tamper: (actionId, change) => running.ask({ do: 'tamper', actionId, change }),
    kill: () => end(running),
    start: async (crashAt) => {
      running = await startChild({ ...orders, aheadMs, crashAt });
    },
    ended: async () => {
      const { child } = running;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.signalCode ?? `exit code ${child.exitCode}`;
    },
    close: async () => {
      await running.ask({ do: 'close' }).catch(() => undefined);
      await end(running);
    },
  };
};
