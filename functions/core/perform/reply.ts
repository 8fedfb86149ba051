// What a reply proves, read through the tool's contract and nothing else: the write's, a repeat's and a poll's, each by its own
// patterns. Owns: the always-true rules and the preset `http`. Laws: L1, L8 (a hit or a miss is judged elsewhere).

import type { ObservationSays } from '../records/evidence.ts';
import type { Contract, Poll } from '../registry/contract.ts';
import { declaresSuccess, isWrittenOut } from '../registry/presets.ts';
import {
  type AnswerPatterns,
  isWebPage,
  matches,
  proves,
  type Reply,
  valuesAt,
} from '../registry/reply-pattern.ts';

export interface Reading {
  readonly says: ObservationSays;
  readonly because: string;
  readonly reference?: string;
  /** A proven "not now": nothing was done, and the contract says it may be tried again after this long. */
  readonly notNowMs?: number;
  /** The destination says that such an object is there already: a look-up must tell whose. */
  readonly alreadyExists?: true;
  /** What was in progress is over, and it is not known what it did. */
  readonly ended?: true;
}

const referenceAt = (
  { body }: Reply,
  path: string | undefined,
): { readonly reference?: string } => {
  const [value] = path === undefined ? [] : valuesAt(body, path);
  return typeof value === 'string' || typeof value === 'number' ? { reference: String(value) } : {};
};

/** Answers as patterns name them, whatever the address; those that claim least come first. */
type Named = { readonly [Word in keyof AnswerPatterns]: AnswerPatterns[Word] | undefined };

const readAnswer = (named: Named, reply: Reply): Reading | undefined => {
  const said = `The destination answered ${reply.status}.`;
  const silent = named.nothing?.find((entry) => matches(entry.reply, reply));
  if (silent)
    return {
      says: 'nothing',
      because: `${said} ${silent.because ?? 'By contract this proves nothing.'}`,
    };
  if (named.running?.some((entry) => matches(entry.reply, reply)))
    return { says: 'in_progress', because: said };
  const failed = named.failed?.find((entry) => proves(entry.reply, reply));
  if (failed?.because !== undefined)
    return { says: 'disproves', because: `${said} ${failed.because}` };
  if (failed)
    return {
      says: 'nothing',
      ended: true,
      because: `${said} The work ended badly; whether anything was done is not known.`,
    };
  const succeeded = named.succeeded?.find((entry) => proves(entry.reply, reply));
  if (succeeded)
    return { says: 'confirms', because: said, ...referenceAt(reply, succeeded.reference) };
  const accepted = named.accepted?.find((entry) => proves(entry.reply, reply));
  return accepted
    ? {
        says: 'accepts',
        because: `${said} By contract this says that it was taken, not that it was done.`,
        ...referenceAt(reply, accepted.reference),
      }
    : undefined;
};

/** Statuses by which a well-behaved HTTP API says that it did nothing (preset `http`, chosen explicitly). */
const httpRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422]);

const byPreset = (contract: Contract, reply: Reply): Reading | undefined => {
  // The other presets are written out into the contract when it is registered.
  if (contract.preset !== 'http') return undefined;
  const said = `The destination answered ${reply.status}.`;
  if (reply.status === 202 && contract.progress?.poll)
    return { says: 'in_progress', because: said };
  const succeeds = reply.status === 200 || (reply.status === 201 && reply.body !== undefined);
  if (succeeds && !declaresSuccess(contract)) return { says: 'confirms', because: said };
  if (httpRefusals.has(reply.status))
    return {
      says: 'disproves',
      because: `The destination answered ${reply.status}, which its contract takes for a refusal.`,
    };
  return undefined;
};

const is2xx = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** A 2xx of which nothing that the contract names speaks. */
const unnamed = (contract: Contract, reply: Reply): Reading => {
  const said = `The destination answered ${reply.status}.`;
  if (declaresSuccess(contract))
    return {
      says: 'nothing',
      because: `${said} The contract names what a success looks like, and this is none.`,
    };
  // These only ever say that the call was taken; any other 2xx is not the answer that the convention knows.
  const { status, body } = reply;
  const taken = status === 202 || status === 204 || (status === 201 && body === undefined);
  if (isWrittenOut(contract.preset) && !taken)
    return { says: 'nothing', because: `${said} That is no answer of the convention it keeps to.` };
  return {
    says: 'accepts',
    because: `${said} Nothing in the contract says that this proves the effect.`,
  };
};

/** Where the contract itself names what a reply says. */
const byContract = (contract: Contract, reply: Reply): Reading | undefined => {
  const said = `The destination answered ${reply.status}.`;
  const stillRunning = contract.key.kind === 'key' ? contract.key.stillRunning : undefined;
  const { progress, rateLimit, alreadyExists, success, accepted, nothing } = contract;
  const own = readAnswer({ nothing }, reply);
  if (own) return own;
  if (progress && matches(progress.running, reply)) return { says: 'in_progress', because: said };
  if (stillRunning && matches(stillRunning, reply))
    return { says: 'in_progress', because: 'The destination is still working on the same key.' };
  if (rateLimit && matches(rateLimit.reply, reply))
    return {
      says: 'disproves',
      because: `${said} By contract this means "not now": nothing was done.`,
      notNowMs: rateLimit.waitMs,
    };
  if (alreadyExists && matches(alreadyExists, reply))
    return {
      says: 'nothing',
      because: `${said} Such an object exists already.`,
      alreadyExists: true,
    };
  const disproof = contract.disproof.find((entry) => matches(entry.reply, reply));
  if (disproof) return { says: 'disproves', because: `${said} ${disproof.because}` };
  return readAnswer({ succeeded: success, accepted }, reply);
};

/**
 * Reads one reply. Order: proves nothing, still running, not now, already exists, disproof, success, accepted, a failure that it
 * reports itself, a web page with a 2xx, the preset, then the rules that always hold: another 2xx is accepted where no success is
 * declared, everything else proves nothing (a gateway can say 429 after it has forwarded).
 */
export const readReply = (contract: Contract, reply: Reply): Reading => {
  const said = `The destination answered ${reply.status}.`;
  const named = byContract(contract, reply);
  if (named) return named;
  if (reply.reportsFailure === true)
    return {
      says: 'nothing',
      because: 'The tool says it failed; that is no proof that nothing was done.',
    };
  if ((contract.preset !== 'none' || declaresSuccess(contract)) && is2xx(reply) && isWebPage(reply))
    return {
      says: 'nothing',
      because: `${said} It is a web page, and anything on the way can have written it.`,
    };
  const preset = byPreset(contract, reply);
  if (preset) return preset;
  if (is2xx(reply)) return unnamed(contract, reply);
  return {
    says: 'nothing',
    because: `${said} That proves neither that it was done nor that it was not.`,
  };
};

/** Reads the answer to a repeat under the same identity: by the patterns that the contract has for it, then by the write's own. */
export const readRepeat = (contract: Contract, reply: Reply): Reading =>
  (contract.repeat && readAnswer(contract.repeat, reply)) ?? readReply(contract, reply);

/**
 * Reads what a poll answered, by the poll's own patterns alone (L1). Neither a 4xx nor a 5xx of it ends anything: it is an answer
 * about the poll.
 */
export const readPoll = (poll: Poll, reply: Reply): Reading => {
  const { nothing, running, failed, succeeded } = poll;
  const read = readAnswer(
    { nothing, running, ...(is2xx(reply) ? { failed, succeeded } : {}) },
    reply,
  );
  return (
    read ?? {
      says: 'nothing',
      because: `The poll answered ${reply.status}. Nothing in its patterns says what that means.`,
    }
  );
};
