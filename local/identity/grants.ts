// Codes and sign-ins of the local identity provider. Owns: that a code is good once, for a minute, for whoever began with its
// hash, and that a code used twice ends the sign-in it began. In memory: a restart forgets which sign-ins were ended.
import { createHash, randomBytes } from 'node:crypto';
import type { TwinClock } from '../base/clock.ts';
import type { Person } from './people.ts';

const codeMs = 60_000;

export interface Asked {
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier, base64url. */
  readonly challenge: string;
  readonly nonce: string | undefined;
}

export interface Grant extends Asked {
  readonly person: Person;
  /** Names the sign-in. */
  readonly session: string;
}

export interface Grants {
  code(person: Person, asked: Asked): string;
  /** The grant, or undefined when the code is unknown, used, too old, or somebody else's. */
  redeem(
    code: string,
    by: { readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
  ): Grant | undefined;
  end(session: string): void;
  isEnded(session: string): boolean;
}

export const openGrants = (clock: Pick<TwinClock, 'now'>): Grants => {
  const codes = new Map<
    string,
    { readonly grant: Grant; readonly untilMs: number; used: boolean }
  >();
  const ended = new Set<string>();
  return {
    code: (person, asked) => {
      const nowMs = clock.now();
      for (const [code, { untilMs }] of codes) if (untilMs < nowMs) codes.delete(code);
      const code = randomBytes(24).toString('base64url');
      const grant = { ...asked, person, session: crypto.randomUUID() };
      codes.set(code, { grant, untilMs: nowMs + codeMs, used: false });
      return code;
    },
    redeem: (code, { clientId, redirectUri, verifier }) => {
      const kept = codes.get(code);
      if (kept === undefined || kept.untilMs < clock.now()) return undefined;
      const { grant } = kept;
      if (kept.used) {
        ended.add(grant.session);
        return undefined;
      }
      kept.used = true;
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const isTheirs =
        grant.clientId === clientId &&
        grant.redirectUri === redirectUri &&
        grant.challenge === challenge;
      return isTheirs ? grant : undefined;
    },
    end: (session) => void ended.add(session),
    isEnded: (session) => ended.has(session),
  };
};
