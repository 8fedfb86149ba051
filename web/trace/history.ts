// Events of an execution's history as Step Functions gives them. Owns: their reading, and that no task token is shown: whoever
// has one can answer in a person's place (L18).
import type { Json, JsonObject } from '../api/types.ts';

/** As GetExecutionHistory has it; one more member holds what is special about the type. */
export interface GivenEvent {
  readonly id: number;
  readonly previousEventId?: number;
  readonly type: string;
  /** Seconds. */
  readonly timestamp: number;
  readonly [member: string]: Json | undefined;
}

export interface HistoryEvent {
  readonly id: number;
  readonly previousId: number;
  readonly type: string;
  readonly atMs: number;
  /** Name of the member that holds the details. */
  readonly member: string | undefined;
  readonly details: JsonObject;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands where a task token stood. */
export const hiddenToken = '•••';
const isToken = (name: string): boolean => /^:?(?:task)?token$/i.test(name);

const hiddenIn = (value: Json): Json => {
  if (typeof value === 'string') return hiddenInText(value);
  if (Array.isArray(value)) return value.map(hiddenIn);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isToken(name) ? hiddenToken : hiddenIn(inner),
    ]),
  );
};

/** Inputs, outputs and parameters are JSON in a text. Whatever names no token stays as it is, byte for byte. */
const hiddenInText = (text: string): string => {
  if (!/":?(?:task)?token\\*"\s*:/i.test(text)) return text;
  const parsed = parsedJson(text);
  return parsed === undefined || typeof parsed !== 'object'
    ? text
    : JSON.stringify(hiddenIn(parsed));
};

/** The value in a text, or undefined when it is none. */
export const parsedJson = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

export const eventFrom = (given: GivenEvent): HistoryEvent => {
  const [member, details] =
    Object.entries(given).find(([name]) => name.endsWith('EventDetails')) ?? [];
  const hidden = isObject(details) ? hiddenIn(details) : {};
  return {
    id: given.id,
    previousId: given.previousEventId ?? 0,
    type: given.type,
    atMs: given.timestamp * 1_000,
    member,
    details: isObject(hidden) ? hidden : {},
  };
};

/** As `aws stepfunctions get-execution-history` prints it, but for hidden tokens. */
export const asGiven = ({ id, previousId, type, atMs, member, details }: HistoryEvent): object => ({
  timestamp: new Date(atMs).toISOString(),
  type,
  id,
  previousEventId: previousId,
  ...(member === undefined ? {} : { [member]: details }),
});

export const detailOf = ({ details }: HistoryEvent, name: string): string | undefined => {
  const value = details[name];
  return typeof value === 'string' ? value : undefined;
};

const places = { run: '/run/', act: '/action/', req: '/request/', cnv: '/c/' } as const;
type Linked = keyof typeof places;

/** Ids of ours in a text, each once, with the page's place for it. */
export const idsIn = (text: string): readonly { readonly id: string; readonly place: string }[] => {
  const found = text.matchAll(/\b(run|act|req|cnv)_[0-9A-HJKMNP-TV-Z]{26}/g);
  const prefixes = new Map([...found].map(([id, prefix]) => [id, prefix as Linked]));
  return [...prefixes].map(([id, prefix]) => ({ id, place: `${places[prefix]}${id}` }));
};
