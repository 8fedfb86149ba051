// Attempts, their ends, and observations; and the fold that makes an action's effect of them.
// Owns: the stored shapes and the fold. Laws: L1 (no reply is no evidence), L4 (nothing is deleted), L8, L21 (the fold).
// Tested in test/core/records/fold.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId, AttemptId, ObservationId } from '../base/ids.ts';
import { Json, JsonObject } from '../base/json.ts';
import type { Destination } from '../registry/contract.ts';
import { type Effect, milestones } from './action.ts';

/** One try. Put once, by Perform alone, before anything is sent (L2, L3). */
export const Attempt = z.strictObject({
  schema: z.literal(1),
  attemptId: AttemptId,
  actionId: ActionId,
  attempt: z.int().positive(),
  /** Journal number. */
  entry: z.int().positive(),
  owner: z.string(),
  engagedAt: z.iso.datetime(),
  deadlineAtMs: z.int(),
  authorisedBy: z.int().positive(),
  /** What an MCP tool had asked and is handed back with this attempt; outside the digest. */
  continuation: z
    .strictObject({ inputResponses: JsonObject, requestState: z.string().optional() })
    .optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** How a try ended, put once beside it. `lost`: its owner never reported. */
export const AttemptEnd = z.strictObject({
  schema: z.literal(1),
  actionId: ActionId,
  attempt: z.int().positive(),
  entry: z.int().positive(),
  at: z.iso.datetime(),
  how: z.enum(['replied', 'not_transmitted', 'unknown', 'asked', 'lost']),
  milestone: z.enum(milestones),
  milestoneIs: z.enum(['observed', 'supposed']),
  because: z.string(),
});
export type AttemptEnd = z.infer<typeof AttemptEnd>;

export const observationSources = ['reply', 'look_up', 'webhook', 'person', 'transport'] as const;

/** What an observation says about the effect. `nothing` proves neither way and is kept all the same. */
export const observationSays = [
  'confirms',
  'accepts',
  'in_progress',
  'asked',
  'disproves',
  'nothing',
] as const;
export type ObservationSays = (typeof observationSays)[number];

export const Observation = z.strictObject({
  schema: z.literal(1),
  observationId: ObservationId,
  actionId: ActionId,
  entry: z.int().positive(),
  at: z.iso.datetime(),
  source: z.enum(observationSources),
  by: z.string(),
  /** Whose word it is, for a person's or another program's. */
  author: Author.optional(),
  /** A person's word without a decision: shown, and not counted. The decision that takes it up says it anew, and that counts. */
  uncounted: z.literal(true).optional(),
  says: z.enum(observationSays),
  /** The attempt it speaks of, or all attempts so far. A confirmation always speaks of the action. */
  about: z.union([z.int().positive(), z.literal('all')]),
  because: z.string(),
  account: z.string(),
  environment: z.string(),
  /** What was searched, for a look-up or a person's word. */
  coverage: z.string().optional(),
  /** Direct reference to the object or record that shows it. */
  reference: z.string().optional(),
  status: z.int().optional(),
  excerpt: Json.optional(),
  /** What a look-up came to; kept apart from what it proves. */
  lookUp: z.enum(['hit', 'natural_hit', 'partial', 'miss', 'failed']).optional(),
  /** A proven "not now": another attempt may follow from then on (epoch milliseconds). */
  notBeforeMs: z.int().optional(),
  /** Refused on this side before anything was sent, by settings or registration: another try would meet the same. */
  lasting: z.literal(true).optional(),
  /** What the attempt's tool had asked is open no more: answered, declined, or nobody's to answer. It says nothing of the effect. */
  closesQuestion: z.literal(true).optional(),
  /** What was in progress is over, and it is not known what it did. */
  ended: z.literal(true).optional(),
});
export type Observation = z.infer<typeof Observation>;

export interface Known {
  readonly attempts: readonly {
    readonly attempt: number;
    readonly entry: number;
    /** It carries on what the attempt before it had asked. */
    readonly continuation?: object | undefined;
  }[];
  readonly ends: readonly {
    readonly attempt: number;
    readonly how: AttemptEnd['how'];
    readonly entry?: number | undefined;
  }[];
  readonly observations: readonly {
    readonly says: ObservationSays;
    readonly about: number | 'all';
    readonly entry: number;
    readonly reference?: string | undefined;
    readonly because?: string | undefined;
    readonly notBeforeMs?: number | undefined;
    readonly lasting?: true | undefined;
    readonly uncounted?: true | undefined;
    readonly closesQuestion?: true | undefined;
    readonly ended?: true | undefined;
  }[];
}

export const nothingKnown: Known = { attempts: [], ends: [], observations: [] };

/** The journal's last number: the action's head, or a later one of evidence that was stored alone and not folded yet. */
export const lastEntry = (head: number, { ends, observations }: Known): number =>
  Math.max(head, ...[...ends, ...observations].map(({ entry }) => entry ?? 0));

/** How an attempt ended, with what was said of it, when both were stored before the action was. */
export const storedEnd = (known: Known, attempt: number) => {
  const end = known.ends.find((one) => one.attempt === attempt);
  const seen = known.observations.findLast(({ about }) => about === attempt);
  if (end === undefined || seen?.because === undefined) return undefined;
  const { because, notBeforeMs, lasting } = seen;
  return {
    how: end.how,
    because,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    ...(lasting === undefined ? {} : { lasting }),
  };
};

/** The newest attempt was refused on this side, by settings or registration: another one would be refused as well. */
export const lastingRefusal = (known: {
  readonly attempts: readonly { readonly attempt: number }[];
  readonly observations: readonly Observation[];
}): Observation | undefined => {
  const last = known.attempts.at(-1)?.attempt;
  return known.observations.findLast(
    ({ lasting, source, about }) => lasting && source === 'transport' && about === last,
  );
};

export interface Folded {
  readonly effect: Effect;
  readonly contradicted: boolean;
  readonly reference: string | undefined;
}

/**
 * An attempt whose tool asked: in progress while its question is open; then nothing says what it did before it asked (L1), unless
 * the attempt that carries the answer on was taken, which is the same call's reply.
 */
const effectOfAsked = (known: Known, attempt: number): Effect => {
  const closed = known.observations.some((seen) => seen.closesQuestion && seen.about === attempt);
  if (!closed) return 'in_progress';
  const next = known.attempts.find((one) => one.attempt === attempt + 1);
  const taken = next?.continuation !== undefined && effectOfAttempt(known, next) === 'accepted';
  return taken ? 'accepted' : 'undetermined';
};

/** What is known of one attempt, the strongest word first; an open attempt with no word is `engaged`. */
const effectOfAttempt = (
  known: Known,
  { attempt, entry }: { readonly attempt: number; readonly entry: number },
): Effect => {
  // "All" speaks of the attempts that existed when it was said; a later attempt has a later entry.
  const said = known.observations.filter((seen) =>
    seen.about === 'all' ? seen.entry > entry : seen.about === attempt,
  );
  if (said.some((seen) => seen.says === 'disproves')) return 'not_performed';
  if (said.some((seen) => seen.says === 'accepts')) return 'accepted';
  const moved = said.findLast((seen) => seen.says === 'in_progress' || seen.ended);
  if (moved?.says === 'in_progress') return 'in_progress';
  if (moved === undefined && said.some((seen) => seen.says === 'asked'))
    return effectOfAsked(known, attempt);
  return known.ends.some((end) => end.attempt === attempt) ? 'undetermined' : 'engaged';
};

const precedence: readonly Effect[] = ['engaged', 'in_progress', 'undetermined', 'accepted'];

const effectsOf = (known: Known): readonly Effect[] =>
  known.attempts.map((attempt) => effectOfAttempt(known, attempt));

const everyDisproved = (known: Known): boolean => {
  const effects = effectsOf(known);
  return effects.length > 0 && effects.every((effect) => effect === 'not_performed');
};

/** The effect of what counts. */
const counted = (known: Known): Effect => {
  if (known.observations.some((seen) => seen.says === 'confirms')) return 'confirmed';
  const byAttempt = effectsOf(known);
  if (byAttempt.length === 0) return 'not_sent';
  if (everyDisproved(known)) return 'not_performed';
  return precedence.find((candidate) => byAttempt.includes(candidate)) ?? 'undetermined';
};

/** Anything that was said, counted or not, disagrees with a settled effect. */
const disagrees = (known: Known, effect: Effect): boolean => {
  if (effect === 'confirmed' || effect === 'accepted') return everyDisproved(known);
  return effect === 'not_performed' && known.observations.some(({ says }) => says === 'confirms');
};

/**
 * The effect of an action (L21): confirmed if anything confirms; else engaged, in progress, undetermined or accepted,
 * whichever comes first among its attempts; not performed only if every attempt is disproved. A person's word that no decision
 * took up moves no effect, and is a contradiction where it disagrees with one (L10).
 */
export const fold = (known: Known): Folded => {
  const counts = { ...known, observations: known.observations.filter((seen) => !seen.uncounted) };
  const effect = counted(counts);
  const named = counts.observations.find(
    ({ says, reference }) => says === 'confirms' && reference !== undefined,
  );
  return { effect, contradicted: disagrees(known, effect), reference: named?.reference };
};

const listOf = (...lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Words that assure and tell nothing, in the languages of the desk. */
const assurances = listOf(
  'ok okay k yes done fine good check checked verified seen looked found here there none nothing na n/a',
  'all everything everywhere tout partout',
  'oui fait bon vu verifie verifiee verifies verifiees controle controlee controles controlees ici rien neant',
);
/** How much was searched, of what is not named. */
const amounts = listOf(
  'any anything every whole entire entirely complete completely full fully total totally',
  'of it the them that this in is was and',
  'tous toute toutes totalite totalement entier entiere entierement complet completement ensemble',
  'de du la le les l ca cela en et',
);
const saysNothing = (text: string, empty: readonly ReadonlySet<string>[]): boolean => {
  const bare = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’']/g, ' ')
    .replaceAll(/[^\p{L}\p{N}/ ]/gu, '')
    .trim()
    .toLowerCase();
  return bare.split(/ +/).every((word) => word === '' || empty.some((words) => words.has(word)));
};

const told = (most: number, ...empty: readonly ReadonlySet<string>[]) =>
  z
    .string()
    .trim()
    .min(3)
    .max(most)
    .refine((text) => !saysNothing(text, empty), {
      message:
        'This tells nothing by itself. Say what was seen, where, and how far the search went.',
      params: {
        fr: 'Cela ne dit rien en soi. Dites ce qui a été vu, où, et jusqu’où la recherche est allée.',
      },
    });

/** What a person must say for a word to count: what was seen, where, when, and how far the search went. */
export const PersonsEvidence = z.strictObject({
  what: told(4_000, assurances),
  where: told(1_000, assurances),
  when: z.iso.datetime(),
  coverage: told(1_000, assurances, amounts),
  reference: z.string().min(1).max(2_000).optional(),
});
export type PersonsEvidence = z.infer<typeof PersonsEvidence>;

/** As it is stored: what counted when it was given is read for ever, whatever is asked of new evidence. */
export const StoredEvidence = z.strictObject({
  what: z.string(),
  where: z.string(),
  when: z.iso.datetime(),
  coverage: z.string(),
  reference: z.string().optional(),
});

export const destinationOf = (destination: z.infer<typeof Destination>) => ({
  account: destination.account,
  environment: destination.environment,
});
