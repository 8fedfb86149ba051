// Answers that a client of another protocol hands in, as answers of the API: each once, to one named request, by the session's
// identity. The public answer is recorded before anything streams. Owns: how their forms become ours, and that a repeat of the
// same request after a lost connection is no error. Laws: L6, L12, L13.
import type { z } from 'zod';
import type { Action } from '../core/action.ts';
import { ActionId, RequestId, type RunId } from '../core/ids.ts';
import { digestOf, type Json, JsonObject } from '../core/json.ts';
import type { PersonRequest } from '../core/request.ts';
import type { ApiWorld } from '../wiring/api.ts';
import { alreadyDecided } from './answer-problems.ts';
import { giveAnswer } from './answering.ts';
import { requestFor } from './found.ts';
import type { Caller } from './identity.ts';
import { problem } from './problems.ts';
import type { RunInput } from './projections/ag-ui-input.ts';
import type { ChatAnswer } from './projections/ai-sdk-input.ts';
import { misfit } from './projections/said.ts';
import { AnswerBody } from './schemas-requests.ts';

type Resume = NonNullable<z.infer<typeof RunInput>['resume']>[number];

/** An answer ready to be given. */
interface Ready {
  readonly requestId: RequestId;
  readonly body: AnswerBody;
}

const bodyOf = (value: unknown, field: string): AnswerBody => {
  const read = AnswerBody.safeParse(value);
  if (!read.success) throw misfit(field, 'misfits');
  return read.data;
};

const cancelled = 'Cancelled.';
const noReason = 'No reason given.';
const reasonCharactersMax = 4_000;

const abandoned = (request: PersonRequest): AnswerBody =>
  request.on === 'question' ? { kind: 'decline' } : { kind: 'refuse', reason: cancelled };

const resolved = (request: PersonRequest, payload: Json | undefined, field: string): AnswerBody => {
  const given = JsonObject.safeParse(payload).data ?? {};
  if (Object.hasOwn(given, 'editedArgs')) throw misfit(`${field}.editedArgs`, 'edited_arguments');
  return request.on === 'question'
    ? bodyOf({ kind: 'answer', answer: payload }, field)
    : bodyOf(payload, field);
};

/**
 * An answered request needs nothing more from the one who answered it, nor from a client that only lets go of it. Anybody else is
 * told who answered what and when.
 */
const isOver = (caller: Caller, { decision, decidedBy }: PersonRequest, lets: boolean): boolean => {
  if (decision === undefined) return false;
  return lets || decidedBy?.subject === caller.author.subject;
};

interface Read {
  readonly runId: RunId;
  readonly ready: readonly Ready[];
  /** The caller has answered it before: the same request again. */
  readonly repeats: boolean;
}

const readResume = async (
  world: ApiWorld,
  caller: Caller,
  { interruptId, status, payload }: Resume,
  place: number,
): Promise<Read> => {
  const field = `resume.${place}.payload`;
  const id = RequestId.safeParse(interruptId);
  if (!id.success) throw problem('not-found', {});
  const { item } = await requestFor(world.store, caller, id.data);
  const { runId, decision } = item;
  const lets = status === 'cancelled';
  const over = isOver(caller, item, lets);
  if (decision !== undefined && !over) throw alreadyDecided(item);
  // A client that lets go of what only the desk decides looks again; nothing is decided by that.
  if (over || (lets && item.on === 'recovery')) return { runId, ready: [], repeats: over && !lets };
  if (item.on === 'recovery') throw misfit(field, 'decided_at_the_desk');
  const body = lets ? abandoned(item) : resolved(item, payload, field);
  return { runId, ready: [{ requestId: id.data, body }], repeats: false };
};

/** All are read before the first is given, so that one that does not fit leaves the others open. */
const giveAll = async (
  world: ApiWorld,
  caller: Caller,
  ready: readonly (readonly Ready[])[],
): Promise<void> => {
  for (const { requestId, body } of ready.flat()) await giveAnswer(world, caller, requestId, body);
};

/** Records what `resume` answers; gives the run it is about. Throws the problem that stands against it. */
export const answerInterrupts = async (
  world: ApiWorld,
  caller: Caller,
  resume: readonly Resume[],
): Promise<{ readonly runId: RunId | undefined; readonly repeats: boolean }> => {
  const read = await Promise.all(
    resume.map((entry, place) => readResume(world, caller, entry, place)),
  );
  await giveAll(
    world,
    caller,
    read.map(({ ready }) => ready),
  );
  return { runId: read[0]?.runId, repeats: read.some(({ repeats }) => repeats) };
};

const approving = (
  request: PersonRequest,
  action: Action | undefined,
  answer: Extract<ChatAnswer, { kind: 'approval' }>,
): AnswerBody => {
  const reason = answer.reason?.trim().slice(0, reasonCharactersMax) || noReason;
  if (!answer.approved) return { kind: 'refuse', reason };
  if (request.on === 'skill') return { kind: 'grant', scope: 'run' };
  const { input, digest } = answer;
  const shown = action !== undefined && (input === undefined || isShown(action, input));
  // What the client showed must be what is asked about; the digest then binds the answer to it.
  if (request.on !== 'approval' || !shown) throw misfit('messages', 'not_shown');
  return { kind: 'approve', digest: digest ?? request.digest };
};

const isShown = (action: Action, input: Json): boolean =>
  digestOf(input) === digestOf(action.arguments);

const readyApproval = async (
  world: ApiWorld,
  caller: Caller,
  answer: Extract<ChatAnswer, { kind: 'approval' }>,
): Promise<Ready[]> => {
  const id = RequestId.safeParse(answer.requestId);
  if (!id.success) throw problem('not-found', {});
  const { item } = await requestFor(world.store, caller, id.data);
  if (isOver(caller, item, answer.earlier)) return [];
  if (item.decision !== undefined) throw alreadyDecided(item);
  const action = (await world.store.read({ actions: [item.actionId] })).actions[0]?.item;
  return [{ requestId: id.data, body: approving(item, action, answer) }];
};

/** An output of a call is an answer only where that call is a question that is open: all others are ours, sent back. */
const readyOutput = async (
  world: ApiWorld,
  caller: Caller,
  answer: Exclude<ChatAnswer, { kind: 'approval' }>,
): Promise<Ready[]> => {
  const actionId = ActionId.safeParse(answer.callId).data;
  const action = actionId && (await world.store.read({ actions: [actionId] })).actions[0]?.item;
  if (!action || action.workspace !== caller.workspace || action.told !== undefined) return [];
  if (action.requestId === undefined) return [];
  const { item } = await requestFor(world.store, caller, action.requestId);
  if (item.on !== 'question' || item.decision !== undefined) return [];
  const { requestId } = item;
  if (answer.kind === 'output')
    return [{ requestId, body: bodyOf({ kind: 'answer', answer: answer.output }, 'messages') }];
  const reason = answer.reason?.trim().slice(0, reasonCharactersMax);
  return [{ requestId, body: { kind: 'decline', ...(reason ? { reason } : {}) } }];
};

/** Records what an assistant message's parts answer. Throws the problem that stands against it. */
export const answerParts = async (
  world: ApiWorld,
  caller: Caller,
  answers: readonly ChatAnswer[],
): Promise<void> => {
  const ready = await Promise.all(
    answers.map((answer) =>
      answer.kind === 'approval'
        ? readyApproval(world, caller, answer)
        : readyOutput(world, caller, answer),
    ),
  );
  await giveAll(world, caller, ready);
};
