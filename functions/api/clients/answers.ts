// Answers that a client of another protocol hands in, as answers of the API: each once, to one named request of its own thread, by
// the session's identity. The public answers are recorded before anything streams, all or none that do not fit. Owns: how
// their forms become ours, and that a repeat of the same request after a lost connection is no error. Laws: L6, L12, L13.
// Tested in test/functions/api/clients/ai-sdk.test.ts.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { ActionId, RequestId, type RunId } from '../../core/base/ids.ts';
import { digestOf, type Json, JsonObject } from '../../core/base/json.ts';
import type { Action } from '../../core/records/action.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { PersonRequest, RequestDecisionKind } from '../../core/records/request.ts';
import type { Store } from '../../ports/store.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { alreadyDecided } from '../answers/answer-problems.ts';
import { checkAnswer, giveAnswer } from '../answers/answering.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import type { RunInput } from '../projections/ag-ui-input.ts';
import type { ChatAnswer } from '../projections/ai-sdk-input.ts';
import { misfit } from '../projections/said.ts';
import { AnswerBody, reasonCharactersMax } from '../schemas/requests.ts';

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

/** A reason as a client hands it in, in the form that the API takes; undefined for none. */
const reasonIn = ({ reason }: { readonly reason: string | undefined }): string | undefined =>
  reason?.trim().slice(0, reasonCharactersMax).toWellFormed() || undefined;

const abandoned = (request: PersonRequest): AnswerBody =>
  request.on === 'question' ? { kind: 'decline' } : { kind: 'refuse', reason: cancelled };

const resolved = (request: PersonRequest, payload: Json | undefined, field: string): AnswerBody => {
  const given = JsonObject.safeParse(payload).data ?? {};
  if (Object.hasOwn(given, 'editedArgs')) throw misfit(`${field}.editedArgs`, 'edited_arguments');
  return request.on === 'question'
    ? bodyOf({ kind: 'answer', answer: payload }, field)
    : bodyOf(payload, field);
};

/** What a request is decided as when it is answered so. */
const decisions = {
  approve: 'approved',
  refuse: 'refused',
  request_changes: 'changes_requested',
  answer: 'answered',
  decline: 'declined',
  grant: 'granted',
} as const satisfies { readonly [Kind in AnswerBody['kind']]: RequestDecisionKind };

const isCallers = (caller: Caller, { decidedBy }: PersonRequest): boolean =>
  decidedBy?.subject === caller.author.subject;

/** The thread's requests of these ids; another thread's, and another workspace's, are as if they were not there. */
const requestsIn = async (
  store: Pick<Store, 'read'>,
  { workspace, conversationId }: Conversation,
  ids: readonly RequestId[],
): Promise<ReadonlyMap<string, PersonRequest>> => {
  const requests = [...new Set(ids)];
  const found = requests.length === 0 ? [] : (await store.read({ requests })).requests;
  return new Map(
    found
      .map(({ item }) => item)
      .filter((item) => item.workspace === workspace && item.conversationId === conversationId)
      .map((item) => [item.requestId, item]),
  );
};

interface Read {
  readonly runId: RunId;
  readonly ready: readonly Ready[];
  /** The caller has answered it before: the same request again. */
  readonly repeats: boolean;
}

const readResume = (
  caller: Caller,
  item: PersonRequest | undefined,
  { status, payload }: Resume,
  place: number,
): Read => {
  const field = `resume.${place}.payload`;
  if (item === undefined) throw problem('not-found', {});
  const { runId, decision, requestId } = item;
  const lets = status === 'cancelled';
  const nothing = (repeats: boolean): Read => ({ runId, ready: [], repeats });
  // A client that lets go of what is decided, or of what only the desk decides, looks again; nothing is decided by that.
  if (lets && (decision !== undefined || item.on === 'recovery')) return nothing(false);
  if (item.on === 'recovery') {
    if (decision === undefined) throw misfit(field, 'decided_at_the_desk');
    if (isCallers(caller, item)) return nothing(true);
    throw alreadyDecided(item);
  }
  const body = lets ? abandoned(item) : resolved(item, payload, field);
  if (decision === undefined) return { runId, ready: [{ requestId, body }], repeats: false };
  if (isCallers(caller, item) && decision.kind === decisions[body.kind]) return nothing(true);
  throw alreadyDecided(item);
};

/** One answer for each request. Throws where there are two that differ. */
const each = (ready: readonly Ready[], field: string): readonly Ready[] => {
  const known = new Map<RequestId, Ready>();
  for (const one of ready) {
    const before = known.get(one.requestId) ?? one;
    if (!isDeepStrictEqual(before.body, one.body)) throw misfit(field, 'answered_twice');
    known.set(one.requestId, before);
  }
  return [...known.values()];
};

/** All are checked before the first is given, so that one that does not fit leaves the others open. */
const giveAll = async (
  world: ApiWorld,
  caller: Caller,
  given: readonly Ready[],
  field: string,
): Promise<void> => {
  const ready = each(given, field);
  if (ready.length > 1)
    for (const { requestId, body } of ready) await checkAnswer(world, caller, requestId, body);
  for (const { requestId, body } of ready) await giveAnswer(world, caller, requestId, body);
};

