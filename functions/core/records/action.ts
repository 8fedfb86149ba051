// An action: one intended tool call, on two axes that never mix: its effect (a fold over evidence) and its disposition (what
// people or policy made of it). Owns: the stored shape and the transitions of both axes.
// Laws: L2, L4, L5, L6, L21.
// Tested in test/core/records/fold.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId, ConversationId, RequestId, RunId } from '../base/ids.ts';
import { Digest, digestOf, JsonObject } from '../base/json.ts';
import { Destination } from '../registry/contract.ts';
import type { ToolCallContent } from '../registry/tool.ts';

/** The effect: shown by evidence, never by a sentence of the agent. `not_sent` has no attempt. */
export const effects = [
  'not_sent',
  'engaged',
  'in_progress',
  'undetermined',
  'accepted',
  'confirmed',
  'not_performed',
] as const;
export type Effect = (typeof effects)[number];

export const Disposition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  /** By policy or a person, before anything was sent. */
  z.strictObject({
    kind: z.literal('refused'),
    because: z.string(),
    by: z.string(),
    author: Author.optional(),
    at: z.iso.datetime(),
  }),
  z.strictObject({
    kind: z.literal('stopped'),
    because: z.string(),
    by: z.string(),
    author: Author.optional(),
    at: z.iso.datetime(),
  }),
  z.strictObject({
    kind: z.literal('suspended'),
    because: z.string(),
    by: z.string(),
    author: Author.optional(),
    at: z.iso.datetime(),
  }),
  z.strictObject({
    kind: z.literal('abandoned'),
    because: z.string(),
    by: z.string(),
    author: Author.optional(),
    at: z.iso.datetime(),
  }),
  z.strictObject({
    kind: z.literal('reissued'),
    as: ActionId,
    because: z.string(),
    by: z.string(),
    author: Author.optional(),
    at: z.iso.datetime(),
  }),
]);
export type Disposition = z.infer<typeof Disposition>;
export type DispositionKind = Disposition['kind'];

/** From which effects a disposition may be set on an open action, and why. */
export const dispositionTransitions = {
  refused: { from: ['not_sent'], because: 'nothing was sent, and policy or a person said no' },
  stopped: { from: ['not_sent'], because: 'nothing was sent, and the run was stopped' },
  suspended: {
    from: ['undetermined', 'in_progress', 'accepted'],
    because: 'a person lets the run go on',
  },
  abandoned: {
    from: ['undetermined', 'in_progress', 'accepted', 'not_performed'],
    because: 'a person gives it up, with a reason',
  },
  reissued: {
    from: ['undetermined', 'in_progress'],
    because: 'a person takes the risk of a new intention',
  },
} as const satisfies { [kind: string]: { from: readonly Effect[]; because: string } };

export const mayDispose = (
  effect: Effect,
  disposition: DispositionKind,
  to: keyof typeof dispositionTransitions,
): boolean => {
  const fromOpen = disposition === 'open' || (disposition === 'suspended' && to !== 'suspended');
  return fromOpen && dispositionTransitions[to].from.some((from) => from === effect);
};

/** Who allows the next attempt: a journal entry; engage requires it to be the head (L7). */
export const Authorisation = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('plan') }),
  z.strictObject({ by: z.literal('approval'), requestId: RequestId }),
  z.strictObject({ by: z.literal('verdict'), because: z.string() }),
  z.strictObject({
    by: z.literal('decision'),
    decisionId: z.string(),
    /** The fence of the claim under which it was decided. */
    claimFence: z.int().nonnegative(),
    /** The look-alike marker's revision that the person saw. */
    likeRev: z.string().optional(),
  }),
  z.strictObject({ by: z.literal('answer'), requestId: RequestId }),
]);
export type Authorisation = z.infer<typeof Authorisation>;

/** What the agent was, or will be, told about a call: one tool result (L16). */
export const Told = z.strictObject({
  status: z.enum(['success', 'error']),
  text: z.string(),
  /** The whole body where `text` is a cut copy. */
  blob: z
    .strictObject({
      blob: z.string(),
      bytes: z.int().nonnegative(),
      digest: z.string(),
      contentType: z.string(),
    })
    .optional(),
});
export type Told = z.infer<typeof Told>;

export const Mandate = z.discriminatedUnion('kind', [
  /** The agent's revision grants the tool, its contract asks for no approval. */
  z.strictObject({ kind: z.literal('standing') }),
  z.strictObject({ kind: z.literal('approval'), requestId: RequestId }),
  /** A grant given with an earlier approval; named by that approval. */
  z.strictObject({ kind: z.literal('grant'), requestId: RequestId }),
]);
export type Mandate = z.infer<typeof Mandate>;

