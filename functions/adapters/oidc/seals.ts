// Seals what a browser keeps for us: encrypted and authenticated (JWE, A256GCM), with an end, under one key per purpose.
// Owns: the derivation of those keys from the stored secret. Laws: L18 (the secret is in no error).
// Tested in test/functions/auth/attacks.test.ts.
import { hkdf } from 'node:crypto';
import { promisify } from 'node:util';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { SealPurpose, Seals } from '../../ports/sign-in.ts';
import type { Clock } from '../../ports/world.ts';

export interface SealsParts {
  /** The stored secret, at least 32 characters of chance. Read anew each time: it may have been replaced. */
  readonly secret: () => Promise<string>;
  readonly clock: Pick<Clock, 'now'>;
}

const keyBytes = 32;
const secretCharactersMin = 32;
const derive = promisify(hkdf);

const keyFor = async (secret: string, purpose: SealPurpose): Promise<Uint8Array> => {
  if (secret.length < secretCharactersMin)
    throw new Error(
      `The sealing key has fewer than ${secretCharactersMin} characters: make it anew.`,
    );
  return new Uint8Array(await derive('sha256', secret, '', `reprise ${purpose} 1`, keyBytes));
};

export const sealsFrom = ({ secret, clock }: SealsParts): Seals => ({
  seal: async (purpose, content, untilMs) =>
    new EncryptJWT({ content })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(untilMs / 1000))
      .encrypt(await keyFor(await secret(), purpose)),
  open: async (purpose, sealed) => {
    const key = await keyFor(await secret(), purpose);
    try {
      const { payload } = await jwtDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      });
      const { content } = payload;
      return typeof content === 'object' && content !== null ? content : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  },
});
