// Task tokens: which frame they belong to, and a seal that tells our tokens from made-up ones.
// Owns: their format. A token is a secret: whoever has it can answer the task.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface TokenPlace {
  readonly execution: number;
  readonly frame: number;
}

export interface Tokens {
  make(execution: number, frame: number): string;
  /** Where the token belongs, or undefined when the twin has not made it. */
  read(token: string): TokenPlace | undefined;
}

const sealOf = (secret: Buffer, body: string): Buffer =>
  createHmac('sha256', secret).update(body).digest();

export const tokensWith = (secretHex: string): Tokens => {
  const secret = Buffer.from(secretHex, 'hex');
  return {
    make: (execution, frame) => {
      const body = `${execution}.${frame}.${randomBytes(24).toString('base64url')}`;
      const seal = sealOf(secret, body).toString('base64url');
      return Buffer.from(`${body}.${seal}`).toString('base64');
    },
    read: (token) => {
      const text = Buffer.from(token, 'base64').toString('latin1');
      const parts = /^((\d+)\.(\d+)\.[\w-]+)\.([\w-]+)$/.exec(text);
      const [, body, execution, frame, seal] = parts ?? [];
      if (body === undefined || seal === undefined) return undefined;
      const given = Buffer.from(seal, 'base64url');
      const expected = sealOf(secret, body);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return { execution: Number(execution), frame: Number(frame) };
    },
  };
};
