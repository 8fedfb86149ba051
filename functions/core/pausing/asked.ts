// An MCP tool that answers `input_required`: its requests as one question of the same action, and the entry that closes it.
// Owns: reading them, and what becomes of the attempt that asked. What is no form (a URL to visit, a sampling request) is left to a person
// at the recovery desk. Laws: L1 (that a tool asked is no evidence of anything), L21.
// Tested in test/core/margins-of-changes.test.ts.
import { z } from 'zod';
import type { Author } from '../base/author.ts';
import { type Field, Form } from '../base/form.ts';
import { derivedSuffix, ObservationId } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { askedBytesMax } from '../base/limits.ts';
import type { Action } from '../records/action.ts';
import type { Versioned } from '../records/change.ts';
import { type Known, lastEntry, type Observation } from '../records/evidence.ts';
import { type FoldedAction, foldAction } from '../records/folded.ts';
import type { PersonRequest } from '../records/request.ts';
import type { Contract } from '../registry/contract.ts';
import type { Closing } from './close-request.ts';

const Elicitations = z.record(
  z.string(),
  z.looseObject({
    method: z.literal('elicitation/create'),
    params: z.looseObject({ message: z.string(), requestedSchema: z.looseObject({}) }),
  }),
);

export type Asked = Pick<ToolQuestion, 'message' | 'form' | 'asked'>;

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

type Question = Extract<PersonRequest, { on: 'question' }>;
export type ToolQuestion = Question & { readonly asked: NonNullable<Question['asked']> };

/** The request while it is a question that a tool asked in mid-call and that nobody has decided. */
export const askedByTool = (request: PersonRequest | undefined): ToolQuestion | undefined => {
  if (request?.on !== 'question' || request.decision !== undefined) return undefined;
  const { asked } = request;
  return asked === undefined ? undefined : { ...request, asked };
};

export const isAskedByTool = (request: PersonRequest | undefined): boolean =>
  askedByTool(request) !== undefined;

/** The action's request while it is a question of its tool that nobody has answered. */
export const openQuestionOf = (
  request: Versioned<PersonRequest> | undefined,
): Versioned<PersonRequest> | undefined => (isAskedByTool(request?.item) ? request : undefined);

/** Nobody need answer it any more: the effect is known, or a person decided about the action itself. */
export const voidedQuestion = (request: Versioned<PersonRequest>, because: string): Closing => ({
  request,
  decision: { kind: 'voided', because },
});

/** What the contract, under which the tool was called, says of its questions. */
export interface AskingContract {
  readonly asksBeforeActing?: Contract['asksBeforeActing'];
  readonly recoverer?: string | undefined;
  readonly whenUndetermined?: Contract['whenUndetermined'] | undefined;
}

export interface ClosingQuestion {
  readonly contract: AskingContract;
  /** What became of the question: "Ana declined what the tool asked." */
  readonly because: string;
  readonly by: string;
  /** Who it was, where a person's answer closed the question. */
  readonly author?: Author | undefined;
  readonly nowIso: string;
}

const nothingBefore =
  'The contract says that the tool does nothing before it has asked: that attempt did nothing.';
const perhapsBefore = 'Whether the tool had done something before it asked is not known.';

/**
 * The entry that closes what an attempt's tool had asked. That it asked proves nothing (L1): only where the contract says that the tool
 * asks before it acts is the attempt disproved, as by a declared answer.
 */
export const questionClosed = (
  action: Action,
  entry: number,
  { contract, because, by, author, nowIso }: ClosingQuestion,
): Observation => {
  const { actionId, attempts, destination } = action;
  const before = contract.asksBeforeActing === true;
  return {
    schema: 1,
    // A question closes once, so its observation has one id.
    observationId: ObservationId.parse(`obs_${derivedSuffix('asked', actionId, `${attempts}`)}`),
    actionId,
    entry,
    at: nowIso,
    source: 'reply',
    by,
    ...(author === undefined ? {} : { author }),
    says: before ? 'disproves' : 'nothing',
    closesQuestion: true,
    about: attempts,
    because: `${because} ${before ? nothingBefore : perhapsBefore}`,
    account: destination.account,
    environment: destination.environment,
  };
};

/** The tool's question is closed: the entry that says so, and the action folded with it. */
export const closeQuestion = (
  action: Action,
  known: Known,
  closing: ClosingQuestion,
): { readonly action: FoldedAction; readonly observation: Observation } => {
  const observation = questionClosed(action, lastEntry(action.head, known) + 1, closing);
  const observations = [...known.observations, observation];
  return { action: foldAction(action, { ...known, observations }, closing.nowIso), observation };
};
