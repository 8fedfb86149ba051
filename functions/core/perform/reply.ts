// What a reply proves, read through the tool's contract and nothing else.
// Owns: the always-true rules, the preset `http`, and pattern matching. Laws: L1, L8 (a hit or a miss is judged elsewhere).

import { at, canonicalJson, type Json } from '../base/json.ts';
import type { ObservationSays } from '../records/evidence.ts';
import type { Contract, ReplyPattern } from '../registry/contract.ts';

export interface Reply {
  readonly status: number;
  readonly body: Json | undefined;
  /** The answer says of itself that it failed, whatever its status; only an explicit pattern can then prove anything. */
  readonly reportsFailure?: boolean;
}

export interface Reading {
  readonly says: ObservationSays;
  readonly because: string;
  readonly reference?: string;
  /** A proven "not now": nothing was done, and the contract says it may be tried again after this long. */
  readonly notNowMs?: number;
  /** The destination says that such an object is there already: a look-up must tell whose. */
  readonly alreadyExists?: true;
}

const equal = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right);

export const matches = (pattern: ReplyPattern, reply: Reply): boolean => {
  if (pattern.status && !pattern.status.includes(reply.status)) return false;
  if (pattern.hasBody !== undefined && pattern.hasBody !== (reply.body !== undefined)) return false;
  return (pattern.fields ?? []).every((field) => {
    const value = at(reply.body, field.path);
    if (field.exists !== undefined && field.exists !== (value !== undefined)) return false;
    if (field.equals !== undefined && (value === undefined || !equal(value, field.equals)))
      return false;
    return (
      field.oneOf === undefined ||
      (value !== undefined && field.oneOf.some((allowed) => equal(value, allowed)))
    );
  });
};

const textAt = (reply: Reply, path: string | undefined): string | undefined => {
  const value = path === undefined ? undefined : at(reply.body, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

const withReference = (reading: Reading, reference: string | undefined): Reading =>
  reference === undefined ? reading : { ...reading, reference };

/** Statuses by which a well-behaved HTTP API says that it did nothing (preset `http`, chosen explicitly). */
const httpRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422]);

const byPreset = (contract: Contract, reply: Reply): Reading | undefined => {
  // The other presets are written out into the contract when it is registered.
  if (contract.preset !== 'http') return undefined;
  if (reply.status === 200 || (reply.status === 201 && reply.body !== undefined))
    return { says: 'confirms', because: `The destination answered ${reply.status}.` };
  if (httpRefusals.has(reply.status))
    return {
      says: 'disproves',
      because: `The destination answered ${reply.status}, which its contract takes for a refusal.`,
    };
  return undefined;
};

/** Blanks, comments and declarations of XML before a page begins; bounded, so that no text takes long. */
const beforePage = /^\uFEFF?\s*(?:<!--[\s\S]{0,2000}?-->|<\?[^>]{0,200}\?>)?/;
const preambleMax = 20;

/** A web page where a convention of APIs promises an API's answer: a gateway, a sign-in or a proxy can have written it. */
const isWebPage = ({ body }: Reply): boolean => {
  if (typeof body !== 'string') return false;
  let rest = body;
  for (let parts = 0; parts < preambleMax; parts += 1) {
    const [before = ''] = beforePage.exec(rest) ?? [];
    if (before === '') break;
    rest = rest.slice(before.length);
  }
  return /^\s*<(?:!doctype\s+html|html|head|body|title)\b/i.test(rest);
};

/**
 * Reads one reply. Order: still running, not now, already exists, disproof, a web page with a 2xx, success, preset, then the rules
 * that always hold: another 2xx is accepted, everything else proves nothing (a gateway can say 429 after it has forwarded).
 */
export const readReply = (contract: Contract, reply: Reply): Reading => {
  const said = `The destination answered ${reply.status}.`;
  const key = contract.key.kind === 'key' ? contract.key : undefined;
  if (contract.progress && matches(contract.progress.running, reply))
    return { says: 'in_progress', because: said };
  if (key?.stillRunning && matches(key.stillRunning, reply))
    return { says: 'in_progress', because: 'The destination is still working on the same key.' };
  if (contract.rateLimit && matches(contract.rateLimit.reply, reply))
    return {
      says: 'disproves',
      because: `${said} By contract this means "not now": nothing was done.`,
      notNowMs: contract.rateLimit.waitMs,
    };
  if (contract.alreadyExists && matches(contract.alreadyExists, reply))
    return {
      says: 'nothing',
      because: `${said} Such an object exists already.`,
      alreadyExists: true,
    };
  const disproof = contract.disproof.find((entry) => matches(entry.reply, reply));
  if (disproof) return { says: 'disproves', because: `${said} ${disproof.because}` };
  if (contract.preset !== 'none' && reply.status < 300 && isWebPage(reply))
    return {
      says: 'nothing',
      because: `${said} It is a web page, and anything on the way can have written it.`,
    };
  const success = contract.success.find((entry) => matches(entry.reply, reply));
  if (success)
    return withReference({ says: 'confirms', because: said }, textAt(reply, success.reference));
  if (reply.reportsFailure === true)
    return {
      says: 'nothing',
      because: 'The tool says it failed; that is no proof that nothing was done.',
    };
  const preset = byPreset(contract, reply);
  if (preset) return preset;
  if (reply.status >= 200 && reply.status < 300)
    return {
      says: 'accepts',
      because: `${said} Nothing in the contract says that this proves the effect.`,
    };
  return {
    says: 'nothing',
    because: `${said} That proves neither that it was done nor that it was not.`,
  };
};