export const Action = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  actionId: ActionId,
  conversationId: ConversationId,
  runId: RunId,
  agentId: z.string(),
  step: z.int().positive(),
  /** Position among the step's calls, from 0. */
  call: z.int().nonnegative(),
  tool: z.strictObject({ name: z.string(), version: z.int().positive() }),
  effectKind: z.enum(['read', 'write', 'irreversible']),
  destination: Destination,
  arguments: JsonObject,
  digest: Digest,
  likeDigest: Digest,
  plannedAt: z.iso.datetime(),
  mandate: Mandate,
  /** Journal: number of the last entry. Entry 1 is the plan. */
  head: z.int().positive(),
  /** Journal number and kind of the newest authorisation. */
  authorised: z.strictObject({
    head: z.int().positive(),
    attempt: z.int().positive(),
    authorisation: Authorisation,
  }),
  effect: z.enum(effects),
  contradicted: z.boolean(),
  disposition: Disposition,
  attempts: z.int().nonnegative(),
  /** The newest attempt, while its outcome is not known: nobody but its owner may send, nobody may settle by guess. */
  engaged: z
    .strictObject({
      attempt: z.int().positive(),
      owner: z.string(),
      deadlineAtMs: z.number().int(),
      engagedAt: z.iso.datetime(),
    })
    .optional(),
  firstEngagedAt: z.iso.datetime().optional(),
  /** The destination object's own reference, once evidence named it. */
  reference: z.string().optional(),
  told: Told.optional(),
  /** Open request of this action: approval, question, skill or recovery. */
  requestId: RequestId.optional(),
  /** Set from the opening of its recovery until that is over. */
  recovering: z.literal(true).optional(),
  /** Recovery rounds ordered so far; each is one execution of the recover machine. */
  round: z.int().nonnegative(),
  /** Journal number of evidence that was stored alone and is not folded into the effect yet: the sweep does. */
  unfolded: z.int().positive().optional(),
  /** A person said: look again then (epoch milliseconds). */
  nextCheckAtMs: z.int().optional(),
  /** Look-alikes that were found when it was about to be sent: it is asked about, whatever became of them. */
  alike: z.array(ActionId).optional(),
  /** A person said that nothing was done: until then (epoch milliseconds) its marker stays, for what is under way may land yet. */
  likeHeldUntilMs: z.int().optional(),
  /** Look-alikes of which one went out after a person had disproved the other: should both turn up, both are duplicates. */
  besides: z.array(ActionId).optional(),
  /** The action whose uncertainty this one was reissued from. */
  reissueOf: ActionId.optional(),
  /** The reissue, the original or the disproved look-alike that was carried out as well. */
  duplicateOf: ActionId.optional(),
  settledAt: z.iso.datetime().optional(),
});
export type Action = z.infer<typeof Action>;

/** L6: over tool version, destination and arguments, and nothing else. */
export const actionDigest = (content: ToolCallContent): Digest =>
  digestOf({
    tool: { name: content.tool.name, version: content.tool.version },
    destination: { ...content.destination },
    arguments: content.arguments,
  });

/** How far an attempt got; each observed or supposed. */
export const milestones = ['prepared', 'transmitted', 'accepted', 'executed', 'confirmed'] as const;
export type Milestone = (typeof milestones)[number];

/** An attempt beyond those made is authorised, and nothing was written since: anything newer has taken the authorisation back. */
export const isAuthorised = ({ authorised, attempts, head }: Action): boolean =>
  authorised.attempt > attempts && authorised.head === head;

/**
 * A recovery may send the authorised attempt. Not what an answer authorised: the run sends that, with the answer. Nor what a
 * verdict authorised before the agent was told that nothing was done.
 */
export const isRecoverysToSend = (action: Action): boolean => {
  if (!isAuthorised(action)) return false;
  const { by } = action.authorised.authorisation;
  const denied = action.effect === 'not_performed' && action.told !== undefined;
  return by !== 'answer' && !(by === 'verdict' && denied);
};

/** A round of recovery has something to do that was decided: an attempt to send, or a look that a person asked for. Epoch milliseconds. */
export const orderedAtMs = (action: Action): number | undefined => {
  const { attempts, reissueOf, authorised, nextCheckAtMs, effect, disposition } = action;
  const approved = reissueOf !== undefined && authorised.authorisation.by === 'approval';
  if ((attempts > 0 || approved) && isRecoverysToSend(action))
    return Date.parse(action.firstEngagedAt ?? action.plannedAt);
  const known = effect === 'confirmed' || effect === 'accepted' || effect === 'not_performed';
  return known || disposition.kind !== 'open' ? undefined : nextCheckAtMs;
};

/** The action after its recovery is over. */
export const recovered = ({ recovering: _over, ...action }: Action): Action => action;

/** Effects that need nobody any more. */
export const isSettled = (effect: Effect): boolean =>
  effect === 'confirmed' || effect === 'accepted' || effect === 'not_performed';
