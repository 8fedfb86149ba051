// A person answers a question, declines, or nobody does in time. Owns: that change: for `ask_user` the answer is the call's
// result; for an MCP tool that asked in mid-call it authorises the next attempt of the same action.
// Laws: L4 (attempt n+1 under the same identity), L13, L16, L21 (asked, then answered: that attempt did nothing).
import type { Action, Told } from './action.ts';
import { closeAsked, disprovedAsked } from './asked.ts';
import type { Change, Versioned, Write } from './change.ts';
import { closeRequests, system } from './close-request.ts';
import type { Author, Conversation } from './conversation.ts';
import type { EventBody } from './event.ts';
import type { Known } from './evidence.ts';
import { checkAnswer, defaultAnswer, type Problem } from './form.ts';
import type { JsonObject } from './json.ts';
import { authorise } from './recovery.ts';
import type { PersonRequest, RequestDecision } from './request.ts';
import type { Run } from './run.ts';
import { toldAnswer, toldDeclined, toldEffect, toldNobodyAnswered } from './told.ts';

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
}

const because = 'The attempt only asked; its question is closed.';

/** The tool asked and was answered: the attempt that asked did nothing, and the next one is authorised. */
const goesOn = (answering: AnsweringQuestion): After => {
  const { item, rev } = answering.action;
  const { by, nowIso } = answering;
  const asked = disprovedAsked(item, { because, by: by.subject, author: by, nowIso });
  const next = authorise(
    { action: { item: { ...item, head: asked.head }, rev } },
    { by: 'answer', requestId: answering.request.item.requestId },
    by,
    nowIso,
  );
  return {
    action: next.action,
    writes: [{ do: 'put', kind: 'observation', item: asked.observation }, ...next.writes],
    events: [],
  };
};

const settledBy = (
  answering: AnsweringQuestion,
  question: Question,
  told: Told,
  answered: boolean,
): After => {
  const { item, rev } = answering.action;
  const { by, nowIso, known } = answering;
  const closed =
    question.asked === undefined
      ? { action: item, writes: [], events: [] }
      : closeAsked(item, known, { because, by: by.subject, author: by, nowIso });
  // Something was sent, though it only asked: such an action is not refused, it is disproved.
  const refused = !answered && item.attempts === 0;
  const fact = question.asked === undefined ? '' : ` ${toldEffect(closed.action, '').text}`;
  const action: Action = {
    ...closed.action,
    head: closed.action.head + 1,
    ...(refused ? { disposition: refusedBy(answering) } : {}),
    told: { ...told, text: `${told.text}${fact}` },
    ...(question.asked === undefined ? { settledAt: nowIso } : {}),
  };
  return {
    action,
    writes: [{ do: 'replace', kind: 'action', item: action, rev }, ...closed.writes],
    events: closed.events,
  };
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
  const { action, writes, events } =
    question.asked !== undefined && answer !== undefined
      ? goesOn(answering)
      : settledBy(answering, question, told, answer !== undefined);
  const closed = closeRequests(
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
      events: [...events, ...closed.events],
      writes: [...writes, ...closed.writes],
      wakes: closed.wakes,
      starts: closed.starts,
    },
  };
};

/** What an MCP tool is handed back with the attempt that follows its question. */
export const continuationOf = (
  request: PersonRequest | undefined,
): { readonly inputResponses: JsonObject; readonly requestState?: string } | undefined => {
  if (request?.on !== 'question' || request.asked === undefined) return undefined;
  const { decision, asked, form } = request;
  const answer =
    decision?.kind === 'answered'
      ? decision.answer
      : decision?.kind === 'expired' && request.onExpiry === 'default'
        ? defaultAnswer(form)
        : undefined;
  if (answer === undefined) return undefined;
  const inputResponses = Object.fromEntries(
    Object.entries(asked.parts).map(([name, fields]) => [
      name,
      {
        action: 'accept',
        content: Object.fromEntries(
          Object.entries(fields).flatMap(([field, formField]) => {
            const value = answer[formField];
            return value === undefined ? [] : [[field, value]];
          }),
        ),
      },
    ]),
  );
  return {
    inputResponses,
    ...(asked.requestState === undefined ? {} : { requestState: asked.requestState }),
  };
};
