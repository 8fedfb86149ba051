// Builds what the model is shown of a conversation: earlier runs, this run's steps, each call with its one result.
// Owns: a cache of ended steps, which never change. Laws: L16.

import { cutTo, jsonBytes, shareOf } from '../core/base/cut.ts';
import type { ActionId, MessageId, RunId } from '../core/base/ids.ts';
import { stepResultBytesMax, transcriptRunsMax } from '../core/base/limits.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Conversation } from '../core/records/conversation.ts';
import type { FoldedAction } from '../core/records/folded.ts';
import type { Run } from '../core/records/run.ts';
import type { Step } from '../core/records/step.ts';
import { toldEffect } from '../core/records/told.ts';
import type { Answered } from '../core/turn/plan.ts';
import type { ToolResult, Transcript, TranscriptEntry } from '../core/turn/transcript.ts';
import type { Store } from '../ports/store.ts';
import { foldedOf } from './folded.ts';

export type Results = Step['results'];

const wholeIsKept = 'The results of this step are large together; people can read the whole.';

/** Results that fit into the next step's item together; the largest are cut. */
const fitting = (results: Results): Results => {
  const share = shareOf(
    results.map(({ told }) => jsonBytes(told.text)),
    stepResultBytesMax,
  );
  return results.map(({ told, ...result }) => ({
    ...result,
    told: { ...told, text: cutTo(told.text, share, wholeIsKept) },
  }));
};

/** Results of a step's calls: what was told, or the fixed words for what is not settled. */
export const resultsOf = (step: Step, actions: readonly FoldedAction[]): Results =>
  fitting(step.calls.map((call) => resultOf(call, actions)));

const resultOf = (
  call: Step['calls'][number],
  actions: readonly FoldedAction[],
): Results[number] => {
  if (call.kind === 'fixed') return { callId: call.callId, name: call.name, told: call.told };
  const action = actions.find(({ actionId }) => actionId === call.actionId);
  const told = action
    ? (action.told ?? toldEffect(action, 'The run ended before it was settled.'))
    : { status: 'error' as const, text: 'Not known.' };
  return { callId: call.actionId, name: call.name, told };
};

const toolResults = (results: Results): ToolResult[] =>
  results.map(({ callId, name, told }) => ({
    callId,
    name,
    status: told.status,
    text: told.text,
  }));

type Texts = ReadonlyMap<MessageId, { readonly text: string; readonly from: string }>;

/** The entries that one stored step stands for: results it was shown, messages it took, and what it said. */
export const entriesOf = (step: Step, texts: Texts): TranscriptEntry[] => [
  ...(step.results.length > 0
    ? [{ role: 'results' as const, results: toolResults(step.results) }]
    : []),
  ...(step.facts === undefined ? [] : [{ role: 'facts' as const, text: step.facts }]),
  ...step.took.map((messageId, index) => ({
    role: 'person' as const,
    ...(step.step === 1 && index === 0 ? { opensRun: true } : {}),
    text: texts.get(messageId)?.text ?? '(erased)',
    from: texts.get(messageId)?.from ?? '',
  })),
  {
    role: 'agent' as const,
    text: step.text,
    calls: step.calls.map((call) => ({
      callId: call.kind === 'action' ? call.actionId : call.callId,
      name: call.name,
      arguments: call.arguments,
    })),
  },
];

/** What this step's model call is shown beyond what was stored before: results of the last step, and new messages. */
export const newEntries = (
  step: number,
  results: Results,
  took: Answered['took'],
): TranscriptEntry[] => [
  ...(results.length > 0
    ? [
        {
          role: 'results' as const,
          results: results.map(({ callId, name, told }) => ({ callId, name, ...told })),
        },
      ]
    : []),
  ...took.map(({ item }, index) => ({
    role: 'person' as const,
    ...(step === 1 && index === 0 ? { opensRun: true } : {}),
    text: item.text,
    from: item.author.name,
  })),
];

