// What clients of other protocols are told, before it is put in the words of one of them: one union between our events and theirs.
// Owns: that union. Laws: L14 (one reason, in the same words), L16 (exactly one result for a call; fixed words).
// Tested in test/functions/api/clients/strand.test.ts.

import type { MessageId, RequestId, RunId } from '../../core/base/ids.ts';
import type { JsonObject } from '../../core/base/json.ts';
import type { Told } from '../../core/records/action.ts';
import type { FoldedAction } from '../../core/records/folded.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { RunEnd } from '../../core/records/run.ts';
import type { Stood } from '../answers/standing.ts';

/** A step of a strand. */
export interface StepOf {
  readonly runId: RunId;
  readonly step: number;
  /** Position among the strand's own steps, from 0. */
  readonly ordinal: number;
}

/** Why a strand is over. Beside a run's own ends: */
export type StrandEnd =
  | RunEnd
  /** A newer message of the same person is what the run answers from here on. */
  | 'handed_over'
  /** The connection ends, the run does not. */
  | 'connection'
  /** Something failed here while it was told; the run does not end by that. */
  | 'broken';

export type Beat =
  | { readonly beat: 'step-began'; readonly step: StepOf }
  | {
      readonly beat: 'text';
      readonly step: StepOf;
      readonly delta: string;
      readonly first: boolean;
    }
  | { readonly beat: 'text-ended'; readonly step: StepOf }
  /** What this step has said so far is taken back. */
  | { readonly beat: 'text-dropped'; readonly step: StepOf }
  | {
      readonly beat: 'call';
      readonly step: StepOf;
      readonly callId: string;
      readonly name: string;
      readonly arguments: JsonObject;
    }
  | { readonly beat: 'step-ended'; readonly step: StepOf }
  /** Somebody is asked; `action` is what for. */
  | {
      readonly beat: 'asked';
      readonly request: PersonRequest;
      readonly action: FoldedAction;
      readonly stood: Stood;
    }
  | { readonly beat: 'decided'; readonly request: PersonRequest }
  | {
      readonly beat: 'result';
      readonly callId: string;
      readonly told: Told;
      /** The approval that a person, or their silence, refused; nothing was sent. */
      readonly refusedAt: RequestId | undefined;
    }
  /** An action whose effect is not plain, each time something becomes known of it. */
  | { readonly beat: 'effect'; readonly action: FoldedAction; readonly because: string }
  /** Somebody else steers the run. */
  | {
      readonly beat: 'said';
      readonly messageId: MessageId;
      readonly from: string;
      readonly text: string;
    }
  | { readonly beat: 'paused'; readonly waiting: readonly Waiting[] }
  | { readonly beat: 'ended'; readonly reason: StrandEnd; readonly detail: string };

/** A request that blocks the run, with what it is about. */
export interface Waiting {
  readonly request: PersonRequest;
  readonly action: FoldedAction;
  /** What stands against it and what looks like it, for an approval. */
  readonly stood: Stood;
  /** The call is one of the strand's own. */
  readonly own: boolean;
}

export type BeatOf<Kind extends Beat['beat']> = Extract<Beat, { readonly beat: Kind }>;
/** One teller for every kind of beat: none can be forgotten. */
export type TellersOf<State, Wire> = {
  readonly [Kind in Beat['beat']]: (state: State, beat: BeatOf<Kind>) => readonly Wire[];
};
