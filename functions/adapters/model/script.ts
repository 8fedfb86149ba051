// A script: what the scripted model says, as data. Owns: its shape and how its placeholders are filled.
// Nothing here remembers anything: the same transcript always gives the same words.
// Tested in test/functions/adapters/scripted-model.test.ts.
import { cutTo } from '../../core/base/cut.ts';
import { type ExactJson, parseExact, parseWritten } from '../../core/base/exact-json.ts';
import { at, type Json, type JsonObject } from '../../core/base/json.ts';
import type { ModelTool } from '../../ports/model.ts';
import { sampleCalls } from './sample-calls.ts';

/** Every part that is given must hold. An empty `When` always holds: put that scene last, as the default. */
export interface When {
  /** Each of these occurs in the message that began the scene (case does not count). */
  readonly says?: readonly string[];
  /** A regular expression (flags `is`) on that message; its groups are `{{match.1}}`, `{{match.name}}`. */
  readonly matches?: string;
  /** Whether tool results have arrived since that message. */
  readonly results?: boolean;
  /** How many model calls have been answered since that message, at least. */
  readonly step?: number;
  /** Tools that the agent has, by name. */
  readonly has?: readonly string[];
}

/** The name and the arguments are templates. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Json;
}

export interface Turn {
  readonly say?: string;
  readonly call?: readonly ScriptedCall[];
  /** One call for each match of a regular expression (flags `gim`) in the message; `{{match.…}}` are its groups there. */
  readonly callEach?: ScriptedCall & { readonly matches: string };
  /** Says this instead, and makes no call, when a `{{json:…}}` of its calls is no JSON: `{{noJson}}` says which call, and why. */
  readonly onNoJson?: Turn;
  /** Says its text, if any, and then fails as a provider would. */
  readonly fail?: 'passing' | 'final';
  /** Its answer ends so, as a provider’s would: cut off, withheld. Calls that are texts were cut. */
  readonly end?: 'cut_off' | 'withheld';
  /** Says this instead when a result of the turn before was an error. */
  readonly onError?: Turn;
  /** How often this turn is taken in a row: a number, or a template that gives one. */
  readonly times?: number | string;
}

export interface Scene {
  readonly when: When;
  readonly turns: readonly Turn[];
}

export interface Script {
  /** In order; the first that holds is played. */
  readonly scenes: readonly Scene[];
  /** Pause between two pieces of text, to look alive in a demo; left out: none. */
  readonly paceMs?: number;
}

/** What placeholders can refer to. */
export interface Stage {
  readonly message: string;
  readonly match: { readonly [group: string]: string };
  readonly step: number;
  /** All results since the scene began, in order. */
  readonly results: readonly string[];
  /** The first error among the results of the turn before. */
  readonly error: string | undefined;
  /** The results of the turn before, in order, as the agent was told them. */
  readonly told: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly noJson?: string;
}

