// A person answers a question, declines, or nobody does in time. Owns: that change: for `ask_user` the answer is the call's
// result; for an MCP tool that asked in mid-call it, or the refusal, authorises the next attempt of the same action.
// Laws: L1 (that a tool asked proves nothing), L4 (attempt n+1 under the same identity), L13, L16, L21.
// Tested in test/scenario/people/answers.test.ts.

import type { Author } from '../base/author.ts';
import { Defect } from '../base/errors.ts';
import { checkAnswer, defaultAnswer, type Problem } from '../base/form.ts';
import { at, type JsonObject } from '../base/json.ts';
import { askedByTool, closeQuestion, type ToolQuestion } from '../pausing/asked.ts';
import { closeRequests, system } from '../pausing/close-request.ts';
import { leftOpen } from '../pausing/left-open.ts';
import { authorise } from '../pausing/recovery.ts';
import type { Action, Told } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import { effectEvents } from '../records/effect-events.ts';
import type { EventBody } from '../records/event.ts';
import type { Attempt, Known } from '../records/evidence.ts';
import type { PersonRequest, RequestDecision } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { toldAnswer, toldDeclined, toldNobodyAnswered } from '../records/told.ts';

export interface AnsweringQuestion {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  readonly request: Versioned<PersonRequest>;
  readonly answer:
    | { readonly kind: 'answer'; readonly answer: JsonObject }
    | { readonly kind: 'decline'; readonly reason?: string }
    | { readonly kind: 'expire' };
  readonly by: Author;
  /** The action's journal; wanted when a tool asked in mid-call. */
  readonly known?: Known;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type QuestionRefusal =
  | { readonly because: 'already_decided'; readonly request: PersonRequest }
  | { readonly because: 'expired'; readonly request: PersonRequest }
  | { readonly because: 'not_a_question' }
  | { readonly because: 'misfits'; readonly problems: readonly Problem[] };

export type QuestionOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | ({ readonly kind: 'refused' } & QuestionRefusal);

type Question = Extract<PersonRequest, { on: 'question' }>;

/** The decision, with the answer as it counts: defaults filled in, or made of defaults when nobody came. */
const decisionOf = (
  answering: AnsweringQuestion,
  question: Question,
): RequestDecision | readonly Problem[] => {
  switch (answering.answer.kind) {
    case 'answer': {
      const checked = checkAnswer(question.form, answering.answer.answer);
      return checked.kind === 'fits'
        ? { kind: 'answered', answer: checked.answer }
        : checked.problems;
    }
    case 'decline': {
      const { reason } = answering.answer;
      return { kind: 'declined', ...(reason === undefined ? {} : { reason }) };
    }
    case 'expire':
      return { kind: 'expired' };
  }
};

/** The answer that the agent goes on with; undefined when there is none. */
const answerOf = (decision: RequestDecision, question: Question): JsonObject | undefined => {
  if (decision.kind === 'answered') return decision.answer;
  return decision.kind === 'expired' && question.onExpiry === 'default'
    ? defaultAnswer(question.form)
    : undefined;
};

const toldOf = (
  action: Action,
  decision: RequestDecision,
  question: Question,
  by: Author,
): Told => {
  const answer = answerOf(decision, question);
  if (answer !== undefined)
    return toldAnswer(answer, decision.kind === 'expired' ? undefined : by.name);
  return decision.kind === 'declined'
    ? toldDeclined(action, by.name, decision.reason)
    : toldNobodyAnswered(action, question.onExpiry === 'stop');
};

interface After {
  readonly action: Action;
  readonly writes: Write[];
  readonly events: EventBody[];
  readonly inward?: NonNullable<Change['inward']>;
  readonly recoveries?: NonNullable<Change['recoveries']>;
}

const because = {
  answer: 'What the tool had asked was answered.',
  decline: 'What the tool had asked was declined.',
  expire: 'Nobody answered what the tool had asked.',
} as const;

/** The tool's question is closed, and the action folded with that: what the tool did before it asked is the contract's to say. */
const closed = (answering: AnsweringQuestion, { asked }: ToolQuestion, known: Known) => {
  const { by, nowIso } = answering;
  return closeQuestion(answering.action.item, known, {
    contract: asked.contract ?? {},
    because: because[answering.answer.kind],
    by: by.subject,
    author: by,
    nowIso,
  });
};

/** A person's word goes to the tool, an answer or a refusal: it authorises the next attempt of the same action. */
const carriedOn = (answering: AnsweringQuestion, question: ToolQuestion, known: Known): After => {
  const { by, nowIso, action } = answering;
  const { action: item, observation } = closed(answering, question, known);
  const { requestId } = answering.request.item;
  const stand = { action: { item, rev: action.rev } };
  const next = authorise(stand, { by: 'answer', requestId }, by, nowIso);
  return {
    action: next.action,
    writes: [{ do: 'put', kind: 'observation', item: observation }, ...next.writes],
    // The next attempt says what becomes of it.
    events: [],
  };
};

/** Nobody came: what the tool did before it asked is found out, unless its contract says that it was nothing. */
const unanswered = (
  answering: AnsweringQuestion,
  question: ToolQuestion,
  known: Known,
  told: Told,
): After => {
  const { item: before, rev } = answering.action;
  const { nowIso } = answering;
  const { action, observation } = closed(answering, question, known);
  const contract = question.asked.contract ?? {};
  const left = leftOpen(action, contract, {
    said: told.text,
    because: observation.because,
    waits: contract.whenUndetermined !== 'tell',
    recovering: false,
    nowIso,
  });
  return {
    ...left,
    writes: [
      { do: 'replace', kind: 'action', item: left.action, rev },
      { do: 'put', kind: 'observation', item: observation },
      ...left.writes,
    ],
    events: effectEvents(before, action, observation.because),
  };
};

/** The answer, or that there is none, is the result of a call by which the agent itself asked. */
const settledBy = (answering: AnsweringQuestion, told: Told, answered: boolean): After => {
  const { item, rev } = answering.action;
  const action: Action = {
    ...item,
    head: item.head + 1,
    ...(answered ? {} : { disposition: refusedBy(answering) }),
    told,
    settledAt: answering.nowIso,
  };
  return { action, writes: [{ do: 'replace', kind: 'action', item: action, rev }], events: [] };
};

const refusedBy = ({ by, nowIso, answer }: AnsweringQuestion): Action['disposition'] => ({
  kind: 'refused',
  because: answer.kind === 'decline' ? 'The question was declined.' : 'Nobody answered in time.',
  by: by.subject,
  author: by,
  at: nowIso,
});

const refusalOf = (answering: AnsweringQuestion): QuestionRefusal | undefined => {
  const { item } = answering.request;
  if (item.on !== 'question') return { because: 'not_a_question' };
  if (item.decision) return { because: 'already_decided', request: item };
  const late = item.expiresAtMs !== undefined && answering.nowMs >= item.expiresAtMs;
  return late && answering.answer.kind !== 'expire'
    ? { because: 'expired', request: item }
    : undefined;
};

const afterDecision = (
  answering: AnsweringQuestion,
  decision: RequestDecision,
  answer: JsonObject | undefined,
  told: Told,
): After => {
  const question = askedByTool(answering.request.item);
  if (question === undefined) return settledBy(answering, told, answer !== undefined);
  const { known } = answering;
  if (known === undefined)
    throw new Defect('The journal of a call whose tool asked was not read with its question.');
  return answer === undefined && decision.kind !== 'declined'
    ? unanswered(answering, question, known, told)
    : carriedOn(answering, question, known);
};

export const answerQuestion = (given: AnsweringQuestion): QuestionOutcome => {
  const refusal = refusalOf(given);
  const question = given.request.item;
  if (refusal || question.on !== 'question')
    return { kind: 'refused', ...(refusal ?? { because: 'not_a_question' }) };
  const answering = given.answer.kind === 'expire' ? { ...given, by: system } : given;
  const decision = decisionOf(answering, question);
  if (!('kind' in decision)) return { kind: 'refused', because: 'misfits', problems: decision };
  const answer = answerOf(decision, question);
  const told = toldOf(answering.action.item, decision, question, answering.by);
  const { action, writes, events, ...more } = afterDecision(answering, decision, answer, told);
  const closing = closeRequests(
    answering.run,
    [{ request: answering.request, decision }],
    answering.by,
    answering.nowIso,
  );
  return {
    kind: 'change',
    action,
    change: {
      conversation: answering.conversation,
      events: [...events, ...closing.events],
      writes: [...writes, ...closing.writes],
      wakes: closing.wakes,
      starts: closing.starts,
      ...more,
    },
  };
};

/** What an MCP tool is handed back with the attempt that follows its question: a person's answer, or that they declined. */
export const continuationOf = (
  request: PersonRequest | undefined,
): NonNullable<Attempt['continuation']> | undefined => {
  if (request?.on !== 'question' || request.asked === undefined) return undefined;
  const { decision, asked } = request;
  if (decision === undefined) return undefined;
  const answer = answerOf(decision, request);
  if (answer === undefined && decision.kind !== 'declined') return undefined;
  const contentOf = (fields: Readonly<Record<string, string>>, given: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, formField]) => {
        const value = given[formField];
        return value === undefined ? [] : [[field, value]];
      }),
    );
  const inputResponses = Object.fromEntries(
    Object.entries(asked.parts).map(([name, fields]) => [
      name,
      answer === undefined
        ? { action: 'decline' }
        : { action: 'accept', content: contentOf(fields, answer) },
    ]),
  );
  return {
    inputResponses,
    ...(asked.requestState === undefined ? {} : { requestState: asked.requestState }),
  };
};

/** A person declined what the tool asked, and this is carried to it: an attempt that asks for nothing to be done. */
export const isRefusal = (continuation: Attempt['continuation']): boolean => {
  const answers = Object.values(continuation?.inputResponses ?? {});
  return answers.length > 0 && answers.every((answer) => at(answer, 'action') === 'decline');
};
