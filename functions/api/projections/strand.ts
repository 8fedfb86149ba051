// The strand of a message: the part of a conversation's log that answers it, as a fold of the numbered events. It begins where
// the message is taken and ends with the run, at a pause, or where a newer message of the same person takes over, so that two
// streams of one person never tell the same thing. Owns: which step belongs to whom, and that every call of it gets one result.
// Laws: L11 (a message's fate), L16 (one result per call, in fixed words), L17 (nothing decides from this; it is for readers).
// Tested in test/functions/api/clients/strand.test.ts.
import type { Author } from '../../core/base/author.ts';
import type { ActionId, MessageId, RunId } from '../../core/base/ids.ts';
import type { StoredEvent } from '../../core/records/event.ts';
import type { Around } from './around.ts';
import type { Beat, StepOf, StrandEnd } from './beat.ts';

/**
 * Whose the next step is. `early`: the message is not read yet. `own`: ours. `unsure`: a newer message waits, and the model may
 * have been called before or after it came. `over`: the newer message's.
 */
export type Holding = 'early' | 'own' | 'unsure' | 'over';

export interface OpenStep {
  readonly of: StepOf;
  readonly attempt: string;
  readonly text: string;
  readonly stored: boolean;
}

export interface Strand {
  /** Undefined for a run that no message began. */
  readonly messageId: MessageId | undefined;
  readonly by: Author['subject'] | undefined;
  readonly runId: RunId | undefined;
  readonly holding: Holding;
  readonly taken: boolean;
  readonly held: boolean;
  /** The person's own messages up to this event number take nothing over: no other stream tells their part. */
  readonly joinedUpTo: number;
  /** Newer messages of the same person that nobody has read yet. */
  readonly newer: readonly MessageId[];
  readonly steps: number;
  readonly open: OpenStep | undefined;
  /** Calls by id; true once its result was told. */
  readonly calls: ReadonlyMap<string, boolean>;
  /** Actions whose effect was not plain. */
  readonly unclear: ReadonlySet<ActionId>;
  readonly asked: ReadonlySet<string>;
  readonly over: StrandEnd | undefined;
}

export const newStrand = (
  messageId: MessageId | undefined,
  by: Author['subject'] | undefined,
  joinedUpTo = 0,
): Strand => ({
  messageId,
  by,
  runId: undefined,
  holding: messageId === undefined ? 'own' : 'early',
  taken: false,
  held: false,
  joinedUpTo,
  newer: [],
  steps: 0,
  open: undefined,
  calls: new Map(),
  unclear: new Set(),
  asked: new Set(),
  over: undefined,
});

/** The strand after something, and what that tells. */
export interface Told {
  readonly strand: Strand;
  readonly beats: readonly Beat[];
}

export const quiet = (strand: Strand): Told => ({ strand, beats: [] });

export const and = (told: Told, next: (strand: Strand) => Told): Told => {
  const after = next(told.strand);
  return { strand: after.strand, beats: [...told.beats, ...after.beats] };
};

/** Calls that have no result yet. */
export const openCalls = ({ calls }: Strand): string[] =>
  [...calls].flatMap(([callId, told]) => (told ? [] : [callId]));

export const closeStep = (strand: Strand): Told => {
  const { open } = strand;
  if (open === undefined) return quiet(strand);
  const ended: Beat[] =
    open.stored || open.text === '' ? [] : [{ beat: 'text-ended', step: open.of }];
  return {
    strand: { ...strand, open: undefined },
    beats: [...ended, { beat: 'step-ended', step: open.of }],
  };
};

/** Opens the step where it is not open yet. */
export const openStep = (strand: Strand, runId: RunId, step: number, attempt: string): Told => {
  const { open } = strand;
  if (open !== undefined && open.of.runId === runId && open.of.step === step) return quiet(strand);
  return and(closeStep(strand), (closed) => {
    const of: StepOf = { runId, step, ordinal: closed.steps };
    return {
      strand: {
        ...closed,
        steps: closed.steps + 1,
        open: { of, attempt, text: '', stored: false },
      },
      beats: [{ beat: 'step-began', step: of }],
    };
  });
};

/** What the open step has said is taken back. */
export const dropText = (strand: Strand, attempt: string): Told => {
  const { open } = strand;
  if (open === undefined || open.stored) return quiet(strand);
  return {
    strand: { ...strand, open: { ...open, attempt, text: '' } },
    beats: open.text === '' ? [] : [{ beat: 'text-dropped', step: open.of }],
  };
};

export const addText = (strand: Strand, delta: string): Told => {
  const { open } = strand;
  if (open === undefined || delta === '') return quiet(strand);
  return {
    strand: { ...strand, open: { ...open, text: open.text + delta } },
    beats: [{ beat: 'text', step: open.of, delta, first: open.text === '' }],
  };
};

export const end = (strand: Strand, over: StrandEnd, detail: string): Told =>
  and(closeStep(strand), (closed) => ({
    strand: { ...closed, over },
    beats: [{ beat: 'ended', reason: over, detail }],
  }));

/** One event with the items that it refers to. */
export interface Seen {
  readonly event: StoredEvent;
  readonly around: Around;
}
