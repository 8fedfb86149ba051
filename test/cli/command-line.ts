// The real command as a child process: what it says, where, and its exit code. Owns: a clean environment for it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const entry = join(import.meta.dirname, '..', '..', 'cli', 'reprise.mjs');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `reprise …` in `cwd`; nothing of this process's own language or colours gets through. */
export const reprise = async (
  args: readonly string[],
  more: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** What stdin holds; nothing when it is left out. */
    readonly input?: string;
  } = {},
): Promise<Ran> => {
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(more.cwd === undefined ? {} : { cwd: more.cwd }),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      LANG: 'en_GB.UTF-8',
      ...more.env,
    },
  });
  // A command that reads nothing may be over before this is written.
  child.stdin.on('error', () => undefined).end(more.input ?? '');
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number | null, out, err };
};
