// A tool's contract: what its destination promises about repeats, look-ups, errors and time (DESIGN.md section 6).
// Owns: the schema. A contract is data, versioned with its tool, and never loosened by what a server says of itself.
// Laws: L8, L9 (what a look-up and a key are worth is declared here, not guessed).
// Tested in test/core/registry/contract-check.test.ts.
import { z } from 'zod';
import { Json } from '../base/json.ts';
import { ReferenceForm } from '../base/reference-form.ts';
import { AnswerPatterns, Path, ReplyPattern } from './reply-pattern.ts';

/** Where the action's reference travels. `body` takes a dotted path, the others a name. `form` says in which form. */
export const Place = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('header'), name: z.string().min(1).max(128) }),
  z.strictObject({ in: z.literal('query'), name: z.string().min(1).max(128) }),
  z.strictObject({ in: z.literal('path'), name: z.string().min(1).max(128) }),
  z.strictObject({
    in: z.literal('body'),
    /** Into a list by number: the element must be there. */
    path: z.string().min(1).max(256),
    /** Where the reference is a part of a text: that text, with `{{reference}}` in it. */
    text: z.string().min(1).max(1_024).optional(),
  }),
]);
export type Place = z.infer<typeof Place>;

export const KeyPromise = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** The reference travels and can be searched for, but the destination does not deduplicate by it. */
  z.strictObject({
    kind: z.literal('reference'),
    place: Place,
    form: ReferenceForm.optional(),
  }),
  z.strictObject({
    kind: z.literal('key'),
    place: Place,
    form: ReferenceForm.optional(),
    scope: z.string().min(1).max(256),
    retentionMs: z.int().positive(),
    marginMs: z.int().nonnegative().default(60_000),
    onRepeat: z.enum([
      'returns_first_result',
      'finishes_failed_work',
      'returns_current_state',
      'overwrites',
      'error',
    ]),
    comparesParameters: z.boolean(),
    stillRunning: ReplyPattern.optional(),
  }),
]);
export type KeyPromise = z.infer<typeof KeyPromise>;

/** How the effect can be looked up: which read tool, what to ask, how to read the answer. */
export const LookUp = z.strictObject({
  tool: z.string().min(1).max(128),
  /** Arguments of the read tool; a string value `$reference` or `$args.<path>` is replaced. */
  arguments: z.record(z.string(), Json),
  by: z.enum(['reference', 'natural']),
  /** Where the hits are in the answer: an array, or one object. */
  hits: Path,
  found: ReplyPattern,
  absent: ReplyPattern,
  /** Answers that are a failed look-up, whatever else they look like. */
  nothing: AnswerPatterns.shape.nothing,
  /**
   * Arguments compared with a hit: action argument path, or `$reference` (`$reference:form`), → path within the hit. A reference
   * may also be a part of the text there.
   */
  compare: z.record(
    z.string(),
    z.union([z.string(), z.strictObject({ path: Path, match: z.enum(['equals', 'contains']) })]),
  ),
  reference: Path.optional().describe('Where a hit carries the destination object’s reference.'),
  coverage: z.strictObject({
    account: z.string().min(1),
    environment: z.string().min(1),
    archived: z.boolean(),
    readRights: z.string().min(1),
    period: z.string().min(1),
    complete: z.boolean(),
  }),
  settleMs: z.int().nonnegative(),
});
export type LookUp = z.infer<typeof LookUp>;

/** Asking another address how far the work is; its answers are read by these patterns and no others. */
export const Poll = AnswerPatterns.omit({ accepted: true }).extend({
  tool: z.string(),
  arguments: z.record(z.string(), Json),
});
export type Poll = z.infer<typeof Poll>;

export const Policy = z.strictObject({
  approval: z.discriminatedUnion('when', [
    z.strictObject({ when: z.literal('always') }),
    z.strictObject({ when: z.literal('never') }),
    /** JSONata over the arguments; true asks. What fails to evaluate asks. */
    z.strictObject({ when: z.literal('condition'), expression: z.string().min(1).max(2_000) }),
  ]),
  expiryMs: z
    .int()
    .positive()
    .default(7 * 86_400_000),
  /** How long after it was given an approval may be begun. Left out: until it would have lapsed, and for an hour at least. */
  beginMs: z.int().positive().optional(),
  role: z.enum(['approver', 'admin']).default('approver'),
  /** How far an approval may be remembered for like calls: not at all, within its run, or for the agent. */
  remember: z.enum(['never', 'run', 'agent']).default('run'),
});
export type Policy = z.infer<typeof Policy>;

