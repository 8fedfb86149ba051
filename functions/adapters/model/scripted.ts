// The scripted model: says what a script says. For the demo, the tests and the benchmarks.
// Owns: which turn comes next, derived from the transcript alone, so that a restart changes nothing.
// Tested in test/functions/adapters/scripted-model.test.ts.
import type { JsonObject } from '../../core/base/json.ts';
import type { Transcript, TranscriptEntry } from '../../core/turn/transcript.ts';
import {
  type Model,
  type ModelAnswer,
  ModelFailed,
  type ModelRequest,
  type ModelTool,
} from '../../ports/model.ts';
import {
  callsOf,
  fillText,
  groupsOf,
  type Scene,
  type Script,
  type Stage,
  type Turn,
  type When,
} from './script.ts';

export type { Scene, Script, Turn, When } from './script.ts';

export interface ScriptedOptions {
  readonly scripts: { readonly [name: string]: Script };
  /** Makes the id under which a call's usage is counted. */
  readonly newCallId: () => string;
  /** Used between pieces of text where a script sets `paceMs`. */
  readonly pause?: (ms: number) => Promise<void>;
}

const isPerson = (entry: TranscriptEntry) => entry.role === 'person';
const isAnswer = (entry: TranscriptEntry): boolean =>
  entry.role === 'agent' && entry.calls.length === 0;

/** Index of the first message after the last final answer: what came later in the same run steers, and begins nothing. */
const beginningOf = (transcript: Transcript): number => {
  const opened = transcript.findLastIndex((entry) => isPerson(entry) && entry.opensRun === true);
  const answered = transcript.findLastIndex(isAnswer);
  const after = transcript.findIndex((entry, index) => index > answered && isPerson(entry));
  const found = Math.max(opened, after === -1 ? transcript.findLastIndex(isPerson) : after);
  const before = transcript.slice(0, Math.max(0, found));
  const earlier = before.findLastIndex((entry) => !isPerson(entry) && entry.role !== 'facts');
  return Math.max(0, earlier + 1);
};

/** What the transcript says of the scene in progress. */
interface Progress {
  /** Messages that came before the first model call: the first of them that a scene knows begins it. */
  readonly opening: readonly string[];
  readonly steering: readonly string[];
  readonly steps: number;
  readonly results: readonly string[];
  readonly resultsInStep: number | undefined;
  readonly error: string | undefined;
  /** The results of the turn before. */
  readonly told: readonly string[];
}

const progressOf = (transcript: Transcript): Progress => {
  const here = transcript.slice(beginningOf(transcript));
  const firstAgent = here.findIndex((entry) => entry.role === 'agent');
  const lastAgent = here.findLastIndex((entry) => entry.role === 'agent');
  const textsOf = (entries: Transcript) =>
    entries.flatMap((entry) => (isPerson(entry) ? [entry.text] : []));
  const results = here.flatMap((entry) => (entry.role === 'results' ? entry.results : []));
  const firstResults = here.findIndex((entry) => entry.role === 'results');
  const latest = here.slice(lastAgent + 1).flatMap((e) => (e.role === 'results' ? e.results : []));
  return {
    opening: textsOf(firstAgent === -1 ? here : here.slice(0, firstAgent)),
    steering: lastAgent === -1 ? [] : textsOf(here.slice(lastAgent + 1)),
    steps: here.filter((entry) => entry.role === 'agent').length,
    results: results.map((result) => result.text),
    resultsInStep:
      firstResults === -1
        ? undefined
        : here.slice(0, firstResults).filter((entry) => entry.role === 'agent').length,
    error: latest.find((result) => result.status === 'error')?.text,
    told: latest.map((result) => result.text),
  };
};

type Groups = { readonly [group: string]: string };

/** The groups when the message suits, else undefined. */
const suits = (when: When, message: string): Groups | undefined => {
  const lower = message.toLowerCase();
  if (when.says?.some((part) => !lower.includes(part.toLowerCase()))) return undefined;
  if (when.matches === undefined) return {};
  const match = new RegExp(when.matches, 'is').exec(message);
  return match === null ? undefined : groupsOf(match);
};

const isDefault = (when: When): boolean => when.says === undefined && when.matches === undefined;

const holdsNow = (when: When, progress: Progress, tools: readonly ModelTool[]): boolean =>
  (when.has ?? []).every((wanted) => tools.some(({ name }) => name === wanted)) &&
  (when.results === undefined || when.results === progress.results.length > 0) &&
  (when.step === undefined || progress.steps >= when.step);

interface Playing {
  readonly scene: Scene;
  readonly stage: Stage;
  readonly turn: Turn | undefined;
  /** Messages to acknowledge. */
  readonly noted: readonly string[];
}

/** Turns before the scene could hold are not counted as its turns. */
const turnNumber = (when: When, progress: Progress): number =>
  progress.steps -
  Math.max(when.step ?? 0, when.results === true ? (progress.resultsInStep ?? 0) : 0);

const turnAt = (scene: Scene, stage: Stage, number: number): Turn | undefined => {
  let left = number;
  for (const turn of scene.turns) {
    const times =
      typeof turn.times === 'string' ? Number(fillText(turn.times, stage)) : (turn.times ?? 1);
    if (left < times) return turn;
    left -= Number.isFinite(times) ? times : 1;
  }
  return undefined;
};

