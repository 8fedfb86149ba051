// Sign-ins of this person on this machine, by address. Owns: their file, in the person's own configuration folder and readable by
// them only, its lock, and the renewal of what is in it: by one command at a time, since an issuer may take a renewal only once.
// Laws: L18 (a token is in that file and in the Authorization header, nowhere else).

import { mkdirSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { issuerFrom } from '../../functions/adapters/oidc/issuer.ts';
import { type Bearer, bearerOf } from '../../functions/auth/bearer.ts';
import type { Granted, Issuer } from '../../functions/ports/sign-in.ts';
import { IssuerUnavailable, SignInRefused } from '../../functions/ports/sign-in.ts';
import type { Tokens } from '../../functions/ports/tokens.ts';
import { writeDurably } from '../../local/base/files.ts';
import { ApiUnreachable } from '../kit/client.ts';
import type { Place } from '../kit/command.ts';

export const IssuerClient = z.object({
  issuer: z.string(),
  clientId: z.string(),
  scope: z.string(),
});
export type IssuerClient = z.infer<typeof IssuerClient>;

const Kept = IssuerClient.extend({
  token: z.string(),
  /** Epoch milliseconds. */
  expiresAtMs: z.number(),
  subject: z.string(),
  refreshToken: z.string().optional(),
});
export type Kept = z.infer<typeof Kept>;
const File = z.record(z.string(), Kept);
type File = z.infer<typeof File>;

type Environment = Place['env'];

export const sessionsFile = (env: Environment): string => {
  const own = process.platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  const folder = own === undefined || own === '' ? join(env.HOME ?? homedir(), '.config') : own;
  return join(folder, 'reprise', 'sessions.json');
};

const read = async (env: Environment): Promise<File> => {
  let text: string;
  try {
    text = await readFile(sessionsFile(env), 'utf8');
  } catch {
    return {};
  }
  try {
    return File.parse(JSON.parse(text));
  } catch {
    // Its own message could quote a token.
    throw new Error(`${sessionsFile(env)} is not as it was written. Remove it, and sign in again.`);
  }
};

/** A command that holds the lock longer than this is gone: a renewal gives up before. */
const lockMs = 40_000;
const lookMs = 40;

const isTaken = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';

const lock = async (file: string): Promise<void> => {
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return;
    } catch (cause) {
      if (!isTaken(cause)) throw cause;
    }
    const sinceMs = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - sinceMs > lockMs) await rm(file, { force: true });
    else await pause(lookMs);
  }
};

/** What one command at a time does with the file. */
const alone = async <Answer>(env: Environment, work: () => Promise<Answer>): Promise<Answer> => {
  const file = `${sessionsFile(env)}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await lock(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
};

const change = async (env: Environment, changed: (all: File) => File): Promise<void> =>
  writeDurably(sessionsFile(env), JSON.stringify(changed(await read(env)), undefined, 2));

export const keptFor = async (env: Environment, url: string): Promise<Kept | undefined> =>
  (await read(env))[url];

const put = (env: Environment, url: string, kept: Kept): Promise<void> =>
  change(env, (all) => ({ ...all, [url]: kept }));

export const keep = (env: Environment, url: string, kept: Kept): Promise<void> =>
  alone(env, () => put(env, url, kept));

const forget = (env: Environment, url: string): Promise<void> =>
  change(env, (all) => Object.fromEntries(Object.entries(all).filter(([at]) => at !== url)));

/** Gives what was kept for the address, as it was last. */
export const drop = (env: Environment, url: string): Promise<Kept | undefined> =>
  alone(env, async () => {
    const kept = await keptFor(env, url);
    await forget(env, url);
    return kept;
  });

export const issuerOf = (client: IssuerClient): Issuer =>
  issuerFrom({ ...client, clientSecret: async () => undefined, clock: { now: () => Date.now() } });

/** Read, not checked: only to choose which token to send. The API checks it. */
const unchecked: Tokens = {
  claimsOf: async (token) => {
    try {
      return decodeJwt(token);
    } catch {
      return undefined;
    }
  },
};

export const bearerIn = (granted: Granted): Promise<Bearer | undefined> =>
  bearerOf(unchecked, granted);

/** Before its end a token is renewed. */
const aheadMs = 60_000;

/** What is left of a token that was not renewed is still good. */
const leftOf = ({ token, expiresAtMs }: Kept): string | undefined =>
  expiresAtMs > Date.now() ? token : undefined;

const renewed = async (env: Environment, url: string, kept: Kept): Promise<string | undefined> => {
  if (kept.refreshToken === undefined) return leftOf(kept);
  try {
    const granted = await issuerOf(kept).renew(kept.refreshToken);
    const bearer = await bearerIn(granted);
    // As for the page: somebody else's, or of no workspace any more.
    if (bearer?.subject !== kept.subject) {
      await forget(env, url);
      return undefined;
    }
    const refreshToken = granted.refreshToken ?? kept.refreshToken;
    const { token, expiresAtMs } = bearer;
    await put(env, url, { ...kept, token, expiresAtMs, refreshToken });
    return token;
  } catch (error) {
    if (error instanceof SignInRefused) {
      await forget(env, url);
      return undefined;
    }
    if (!(error instanceof IssuerUnavailable)) throw error;
    const left = leftOf(kept);
    if (left === undefined) throw new ApiUnreachable(error.message);
    return left;
  }
};

const isGood = ({ expiresAtMs }: Kept): boolean => expiresAtMs - aheadMs > Date.now();

/** A token for that address that is good for now; undefined when nobody is signed in there, or no longer. */
export const tokenFor = async (env: Environment, url: string): Promise<string | undefined> => {
  const kept = await keptFor(env, url);
  if (kept === undefined || isGood(kept)) return kept?.token;
  return alone(env, async () => {
    // Another command was faster, or signed out.
    const now = await keptFor(env, url);
    return now === undefined || isGood(now) ? now?.token : renewed(env, url, now);
  });
};
