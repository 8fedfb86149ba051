// The fixed words in which the agent is told what became of a call. Facts only; never a guess dressed as a result.
// Owns: those words. Laws: L16.
// Tested in test/core/french/said.test.ts.

import { unreachable } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { callsPerStepMax } from '../base/limits.ts';
import type { Action, Told } from './action.ts';
import type { FoldedAction } from './folded.ts';

const error = (text: string): Told => ({ status: 'error', text });

export const toldUnknownTool = (name: string, known: readonly string[]): Told =>
  error(
    `There is no tool named "${name}". Nothing was done. The tools are: ${known.join(', ') || 'none'}.`,
  );

export const toldBadArguments = (name: string, problems: string): Told =>
  error(`The arguments of "${name}" are not valid. Nothing was done. ${problems}`);

export const toldCut = (name: string): Told =>
  error(
    `This call of "${name}" was cut off: the answer reached the model’s limit of tokens before the call was whole. Nothing was done. Ask again with less in one answer: fewer calls, shorter texts.`,
  );

export const toldWithheld = (name: string): Told =>
  error(
    `The call of "${name}" was not made: the provider’s content filter withheld the answer it stood in. Nothing was done.`,
  );

export const toldSurplus = (): Told =>
  error(
    `At most ${callsPerStepMax} calls are taken per step; this one was beyond that. Nothing was done. Ask again in the next step.`,
  );

const of = (action: Action): string => `${action.tool.name} (${action.actionId})`;

export const toldRefused = (action: Action, reason: string): Told =>
  error(`Not done: ${of(action)} was refused by a person. Nothing was sent. Reason: ${reason}`);

export const toldChangesRequested = (action: Action, text: string): Told =>
  error(
    `Not done: a person asks for changes to ${of(action)} before it may run. Nothing was sent. They say: ${text}`,
  );

export const toldExpired = (action: Action): Told =>
  error(
    `Not done: the approval of ${of(action)} expired before anybody answered. Nothing was sent.`,
  );

export const toldStopped = (action: Action): Told =>
  error(`Not done: the run was stopped before ${of(action)} was sent.`);

export const toldMandateGone = (action: Action, because: string): Told =>
  error(`Not done: ${of(action)} may not run any more. Nothing was sent. ${because}`);

export const toldDigestChanged = (action: Action): Told =>
  error(
    `Not done: the content of ${of(action)} is not what was approved. Nothing was sent. Propose it anew.`,
  );

/** What is known of an action's effect, in fixed words. */
export const toldEffect = (action: FoldedAction, because: string): Told => {
  const reference = action.reference === undefined ? '' : ` Reference: ${action.reference}.`;
  switch (action.effect) {
    case 'confirmed':
      return {
        status: 'success',
        text: `Done: ${of(action)} is confirmed.${reference} ${because}`.trim(),
      };
    case 'accepted':
      return {
        status: 'success',
        text: `Accepted: the destination took ${of(action)}; that it was carried out is supposed, not proven. ${because}`,
      };
    case 'not_performed':
      return error(`Not done, with proof: ${of(action)}. ${because}`);
    case 'undetermined':
      return error(
        `Undetermined: it is not known whether ${of(action)} was carried out. It must not be repeated and must not be assumed. ${because}`,
      );
    case 'in_progress':
      return error(`Still in progress: ${of(action)} has not ended. Do not repeat it. ${because}`);
    case 'engaged':
      return error(`Sent, and no answer yet: ${of(action)}. Do not repeat it. ${because}`);
    case 'not_sent':
      return error(`Not sent: ${of(action)}. ${because}`);
    default:
      return unreachable(action.effect);
  }
};

export const toldReissued = (action: FoldedAction, as: string, reason: string): Told =>
  error(
    `Undetermined: it is not known whether ${of(action)} was carried out. A person issues it anew as ${as}, with the risk accepted: ${reason}. Do not repeat either.`,
  );

export const toldSuperseded = (action: Action): Told =>
  error(
    `Not done: a person went on with a new message before ${of(action)} was answered. Nothing was sent.`,
  );

export const toldRunEnded = (action: Action): Told =>
  error(`Not done: the run ended before ${of(action)} was sent.`);

/** A person's answer, or the defaults when nobody came in time. */
export const toldAnswer = (answer: JsonObject, by: string | undefined): Told => ({
  status: 'success',
  text: `${by === undefined ? 'Nobody answered in time; these are the defaults' : `${by} answers`}: ${JSON.stringify(answer)}`,
});

export const toldDeclined = (action: Action, by: string, reason: string | undefined): Told =>
  error(
    `${by} declined to answer ${of(action)}.${reason === undefined ? '' : ` Reason: ${reason}`}`,
  );

export const toldNobodyAnswered = (action: Action, stops: boolean): Told =>
  error(
    `Nobody answered ${of(action)} in time. ${stops ? 'The run stops.' : 'Go on without an answer.'}`,
  );

export const toldGranted = (skill: string, by: string): Told => ({
  status: 'success',
  text: `${by} granted the skill "${skill}". Its instructions and tools are available from the next step on.`,
});

export const toldNotGranted = (skill: string, by: string, reason: string): Told =>
  error(`${by} did not grant the skill "${skill}". Reason: ${reason}`);