/** What `{{json:…}}` stands for is no JSON. The message says why. */
class NoJson extends Error {
  override readonly name = 'NoJson';
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;
const wholePlaceholder = /^\{\{\s*([^{}]+?)\s*\}\}$/;

/** The JSON in a result's text: all of it, or what stands from its first brace to its last. */
const jsonIn = (text: string): Json => {
  const begins = text.search(/[[{]/);
  const ends = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  for (const candidate of [text, begins >= 0 ? text.slice(begins, ends + 1) : '']) {
    try {
      return parseWritten(candidate);
    } catch {
      // Not JSON: the next candidate, and in the end the text itself.
    }
  }
  return text;
};

const resultAt = (path: string, results: readonly string[]): Json | undefined => {
  const [which = '', ...rest] = path.split('.');
  const result = which === 'last' ? results.at(-1) : results[Number(which)];
  return result === undefined ? undefined : at(jsonIn(result), rest.join('.'));
};

/** Undefined for blank text, as for none. */
const parsed = (text: Json | undefined): Json | undefined => {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  try {
    return parseWritten(text);
  } catch (cause) {
    throw new NoJson(cause instanceof Error ? cause.message : String(cause));
  }
};

/** As it was written where JSON writes numbers so. */
const numberIn = (text: Json | undefined): Json | undefined => {
  const value = Number(text);
  if (typeof text === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text.trim()))
    return parseWritten(text);
  return Number.isFinite(value) ? value : undefined;
};

/** A result is cut to that where it is said again. */
const toldBytesMax = 4_000;
const toldOf = ({ told }: Stage): string =>
  told.map((text) => cutTo(text, toldBytesMax, 'The whole is beside the call.')).join('\n\n');

const lookUp = (name: string, stage: Stage): Json | undefined => {
  if (name.startsWith('json:')) return parsed(lookUp(name.slice('json:'.length).trim(), stage));
  if (name.startsWith('number:'))
    return numberIn(lookUp(name.slice('number:'.length).trim(), stage));
  if (name === 'message') return stage.message;
  if (name === 'step') return stage.step;
  if (name === 'error') return stage.error;
  if (name === 'told') return toldOf(stage);
  if (name === 'noJson') return stage.noJson;
  if (name === 'sampleCalls') return sampleCalls(stage.tools);
  if (name.startsWith('match.')) return stage.match[name.slice('match.'.length)];
  if (name.startsWith('result.')) return resultAt(name.slice('result.'.length), stage.results);
  return undefined;
};

const wordsOf = (value: Json | undefined): string => {
  if (value === undefined) return 'unknown';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Text with its placeholders filled; what has no value reads "unknown". */
export const fillText = (template: string, stage: Stage): string =>
  template.replace(placeholder, (_all, name: string) => wordsOf(lookUp(name, stage)));

const fillValue = (template: Json, stage: Stage): Json | undefined => {
  if (typeof template === 'string') {
    const whole = wholePlaceholder.exec(template);
    return whole?.[1] === undefined ? fillText(template, stage) : lookUp(whole[1], stage);
  }
  if (Array.isArray(template)) {
    return template.flatMap((item: Json) => fillValue(item, stage) ?? []);
  }
  if (template === null || typeof template !== 'object') return template;
  return fillObject(template as JsonObject, stage);
};

const fillObject = (template: JsonObject, stage: Stage): JsonObject =>
  Object.fromEntries(
    Object.entries(template).flatMap(([key, value]) => {
      const filled = fillValue(value, stage);
      return filled === undefined ? [] : [[key, filled]];
    }),
  );

/**
 * Arguments with their placeholders filled. A string that is one placeholder keeps the value's type, and is left out when
 * it has no value. Arguments that are one text come back as text: so a script can write what is no JSON.
 */
export const fillArguments = (template: Json, stage: Stage): Json =>
  fillValue(template, stage) ?? {};

export interface FilledCall extends ExactJson {
  readonly name: string;
}

/** The groups of a match, by number and by name. */
export const groupsOf = (match: RegExpExecArray): Stage['match'] => ({
  ...Object.fromEntries(match.map((text, index) => [String(index), text ?? ''])),
  ...match.groups,
});

const stagesOf = ({ callEach }: Turn, stage: Stage): readonly Stage[] =>
  callEach === undefined
    ? []
    : [...stage.message.matchAll(new RegExp(callEach.matches, 'gim'))].map((match) => ({
        ...stage,
        match: groupsOf(match),
      }));

/** The turn's calls, filled; or which of them has what is no JSON, and why. */
export const callsOf = (
  turn: Turn,
  stage: Stage,
): { readonly calls: readonly FilledCall[] } | { readonly noJson: string } => {
  const { call = [], callEach } = turn;
  const written = [
    ...call.map((one) => [one, stage] as const),
    ...stagesOf(turn, stage).flatMap((at) => (callEach ? [[callEach, at] as const] : [])),
  ];
  const calls: FilledCall[] = [];
  for (const [one, at] of written) {
    const name = fillText(one.name, at);
    try {
      calls.push({ name, ...parseExact(JSON.stringify(fillArguments(one.arguments, at))) });
    } catch (cause) {
      if (!(cause instanceof NoJson)) throw cause;
      return { noJson: `${name} (${cause.message})` };
    }
  }
  return { calls };
};
