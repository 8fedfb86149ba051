// A limit on how fast one caller may ask, as API Gateway's throttling is one for all: a runaway client is told to wait and takes
// nothing from the others. Owns: one bucket per token, in memory; a full bucket is as good as none and is forgotten.
import { createHash } from 'node:crypto';
import type { TwinClock } from '../base/clock.ts';

export interface ThrottleLimits {
  /** Requests that a caller gets back in each second. */
  readonly perSecond: number;
  /** Requests that a caller may send in one instant. */
  readonly burst: number;
}

export interface Throttle {
  /** Whether this caller may ask now; asking takes one from their bucket. `token` is the header as sent. */
  admits(token: string): boolean;
}

interface Bucket {
  left: number;
  atMs: number;
}

/** Above this many, full buckets are forgotten. */
const bucketsMax = 10_000;

export const throttleWith = (
  { perSecond, burst }: ThrottleLimits,
  clock: Pick<TwinClock, 'now'>,
): Throttle => {
  const buckets = new Map<string, Bucket>();
  /** A clock that was put back lets nobody wait until it is there again: it counts from where it is now. */
  const leftIn = ({ left, atMs }: Bucket, nowMs: number): number =>
    Math.min(burst, left + (Math.max(0, nowMs - atMs) * perSecond) / 1_000);
  const forgetFull = (nowMs: number): void => {
    for (const [key, bucket] of buckets) if (leftIn(bucket, nowMs) >= burst) buckets.delete(key);
  };
  return {
    admits: (token) => {
      const nowMs = clock.now();
      // The token itself is kept nowhere.
      const key = createHash('sha256').update(token).digest('base64url');
      const bucket = buckets.get(key);
      const left = bucket === undefined ? burst : leftIn(bucket, nowMs);
      if (left < 1) {
        if (bucket !== undefined) bucket.atMs = Math.min(bucket.atMs, nowMs);
        return false;
      }
      if (bucket === undefined && buckets.size >= bucketsMax) forgetFull(nowMs);
      buckets.set(key, { left: left - 1, atMs: nowMs });
      return true;
    },
  };
};
