// An MCP tool that answers `input_required`: its requests as one question of the same action.
// Owns: reading them, and what becomes of the attempt that asked. What is no form (a URL to visit, a sampling request) is left to a person at the recovery desk.
import { z } from 'zod';
import type { Action } from './action.ts';
import type { Versioned, Write } from './change.ts';
import type { Closing } from './close-request.ts';
import type { Author } from './conversation.ts';
import { effectEvents, releaseOf } from './effect-events.ts';
import type { EventBody } from './event.ts';
import { fold, type Known, type Observation } from './evidence.ts';
import { type Field, Form } from './form.ts';
import { derivedSuffix, ObservationId } from './ids.ts';
import type { Json } from './json.ts';
import { askedBytesMax } from './limits.ts';
import { isSettled } from './reply.ts';
import type { PersonRequest } from './request.ts';

const Elicitations = z.record(
  z.string(),
  z.looseObject({
    method: z.literal('elicitation/create'),
    params: z.looseObject({ message: z.string(), requestedSchema: z.looseObject({}) }),
  }),
);

export type Asked = Pick<Extract<PersonRequest, { on: 'question' }>, 'message' | 'form' | 'asked'>;

/** Undefined when a request is no form of the elicitation subset, or larger than a request holds. */
export const questionFrom = (
  inputRequests: Json,
  requestState: string | undefined,
): Asked | undefined => {
  const parsed = Elicitations.safeParse(inputRequests);
  if (!parsed.success || Object.keys(parsed.data).length === 0) return undefined;
  const entries = Object.entries(parsed.data);
  const properties: Record<string, Field> = {};
  const required: string[] = [];
  const parts: Record<string, Record<string, string>> = {};
  for (const [name, { params }] of entries) {
    const { $schema: _dialect, additionalProperties: _open, ...schema } = params.requestedSchema;
    const form = Form.safeParse(schema);
    if (!form.success) return undefined;
    const keyOf = (field: string): string => (entries.length === 1 ? field : `${name}.${field}`);
    const fields: Record<string, string> = {};
    for (const [field, asked] of Object.entries(form.data.properties)) {
      properties[keyOf(field)] = asked;
      fields[field] = keyOf(field);
    }
    parts[name] = fields;
    required.push(...(form.data.required ?? []).map(keyOf));
  }
  const asked: Asked = {
    message: entries.map(([, { params }]) => params.message).join('\n'),
    form: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    asked: { parts, ...(requestState === undefined ? {} : { requestState }) },
  };
  return Buffer.byteLength(JSON.stringify(asked)) > askedBytesMax ? undefined : asked;
};

/** The action's request while it is a question of its tool that nobody has answered. */
export const openQuestionOf = (
  request: Versioned<PersonRequest> | undefined,
): Versioned<PersonRequest> | undefined =>
  isAskedByTool(request?.item) && request?.item.decision === undefined ? request : undefined;

/** Nobody need answer it any more: the effect is known, or a person decided about the action itself. */
export const voidedQuestion = (request: Versioned<PersonRequest>, because: string): Closing => ({
  request,
  decision: { kind: 'voided', because },
});

/** Whether the open question was asked by a tool in mid-call. */
export const isAskedByTool = (request: PersonRequest | undefined): boolean =>
  request?.on === 'question' && request.asked !== undefined && request.decision === undefined;

interface ClosingWords {
  readonly because: string;
  readonly by: string;
  /** Who it was, where a person's answer closed the question. */
  readonly author?: Author | undefined;
  readonly nowIso: string;
}

/**
 * The tool's question is closed without an answer: the attempt that asked did nothing (L21). `known` is the action's journal;
 * without it only an action of one attempt can be folded, and one of more keeps the effect it has.
 */
export const closeAsked = (
  action: Action,
  known: Known | undefined,
  closing: ClosingWords,
): { readonly action: Action; readonly writes: Write[]; readonly events: EventBody[] } => {
  const { observation, head } = disprovedAsked(action, closing);
  const says = known && {
    ...known,
    observations: [...known.observations, observation],
  };
  const alone = action.attempts === 1 ? ('not_performed' as const) : action.effect;
  const effect = says === undefined ? alone : fold(says).effect;
  const after: Action = {
    ...action,
    head,
    effect,
    ...(isSettled(effect) ? { settledAt: action.settledAt ?? closing.nowIso } : {}),
  };
  return {
    action: after,
    writes: [{ do: 'put', kind: 'observation', item: observation }, ...releaseOf(after)],
    events: effectEvents(action, after, closing.because),
  };
};

/** The observation that an attempt only asked, with the journal number it gets. */
export const disprovedAsked = (
  action: Action,
  { because, by, author, nowIso }: ClosingWords,
): { readonly observation: Observation; readonly head: number } => {
  const { actionId, attempts, destination } = action;
  const entry = action.head + 1;
  return {
    head: entry,
    observation: {
      schema: 1,
      // A question closes once, so its observation has one id.
      observationId: ObservationId.parse(`obs_${derivedSuffix('asked', actionId, `${attempts}`)}`),
      actionId,
      entry,
      at: nowIso,
      source: 'reply',
      by,
      ...(author === undefined ? {} : { author }),
      says: 'disproves',
      about: attempts,
      because,
      account: destination.account,
      environment: destination.environment,
    },
  };
};