interface Cached {
  readonly upToStep: number;
  readonly entries: readonly TranscriptEntry[];
}

/** Runs whose entries are kept in memory; the oldest use goes first. */
const cachedRunsMax = 500;

export interface Transcripts {
  /** Everything up to and including the run's last stored step. */
  before(
    conversation: Versioned<Conversation>,
    run: Run,
    last: Step | undefined,
  ): Promise<Transcript>;
}

interface Memory {
  readonly store: Store;
  readonly runs: Map<RunId, Cached>;
  /** What came before a run, by that run. */
  readonly earlier: Map<RunId, Transcript>;
}

const remember = <Value>(map: Map<RunId, Value>, runId: RunId, value: Value): Value => {
  map.delete(runId);
  map.set(runId, value);
  const oldest = map.keys().next().value;
  if (map.size > cachedRunsMax && oldest !== undefined) map.delete(oldest);
  return value;
};

const textsOf = async (
  { store }: Memory,
  { conversationId }: Conversation,
  steps: readonly Step[],
): Promise<Texts> => {
  const messageIds = steps.flatMap((step) => step.took);
  if (messageIds.length === 0) return new Map();
  const found = await store.read({
    messages: messageIds.map((messageId) => ({ conversationId, messageId })),
  });
  return new Map(
    found.messages.map(({ item }) => [item.messageId, { text: item.text, from: item.author.name }]),
  );
};

const entriesUpTo = async (
  memory: Memory,
  conversation: Conversation,
  runId: RunId,
  upToStep: number,
  last: Step | undefined,
): Promise<Transcript> => {
  const known = memory.runs.get(runId) ?? { upToStep: 0, entries: [] };
  if (known.upToStep >= upToStep) return known.entries;
  const follows = last?.step === known.upToStep + 1 && last.step === upToStep;
  const steps = last && follows ? [last] : await memory.store.stepsOf(runId, known.upToStep);
  const texts = await textsOf(memory, conversation, steps);
  const entries = [...known.entries, ...steps.flatMap((step) => entriesOf(step, texts))];
  remember(memory.runs, runId, { upToStep: steps.at(-1)?.step ?? known.upToStep, entries });
  return entries;
};

/** A run that ended with calls still open shows their outcome as it is known now. */
const openEnd = async ({ store }: Memory, runId: RunId): Promise<TranscriptEntry[]> => {
  const last = (await store.stepsOf(runId, 0)).at(-1);
  if (!last || last.calls.length === 0) return [];
  const actionIds = last.calls.flatMap((call): ActionId[] =>
    call.kind === 'action' ? [call.actionId] : [],
  );
  const found = await store.read({ actions: actionIds });
  const stored = found.actions.map(({ item }) => item);
  const results = resultsOf(last, await foldedOf(store, stored));
  return [{ role: 'results', results: toolResults(results) }];
};

const earlierRuns = async (
  memory: Memory,
  conversation: Conversation,
  run: Run,
): Promise<Transcript> => {
  if (run.number === 1) return [];
  const known = memory.earlier.get(run.runId);
  if (known) return known;
  const references = await memory.store.runsOf(conversation.conversationId, transcriptRunsMax + 1);
  const entries: TranscriptEntry[] = [];
  for (const { runId } of references.filter(({ number }) => number < run.number).reverse()) {
    const all = Number.MAX_SAFE_INTEGER;
    entries.push(...(await entriesUpTo(memory, conversation, runId, all, undefined)));
    entries.push(...(await openEnd(memory, runId)));
  }
  return remember(memory.earlier, run.runId, entries);
};

export const transcriptsFrom = (store: Store): Transcripts => {
  const memory: Memory = { store, runs: new Map(), earlier: new Map() };
  return {
    before: async (conversation, run, last) => [
      ...(await earlierRuns(memory, conversation.item, run)),
      ...(run.step === 0
        ? []
        : await entriesUpTo(memory, conversation.item, run.runId, run.step, last)),
    ],
  };
};