const playingOf = (
  script: Script,
  progress: Progress,
  tools: readonly ModelTool[],
): Playing | undefined => {
  const { opening } = progress;
  const known = opening.findIndex((text) =>
    script.scenes.some(({ when }) => !isDefault(when) && suits(when, text) !== undefined),
  );
  const begins = known === -1 ? opening.length - 1 : known;
  const message = opening[begins] ?? '';
  for (const scene of script.scenes) {
    const match = suits(scene.when, message);
    if (match === undefined || !holdsNow(scene.when, progress, tools)) continue;
    const { results, error, told, steps: step } = progress;
    const stage: Stage = { message, match, step, results, error, told, tools };
    const turn = turnAt(scene, stage, turnNumber(scene.when, progress));
    const besides = progress.steps === 0 ? opening.filter((_, n) => n !== begins) : [];
    return {
      scene,
      stage,
      turn: (error !== undefined && turn?.onError) || turn,
      noted: [...besides, ...progress.steering],
    };
  }
  return undefined;
};

/** What is said and called: the turn's own, or its word where what a person wrote as JSON is none. */
const actOf = ({ turn, stage }: Playing) => {
  const filled = turn === undefined ? { calls: [] } : callsOf(turn, stage);
  return 'calls' in filled
    ? { turn, stage, calls: filled.calls }
    : { turn: turn?.onNoJson, stage: { ...stage, noJson: filled.noJson }, calls: [] };
};

/** Words with the space after them, a few at a time. */
const piecesOf = (text: string): readonly string[] => text.match(/(?:\S+\s*){1,4}|\s+/g) ?? [];

const tokensOf = (characters: number): number => Math.ceil(characters / 4);

const lengthOf = (entry: TranscriptEntry): number => {
  if (entry.role !== 'results') return entry.text.length;
  return entry.results.reduce((sum, result) => sum + result.text.length, 0);
};

/** Over `scripts`, by name. Deterministic but for the call ids. */
export const scriptedModel = (options: ScriptedOptions): Model => {
  const speak = async (script: Script, text: string, request: ModelRequest): Promise<void> => {
    let heard = 0;
    for (const [index, piece] of piecesOf(text).entries()) {
      if (index > 0 && script.paceMs !== undefined) await options.pause?.(script.paceMs);
      if (request.signal.aborted)
        throw new ModelFailed('passing', 'The model call was cut short.', { heard });
      heard += piece.length;
      await request.onText(piece);
    }
  };
  const scriptOf = (request: ModelRequest): { name: string; script: Script } => {
    const name = request.choice.provider === 'scripted' ? request.choice.script : '';
    const script = Object.hasOwn(options.scripts, name) ? options.scripts[name] : undefined;
    if (script !== undefined) return { name, script };
    const names = Object.keys(options.scripts).join(', ');
    throw new ModelFailed('final', `There is no script "${name}". Choose one of: ${names}.`);
  };
  const call = async (request: ModelRequest): Promise<ModelAnswer> => {
    const { name: scriptName, script } = scriptOf(request);
    const playing = playingOf(script, progressOf(request.transcript), request.tools);
    if (playing === undefined) {
      throw new ModelFailed(
        'final',
        `Script "${scriptName}" has no scene for this. Add a default scene.`,
      );
    }
    const { turn, stage, calls: filled } = actOf(playing);
    const calls = filled.map(({ name, value, unkept }) => ({
      name,
      arguments: value,
      ...(unkept.length === 0 ? {} : { unkept }),
    }));
    const noted = playing.noted.map((text) => `Noted: ${text}`).join('\n');
    const said = turn === undefined ? 'That is all.' : fillText(turn.say ?? '', stage);
    const text = [noted, said].filter((part) => part !== '').join('\n\n');
    await speak(script, text, request);
    if (turn?.fail !== undefined) {
      throw new ModelFailed(turn.fail, `Script "${scriptName}" fails here, as it is written to.`, {
        ...(text === '' ? {} : { heard: text.length }),
      });
    }
    const read = request.transcript.reduce(
      (sum, entry) => sum + lengthOf(entry),
      request.prompt.length,
    );
    const empty = text.trim() === '' && calls.length === 0;
    const end = turn?.end ?? (empty ? 'no_answer' : 'whole');
    return {
      text,
      calls:
        end === 'cut_off'
          ? calls.map((one) => (typeof one.arguments === 'string' ? { ...one, cut: true } : one))
          : calls,
      end,
      usage: {
        callId: options.newCallId(),
        inputTokens: tokensOf(read),
        outputTokens: tokensOf(
          text.length + (calls.length === 0 ? 0 : JSON.stringify(calls).length),
        ),
        cachedInputTokens: 0,
      },
      model: `scripted:${scriptName}`,
    };
  };
  return { call };
};

/** For benchmarks and long runs: "loop 300 tool_name" calls that tool 300 times, one call a step, and then says so. */
export const loopScript = (tool: string, argumentsOf: JsonObject = { n: '{{step}}' }): Script => ({
  scenes: [
    {
      when: { matches: '\\bloop (\\d+)' },
      turns: [
        { times: '{{match.1}}', call: [{ name: tool, arguments: argumentsOf }] },
        { say: 'Looped {{match.1}} times.' },
      ],
    },
    { when: {}, turns: [{ say: 'Say "loop" and a number.' }] },
  ],
});
