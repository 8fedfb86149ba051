// Presets of a contract: what a published convention promises, written out into the contract's own fields, so that what is
// stored is whole and nothing has to know the convention again. Pure. Owns: what each preset stands for.
// Laws: L1 (what a convention leaves open proves nothing), L5, L9 (a retention that the convention does not fix must be given).
//
// What a person gives stands before what the preset says. `http` is read as it is (perform/reply.ts); `none` promises nothing.

import { canonicalJson, Json } from '../base/json.ts';
import type { Contract } from './contract.ts';
import type { ReplyPattern } from './reply-pattern.ts';
import type { ToolRegistration } from './tool.ts';

type Disproof = Contract['disproof'][number];
type Success = Contract['success'][number];
type KeyPromise = Contract['key'];

const dayMs = 86_400_000;
export const idempotencyKey = 'idempotency-key';

const refused = (status: number[], because: string): Disproof => ({ reply: { status }, because });

/** Answers by which a well-behaved HTTP API says that it did nothing; 409 and 412 are not among them. */
const refusals = refused(
  [400, 401, 403, 404, 405, 410, 413, 415],
  'The convention takes this for a refusal before anything was done.',
);

/** What the convention adds to whatever was given. */
interface Preset {
  readonly success: readonly Success[];
  readonly disproof: readonly Disproof[];
  readonly alreadyExists?: ReplyPattern;
  readonly rateLimit?: NonNullable<Contract['rateLimit']>;
  readonly key: (given: KeyPromise) => KeyPromise;
}

const withStillRunning =
  (stillRunning: ReplyPattern) =>
  (given: KeyPromise): KeyPromise =>
    given.kind === 'key' ? { ...given, stillRunning: given.stillRunning ?? stillRunning } : given;

/** The IETF draft "The Idempotency-Key HTTP Header Field". It fixes no retention: that must be given with the key. */
const ietf: Preset = {
  success: [{ reply: { status: [200] } }, { reply: { status: [201], hasBody: true } }],
  disproof: [
    refusals,
    // Of this attempt only: an earlier one under the same key may well have been carried out (L1, L21).
    refused(
      [422],
      'The content was not acceptable, or the key was used before with other content; this request was not processed.',
    ),
  ],
  key: withStillRunning({ status: [409] }),
};

/** An answer that Stripe itself wrote, and no gateway before it. */
const stripeError = (status: number[]): ReplyPattern => ({
  status,
  fields: [{ path: 'error.type', exists: true }],
});

const stripeKey: KeyPromise = {
  kind: 'key',
  place: { in: 'header', name: idempotencyKey },
  scope: 'account',
  retentionMs: dayMs,
  marginMs: 3_600_000,
  onRepeat: 'returns_first_result',
  comparesParameters: true,
};

/**
 * Stripe's API v1: a key lives 24 hours, a repeat gets the first result, a failure included, and other parameters are refused.
 * 402 is left open: a declined payment can leave an object behind.
 */
const stripe: Preset = {
  success: [{ reply: { status: [200], fields: [{ path: 'id', exists: true }] }, reference: 'id' }],
  disproof: [
    {
      reply: stripeError([400, 401, 403, 404]),
      because: 'The API named its error and, as documented, did not carry the request out.',
    },
  ],
  rateLimit: { reply: stripeError([429]), waitMs: 5_000 },
  key: (given) => withStillRunning(stripeError([409]))(given.kind === 'none' ? stripeKey : given),
};

/** PUT to an address that holds the action's own id, on condition that nothing is there (RFC 9110, If-None-Match: *). */
const put: Preset = {
  success: [{ reply: { status: [201] } }],
  disproof: [
    refusals,
    refused([422], 'The convention takes this for a refusal before anything was done.'),
  ],
  alreadyExists: { status: [412] },
  key: (given) =>
    given.kind === 'none'
      ? {
          kind: 'key',
          place: { in: 'path', name: 'id' },
          scope: 'account',
          // As long as the object is there, its address is taken.
          retentionMs: 3_650 * dayMs,
          marginMs: 60_000,
          onRepeat: 'error',
          comparesParameters: false,
        }
      : given,
};

const isNew =
  <Item>(given: readonly Item[]) =>
  (item: Item): boolean =>
    !given.some((one) => canonicalJson(Json.parse(one)) === canonicalJson(Json.parse(item)));

const presets = { ietf, 'stripe-v1': stripe, put } as const;

export const isWrittenOut = (preset: Contract['preset']): preset is keyof typeof presets =>
  Object.hasOwn(presets, preset);

/**
 * Whether the registration itself says what a success looks like. What its preset wrote is the convention's word; a contract that
 * was stored long ago is told by the same comparison.
 */
export const declaresSuccess = ({ preset, success, accepted }: Contract): boolean => {
  if (accepted !== undefined) return true;
  if (success.length === 0) return false;
  if (!isWrittenOut(preset)) return true;
  const written = presets[preset].success;
  return success.length !== written.length || success.some(isNew(written));
};

const expanded = (contract: Contract, preset: Preset): Contract => ({
  ...contract,
  success: contract.success.length > 0 ? contract.success : [...preset.success],
  disproof: [...contract.disproof, ...preset.disproof.filter(isNew(contract.disproof))],
  key: preset.key(contract.key),
  ...(contract.alreadyExists === undefined && preset.alreadyExists !== undefined
    ? { alreadyExists: preset.alreadyExists }
    : {}),
  ...(contract.rateLimit === undefined && preset.rateLimit !== undefined
    ? { rateLimit: preset.rateLimit }
    : {}),
});

/** The header on whose strength a PUT creates and never replaces. */
const conditional = (transport: ToolRegistration['transport']): ToolRegistration['transport'] => {
  if (transport.kind !== 'http') return transport;
  const given = Object.keys(transport.headers).some(
    (name) => name.toLowerCase() === 'if-none-match',
  );
  return given
    ? transport
    : { ...transport, headers: { ...transport.headers, 'if-none-match': '*' } };
};

/** The registration with its preset written out. Doing it twice changes nothing. A read takes nothing from a preset but `http`. */
export const withPreset = (registration: ToolRegistration): ToolRegistration => {
  const { contract, transport } = registration;
  const { preset } = contract;
  if (preset === 'none' || preset === 'http' || contract.effect === 'read') return registration;
  return {
    ...registration,
    transport: preset === 'put' ? conditional(transport) : transport,
    contract: expanded(contract, presets[preset]),
  };
};