/** Records what `resume` answers; gives the run it is about. Throws the problem that stands against it. */
export const answerInterrupts = async (
  world: ApiWorld,
  caller: Caller,
  conversation: Conversation,
  resume: readonly Resume[],
): Promise<{ readonly runId: RunId | undefined; readonly repeats: boolean }> => {
  const ids = resume.flatMap(({ interruptId }) => RequestId.safeParse(interruptId).data ?? []);
  const known = await requestsIn(world.store, conversation, ids);
  const read = resume.map((entry, place) =>
    readResume(caller, known.get(entry.interruptId), entry, place),
  );
  await giveAll(
    world,
    caller,
    read.flatMap(({ ready }) => ready),
    'resume',
  );
  return { runId: read[0]?.runId, repeats: read.some(({ repeats }) => repeats) };
};

const approving = (
  request: PersonRequest,
  action: Action | undefined,
  answer: Extract<ChatAnswer, { kind: 'approval' }>,
): AnswerBody => {
  if (!answer.approved) return { kind: 'refuse', reason: reasonIn(answer) ?? noReason };
  if (request.on === 'skill') return { kind: 'grant', scope: 'run' };
  const { input, digest } = answer;
  const shown = action !== undefined && (input === undefined || isShown(action, input));
  // What the client showed must be what is asked about; the digest then binds the answer to it.
  if (request.on !== 'approval' || !shown) throw misfit('messages', 'not_shown');
  return { kind: 'approve', digest: digest ?? request.digest };
};

const isShown = (action: Action, input: Json): boolean =>
  digestOf(input) === digestOf(action.arguments);

/** Whether a decision says what the client shows, which knows yes and no. */
const isSaid = (approved: boolean, kind: RequestDecisionKind): boolean =>
  approved
    ? kind === 'approved' || kind === 'granted'
    : kind === 'refused' || kind === 'changes_requested';

type Approval = Extract<ChatAnswer, { kind: 'approval' }>;
type Output = Exclude<ChatAnswer, { kind: 'approval' }>;

interface Known {
  readonly requests: ReadonlyMap<string, PersonRequest>;
  readonly actions: ReadonlyMap<string, Action>;
}

const readyApproval = (caller: Caller, { requests, actions }: Known, answer: Approval): Ready[] => {
  const item = requests.get(answer.requestId);
  if (item === undefined) {
    // A message from before is only what the client shows.
    if (answer.earlier) return [];
    throw problem('not-found', {});
  }
  const { decision, requestId } = item;
  if (decision === undefined)
    return [{ requestId, body: approving(item, actions.get(item.actionId), answer) }];
  if (answer.earlier) return [];
  if (isCallers(caller, item) && isSaid(answer.approved, decision.kind)) return [];
  throw alreadyDecided(item);
};

/** An output of a call is an answer only where that call is a question that is open: all others are ours, sent back. */
const readyOutput = ({ requests, actions }: Known, answer: Output): Ready[] => {
  const asked = actions.get(answer.callId)?.requestId;
  const item = asked && requests.get(asked);
  if (item?.on !== 'question' || item.decision !== undefined) return [];
  const { requestId } = item;
  if (answer.kind === 'output')
    return [{ requestId, body: bodyOf({ kind: 'answer', answer: answer.output }, 'messages') }];
  const reason = reasonIn(answer);
  const body = { kind: 'decline', ...(reason === undefined ? {} : { reason }) } as const;
  return [{ requestId, body }];
};

/** Of a history only the newest can still be open: a run waits for the calls of its last step, sixteen at most. */
const answersMax = 500;

const knownOf = async (
  store: Pick<Store, 'read'>,
  conversation: Conversation,
  answers: readonly ChatAnswer[],
): Promise<Known> => {
  const { conversationId } = conversation;
  const actionsOf = async (ids: readonly ActionId[]): Promise<Action[]> =>
    ids.length === 0
      ? []
      : (await store.read({ actions: [...new Set(ids)] })).actions
          .map(({ item }) => item)
          .filter((item) => item.conversationId === conversationId);
  const called = await actionsOf(
    answers.flatMap((one) =>
      one.kind === 'approval' ? [] : (ActionId.safeParse(one.callId).data ?? []),
    ),
  );
  const named = answers.flatMap((one) =>
    one.kind === 'approval' ? (RequestId.safeParse(one.requestId).data ?? []) : [],
  );
  const asked = called.flatMap(({ told, requestId }) => (told ? [] : (requestId ?? [])));
  const requests = await requestsIn(store, conversation, [...named, ...asked]);
  const open = [...requests.values()].filter(({ decision }) => decision === undefined);
  const actions = [...called, ...(await actionsOf(open.map(({ actionId }) => actionId)))];
  return { requests, actions: new Map(actions.map((action) => [action.actionId, action])) };
};

/** Records what an assistant message's parts answer. Throws the problem that stands against it. */
export const answerParts = async (
  world: ApiWorld,
  caller: Caller,
  conversation: Conversation,
  answers: readonly ChatAnswer[],
): Promise<void> => {
  const newest = answers.slice(-answersMax);
  const known = await knownOf(world.store, conversation, newest);
  const ready = newest.flatMap((answer) =>
    answer.kind === 'approval' ? readyApproval(caller, known, answer) : readyOutput(known, answer),
  );
  await giveAll(world, caller, ready, 'messages');
};
