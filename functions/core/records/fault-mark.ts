// A fault mark: a reader's note on the tool call where the agent went wrong, kept for whoever improves the agent. It is an
// annotation and nothing more: no journal entry, no event, no change of the action, and no decision is ever taken from it.
// Owns: its stored shape, which call it names, and how its author or an admin changes it. Laws: L13 (the author is the session's).
import { z } from 'zod';
import { Author } from '../base/author.ts';
import {
  ActionId,
  AgentId,
  ConversationId,
  derivedSuffix,
  FaultMarkId,
  RunId,
} from '../base/ids.ts';
import type { Run } from './run.ts';
import type { Step, StepCall } from './step.ts';

/**
 * What was wrong with the call, by what an editor of the agent would look at: which tool it took, what it passed, whether it
 * was needed at all, whether something had to come first, or what it made of the answer.
 */
export const faultKinds = [
  'wrong_tool',
  'wrong_arguments',
  'unneeded',
  'too_early',
  'misread_result',
  'other',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const faultNoteCharactersMax = 2_000;
export const FaultNote = z.string().trim().min(1).max(faultNoteCharactersMax);

/** What a reader says of the call: what the agent should have done, and what sort of mistake it was. */
export const FaultSaying = z.strictObject({
  note: FaultNote.describe('What the agent should have done.'),
  kind: z.enum(faultKinds).optional(),
});
export type FaultSaying = z.infer<typeof FaultSaying>;

const FaultChange = z.strictObject({
  what: z.enum(['marked', 'changed', 'taken_back', 'erased']),
  at: z.iso.datetime(),
  by: Author,
  kind: z.enum(faultKinds).optional(),
  /** Left out where nothing was said, and once it was erased. */
  note: FaultNote.optional(),
});
export type FaultChange = z.infer<typeof FaultChange>;

/** One person's mark of one call. What it names never changes, so that it is copied here and listed without another read. */
export const FaultMark = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  markId: FaultMarkId,
  conversationId: ConversationId,
  runId: RunId,
  agentId: AgentId,
  /** The revision that the run used. */
  revision: z.int().positive(),
  step: z.int().positive(),
  /** Place among the step's calls, from 0, as in the action. */
  call: z.int().nonnegative(),
  /** The name that the agent called: a call that never became an action may name no tool at all. */
  tool: z.string(),
  /** Left out where the call got a fixed result. */
  actionId: ActionId.optional(),
  by: Author,
  /** Oldest first; the newest one is what stands. */
  changes: z.array(FaultChange).min(1),
});
export type FaultMark = z.infer<typeof FaultMark>;

/** With notes of the greatest length in the longest characters, the item stays below the store's limit of 400 KiB. */
const changesMax = 20;
/** Names are the model's own words; more of one than this helps nobody. */
const toolCharactersMax = 200;

/** One mark per person and call: whoever marks it again changes their own. */
export const faultMarkIdOf = (
  runId: RunId,
  step: number,
  call: number,
  subject: string,
): FaultMarkId =>
  FaultMarkId.parse(
    `flt_${derivedSuffix('fault-mark', runId, String(step), String(call), subject)}`,
  );

/** What is said of the call now; undefined once it was taken back. */
export const standingFault = ({ changes }: FaultMark): FaultChange | undefined => {
  const last = changes.at(-1);
  return last?.what === 'marked' || last?.what === 'changed' ? last : undefined;
};

/** When it was marked, or marked anew after it had been taken back: lists are in this order. */
export const faultMarkedAt = ({ changes }: FaultMark): string =>
  changes.findLast(({ what }) => what === 'marked')?.at ?? changes[0]?.at ?? '';

const kept = (changes: readonly FaultChange[]): FaultChange[] => {
  const [first, ...later] = changes;
  // The first one says who marked it when; of the others the newest are kept.
  return first === undefined ? [] : [first, ...later.slice(1 - changesMax)];
};

/** The same words of the same person stand already, as after a repeat whose first answer was lost. */
const says = (before: FaultMark, saying: FaultSaying, by: Author): boolean => {
  const stands = standingFault(before);
  return (
    stands?.note === saying.note && stands.kind === saying.kind && stands.by.subject === by.subject
  );
};

/** Who changes it, and when. */
export interface FaultChanging {
  readonly by: Author;
  readonly nowIso: string;
}

/**
 * The mark after its author marked the call: made, put in place of their earlier words, or made to stand again. The same mark
 * when it says so already.
 */
export const markFault = (
  before: FaultMark | undefined,
  { run, step, call, of }: { run: Run; step: Step; call: number; of: StepCall },
  saying: FaultSaying,
  { by, nowIso }: FaultChanging,
): FaultMark => {
  if (before !== undefined && says(before, saying, by)) return before;
  const what = before !== undefined && standingFault(before) ? 'changed' : 'marked';
  const change: FaultChange = { what, at: nowIso, by, ...saying };
  if (before !== undefined) return { ...before, changes: kept([...before.changes, change]) };
  return {
    schema: 1,
    workspace: run.workspace,
    markId: faultMarkIdOf(run.runId, step.step, call, by.subject),
    conversationId: run.conversationId,
    runId: run.runId,
    agentId: run.agentId,
    revision: run.revision,
    step: step.step,
    call,
    tool: of.name.slice(0, toolCharactersMax).toWellFormed(),
    ...(of.kind === 'action' ? { actionId: of.actionId } : {}),
    by,
    changes: [change],
  };
};

/** Undefined when it does not stand any more; the same mark when it says so already. */
export const changeFault = (
  before: FaultMark,
  saying: FaultSaying,
  { by, nowIso }: FaultChanging,
): FaultMark | undefined => {
  if (standingFault(before) === undefined) return undefined;
  if (says(before, saying, by)) return before;
  const change: FaultChange = { what: 'changed', at: nowIso, by, ...saying };
  return { ...before, changes: kept([...before.changes, change]) };
};

/**
 * Takes a mark back; with `erase` every note of it goes too. Who did what when stays. Undefined when it is so already.
 */
export const takeBackFault = (
  before: FaultMark,
  erase: boolean,
  { by, nowIso }: FaultChanging,
): FaultMark | undefined => {
  const stands = standingFault(before) !== undefined;
  const erases = erase && before.changes.some(({ note }) => note !== undefined);
  if (!stands && !erases) return undefined;
  const changes = erases ? before.changes.map(({ note: _gone, ...rest }) => rest) : before.changes;
  const what = erases ? 'erased' : 'taken_back';
  return { ...before, changes: kept([...changes, { what, at: nowIso, by }]) };
};
