// New ids. Owns: a store of random bytes; asking the system for each byte by itself would cost more than the id.
import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

const pool = new Uint8Array(4_096);
let used = pool.length;

/** In [0, 1), in 256 steps: enough for the 32 characters that ULIDs are made of. */
const randomByte = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
};

/** 26 new Crockford characters. */
export const mintSuffix = (): string => ulid(undefined, randomByte);