export const Destination = z.strictObject({
  provider: z.string().min(1).max(128),
  account: z.string().min(1).max(128),
  environment: z.string().min(1).max(64),
  apiVersion: z.string().min(1).max(64),
});
export type Destination = z.infer<typeof Destination>;

const told = z.string().max(4_000);
/** `undecidable` is of before 2026-12: it was either of the last two. */
const TrialVerdict = z.enum(['pass', 'fail', 'not_run', 'does_not_apply', 'undecidable']);
/** One part of a trial or a check, as the report had it: what was expected, what came, and what shows it. */
export const TrialPart = z.strictObject({
  title: told,
  verdict: TrialVerdict,
  expected: told,
  observed: z.array(told).max(20),
  /** Why it failed, was not run or does not apply. */
  because: z.array(told).max(20).optional(),
  exhibit: z
    .strictObject({
      /** What travelled as key or reference: the action’s id. */
      reference: told.optional(),
      /** Objects found at the destination, and with which tool they were counted. */
      objects: z.int().nonnegative().optional(),
      countedWith: told.optional(),
      /** Calls that left, and that the destination was given. */
      sent: z.int().nonnegative(),
      arrived: z.int().nonnegative(),
    })
    .optional(),
});
export type TrialPart = z.infer<typeof TrialPart>;

export const Verification = z.strictObject({
  by: z.string().min(1),
  at: z.iso.datetime(),
  how: z.string().min(1),
  /** Where the whole report is. */
  report: z.string().optional(),
  /** How long after a call the trials saw its key held: an automatic repeat under the key goes no further. */
  keyHeldMs: z.int().nonnegative().optional(),
  /** What the contract says and nothing tried, and what it costs where it is not so. */
  notTried: z
    .array(z.strictObject({ what: told, costs: told }))
    .max(30)
    .optional(),
  /** The report in short, so that whoever relies on the contract can read it beside it. */
  trials: z
    .array(
      z.strictObject({
        title: told,
        verdict: TrialVerdict,
        parts: z.array(TrialPart).max(20),
      }),
    )
    .max(20)
    .optional(),
});
export type Verification = z.infer<typeof Verification>;

/** Most an effect call may take: below the Perform function's own limit, with a reserve to write the outcome. */
export const toolTimeoutMsMax = 60_000;

export const Contract = z.strictObject({
  effect: z.enum(['read', 'write', 'irreversible']),
  operations: z.array(z.string().min(1)).default([]),
  destination: Destination,
  preset: z.enum(['none', 'http', 'ietf', 'stripe-v1', 'put']).default('none'),
  /** Which replies prove the effect, and where its reference is in them. Once any is declared, another 2xx proves nothing. */
  success: z.array(z.strictObject({ reply: ReplyPattern, reference: Path.optional() })).default([]),
  /** Which answers prove that this attempt did nothing. */
  disproof: z
    .array(z.strictObject({ reply: ReplyPattern, because: z.string().min(1) }))
    .default([]),
  /** MCP: the tool does nothing before what it asks in mid-call is accepted; unless this says so, a question proves nothing. */
  asksBeforeActing: z.literal(true).optional(),
  /** Answers that only say that the call was taken. */
  accepted: AnswerPatterns.shape.accepted,
  /** Answers that prove nothing, whatever else they look like. */
  nothing: AnswerPatterns.shape.nothing,
  alreadyExists: ReplyPattern.optional(),
  /** What the answer to a repeat says, where it is another than the first one's. */
  repeat: AnswerPatterns.optional(),
  key: KeyPromise.default({ kind: 'none' }),
  lookUp: LookUp.optional(),
  progress: z
    .strictObject({
      running: ReplyPattern,
      poll: Poll.optional(),
      everyMs: z.int().positive().default(5_000),
      untilMs: z.int().positive(),
    })
    .optional(),
  /** The answer that is a proven "not now": nothing was done, and it may be tried again later. */
  rateLimit: z
    .strictObject({ reply: ReplyPattern, waitMs: z.int().positive().default(5_000) })
    .optional(),
  timeoutMs: z.int().min(100).max(toolTimeoutMsMax).default(15_000),
  /** Argument paths that make two actions look alike; default all. */
  likeness: z.array(z.string().min(1)).optional(),
  recoverer: z.string().min(1).optional(),
  whenUndetermined: z.enum(['wait', 'tell']).default('wait'),
  policy: Policy.default({
    approval: { when: 'never' },
    expiryMs: 7 * 86_400_000,
    role: 'approver',
    remember: 'run',
  }),
  verification: Verification.optional(),
  repeatWindowMs: z.int().positive().default(600_000),
});
export type Contract = z.infer<typeof Contract>;

/** The action's own reference: what is asked for, and, in place of an argument, what a hit is compared with. */
export const ownReference = '$reference';
