// The small ports: time, new ids, secrets, large bodies, crash points, log. What core needs of the world, in core's words.
import type { CrashPoint } from '../core/base/crash-points.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after that long (back-off between conflicting writes). */
  pause(ms: number): Promise<void>;
}

export interface Minter {
  /** 26 new Crockford characters (a ULID). */
  suffix(): string;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

/** What to do about a secret that is not there. */
export const secretRemedy =
  'Add it with "reprise secrets set" on one machine, in AWS Secrets Manager on AWS.';

/** There is no secret of that name. Its message names the secret, never a value. */
export class SecretUnknown extends Error {
  override readonly name = 'SecretUnknown';
}

export interface Secrets {
  /** The secret's value. Throws SecretUnknown, or an Error when the store does not answer; neither holds a value. */
  read(name: string): Promise<string>;
}

export interface BlobReference {
  readonly blob: string;
  readonly bytes: number;
  readonly digest: string;
  readonly contentType: string;
}

export interface Blobs {
  put(workspace: string, body: Uint8Array, contentType: string): Promise<BlobReference>;
  get(reference: BlobReference): Promise<Uint8Array>;
}

/** Named places where a test may end the process; inert unless armed. */
export interface Crash {
  at(point: CrashPoint): void | Promise<void>;
}

export interface Log {
  info(message: string, details: { readonly [key: string]: unknown }): void;
  warn(message: string, details: { readonly [key: string]: unknown }): void;
  error(message: string, details: { readonly [key: string]: unknown }): void;
}
