// Think: one model call, stored before it is used. A step that is stored is never called again: its open calls are returned.
// Laws: L2, L11 (messages are taken by the step that stores them), L14, L15, L16, L17.

import type { Context } from 'aws-lambda';
import { cutTo } from '../core/base/cut.ts';
import { Defect, RunFenced, TryAgain } from '../core/base/errors.ts';
import type { ActionId } from '../core/base/ids.ts';
import {
  messagesAtOnceMax,
  modelWaitPieceSeconds,
  stepFactBytesMax,
  stepTextBytesMax,
} from '../core/base/limits.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Conversation } from '../core/records/conversation.ts';
import { factsFor } from '../core/records/facts.ts';
import { ThinkInput } from '../core/records/machine-input.ts';
import type { Run, RunEnd } from '../core/records/run.ts';
import type { Step } from '../core/records/step.ts';
import { endOfStep } from '../core/turn/model-end.ts';
import { type Answered, storeStep, takenAtOnce } from '../core/turn/plan.ts';
import type { TranscriptEntry } from '../core/turn/transcript.ts';
import { type ActCall, type Turn, turnOf } from '../core/turn/turn.ts';
import type { Found } from '../ports/store.ts';
import {
  foldedOf,
  lambdaHandler,
  lazily,
  newEntries,
  nowIso,
  resultsOf,
  type Substrate,
  type ThinkWorld,
  thinkWorld,
} from '../wiring/think.ts';
import { countBroken } from './broken-call.ts';
import { checkCalls } from './check-calls.ts';
import { callModel, type ModelOutcome } from './model-call.ts';

export type ThinkOutput =
  | { readonly next: 'act'; readonly step: number; readonly calls: readonly ActCall[] }
  | {
      readonly next: 'finish';
      readonly step: number;
      readonly reason: RunEnd;
      readonly detail: string;
    }
  | { readonly next: 'continue' | 'park'; readonly step: number }
  /** The model asked to be called later: the machine waits a piece of it, and asks Think again. */
  | {
      readonly next: 'wait';
      readonly step: number;
      readonly waitSeconds: number;
      readonly modelTries: number;
      readonly modelNotBeforeMs: number;
    };

interface Stand {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly last: Step | undefined;
  readonly actions: Found['actions'];
  readonly turn: Turn;
}

/** Kept for storing the step after the model's last word. */
const reserveMs = 10_000;

const lastStep = async (world: ThinkWorld, found: Found, run: Run): Promise<Step | undefined> => {
  if (run.step === 0) return undefined;
  const read = found.steps.find(({ step }) => step === run.step);
  if (read) return read;
  const { steps } = await world.store.read({ steps: [{ runId: run.runId, step: run.step }] });
  if (!steps[0]) throw new Defect(`Step ${run.step} of ${run.runId} is missing.`);
  return steps[0];
};

const standing = async (world: ThinkWorld, input: ThinkInput): Promise<Stand> => {
  const found = await world.store.read({
    conversation: input.conversationId,
    run: input.runId,
    ...(input.step > 0 ? { steps: [{ runId: input.runId, step: input.step }] } : {}),
  });
  const { conversation, run } = found;
  if (!run || !conversation)
    throw new Defect(`There is no run ${input.runId} in conversation ${input.conversationId}.`);
  if (run.item.fence !== input.segment)
    throw new RunFenced(`Segment ${input.segment} of ${input.runId} is no longer the newest.`);
  const last = await lastStep(world, found, run.item);
  const actionIds = (last?.calls ?? []).flatMap((call): ActionId[] =>
    call.kind === 'action' ? [call.actionId] : [],
  );
  const { actions } =
    actionIds.length > 0 ? await world.store.read({ actions: actionIds }) : { actions: [] };
  const turn = turnOf({
    run: run.item,
    pending: conversation.item.pending.length,
    last,
    actions: actions.map(({ item }) => item),
    eventBudget: world.eventBudget,
  });
  return { conversation, run, last, actions, turn };
};

/** The oldest that one step can take; what is left is the next one's. */
const readPending = async (world: ThinkWorld, { item }: Versioned<Conversation>) => {
  if (item.pending.length === 0) return [];
  const { conversationId } = item;
  const found = await world.store.read({
    messages: item.pending
      .slice(0, messagesAtOnceMax)
      .map((messageId) => ({ conversationId, messageId })),
  });
  return takenAtOnce(found.messages);
};

/** What became of actions that the agent was told were open. */
const readFacts = async (world: ThinkWorld, { item }: Versioned<Conversation>, step: number) => {
  const { factsBeyond: beyond = 0 } = item;
  if (item.facts.length === 0 && beyond === 0) return { text: undefined, told: [], beyond: 0 };
  const { actions } = await world.store.read({ actions: item.facts });
  const known = actions.map((action) => action.item);
  const facts = factsFor(await foldedOf(world.store, known), step, beyond);
  return {
    text: facts.text && cutTo(facts.text, stepFactBytesMax, 'The recovery desk has the list.'),
    told: facts.text === undefined ? [] : item.facts.filter((id) => !facts.rest.includes(id)),
    beyond,
  };
};

/** The messages as they are now; one that was withdrawn while the model read it makes the answer void. */
const stillWaiting = async (world: ThinkWorld, input: ThinkInput, took: Answered['took']) => {
  const found = await world.store.read({
    messages: took.map(({ item }) => ({
      conversationId: input.conversationId,
      messageId: item.messageId,
    })),
  });
  if (found.messages.some(({ item }) => item.fate.fate !== 'waiting'))
    throw new TryAgain('A message was withdrawn while the model was reading it: think again.');
  return found.messages.toSorted((a, b) => a.item.number - b.item.number);
};

interface StoredStep {
  readonly output: ThinkOutput;
  /** False: the turn is another one now, and this answer counts for nothing. */
  readonly kept: boolean;
}

/** Stores the step; when the conversation moved meanwhile, the same step is stored over the newer state. */
const store = (
  world: ThinkWorld,
  input: ThinkInput,
  stand: Stand,
  answered: Answered,
): Promise<StoredStep> => {
  let fresh: { readonly stand: Stand; readonly took: Answered['took'] } | undefined = {
    stand,
    took: answered.took,
  };
  return world.decide<StoredStep>({
    round: async () => {
      // The first round trusts what was read before the model was called; its revisions tell if that is old.
      const now = fresh ?? {
        stand: await standing(world, input),
        took: await stillWaiting(world, input, answered.took),
      };
      fresh = undefined;
      const { turn, run, conversation } = now.stand;
      // What was said until the stop is kept, unless the step is there already.
      const halted = answered.end === 'stopped' && run.item.step === answered.step - 1;
      if (turn.next !== 'think' && !(halted && turn.next === 'finish' && turn.reason === 'stopped'))
        return { kind: 'answer', answer: { output: outputOf(turn, run.item.step), kept: false } };
      const { change, step } = storeStep(
        conversation,
        run,
        { ...answered, took: now.took },
        nowIso(world.clock),
      );
      return { kind: 'commit', change, answer: { output: afterStep(step), kept: true } };
    },
  });
};

/** A step that is not stored, because the run was stopped or a message withdrawn meanwhile, is taken back from readers. */
const storeOrDrop = async (
  world: ThinkWorld,
  input: ThinkInput,
  stand: Stand,
  answered: Answered,
  drop: () => Promise<void>,
): Promise<ThinkOutput> => {
  let stored: StoredStep;
  try {
    stored = await store(world, input, stand, answered);
  } catch (error) {
    if (!(error instanceof RunFenced)) await drop();
    throw error;
  }
  if (!stored.kept) await drop();
  return stored.output;
};

/** A person stopped the run while the model was asked: what it said is kept as a step of its own, what it used is counted. */
const keepStopped = async (
  world: ThinkWorld,
  input: ThinkInput,
  stand: Stand,
  read: Omit<Answered, 'attempt' | 'text' | 'calls' | 'usage'>,
  { attempt, text, usage, drop }: Extract<ModelOutcome, { kind: 'stopped' }>,
): Promise<ThinkOutput> => {
  if (text.trim() !== '' && usage !== undefined) {
    const { model: choice } = (await world.toolbox(stand.run.item)).agent.configuration;
    const model = choice.provider === 'scripted' ? `scripted:${choice.script}` : choice.model;
    return storeOrDrop(
      world,
      input,
      stand,
      {
        ...read,
        attempt,
        text: cutTo(text, stepTextBytesMax, 'The answer was longer than a step can hold.'),
        calls: [],
        end: 'stopped',
        usage: { ...usage, callId: attempt, model },
      },
      drop,
    );
  }
  await drop();
  if (usage !== undefined)
    await countBroken(world, input, { step: read.step, attempt, because: 'stopped', usage });
  return { next: 'finish', step: stand.run.item.step, reason: 'stopped', detail: '' };
};

const afterStep = (step: Step): ThinkOutput => {
  if (step.calls.length === 0)
    return { next: 'finish', step: step.step, reason: step.end ?? 'done', detail: '' };
  const calls = step.calls.flatMap((call): ActCall[] =>
    call.kind === 'action' ? [{ actionId: call.actionId }] : [],
  );
  return { next: 'act', step: step.step, calls };
};

const stuckDetail =
  'A tool call failed time and again without an answer. Its action stays listed with what is known. Send the message again to start a new run.';

/** What the machine is told before any model call; undefined when a model call is due. */
const beforeModel = (input: ThinkInput, { turn, run }: Stand): ThinkOutput | undefined => {
  const { step } = run.item;
  if (turn.next === 'think') return undefined;
  if (turn.next === 'act' && input.stuck)
    return { next: 'finish', step, reason: 'failed', detail: stuckDetail };
  // Calls are still open although the Map is over: the execution has reached its parking time.
  if (turn.next === 'act' && input.parked) return { next: 'park', step };
  return outputOf(turn, step);
};

/** A machine from before this wait was known has none: there the function waits, as long as it may. */
const waitFor = async (
  world: ThinkWorld,
  input: ThinkInput,
  { tries, untilMs }: { readonly tries: number; readonly untilMs: number },
  deadlineAtMs: number,
): Promise<ThinkOutput> => {
  const waitMs = Math.max(0, untilMs - world.clock.now());
  if (input.modelTries === undefined) {
    await world.clock.pause(Math.min(waitMs, Math.max(0, deadlineAtMs - world.clock.now())));
    throw new TryAgain('The model asked to be called later.');
  }
  const waitSeconds = Math.min(modelWaitPieceSeconds, Math.max(1, Math.ceil(waitMs / 1_000)));
  return {
    next: 'wait',
    step: input.step,
    waitSeconds,
    modelTries: tries,
    modelNotBeforeMs: untilMs,
  };
};

const outputOf = (turn: Exclude<Turn, { next: 'think' }>, step: number): ThinkOutput => {
  switch (turn.next) {
    case 'act':
      return turn;
    case 'finish':
      return { next: 'finish', step, reason: turn.reason, detail: '' };
    case 'continue':
      return { next: 'continue', step };
  }
};

export const think = async (
  world: ThinkWorld,
  input: ThinkInput,
  remainingMs: number,
): Promise<ThinkOutput> => {
  const deadlineAtMs = world.clock.now() + remainingMs - reserveMs;
  const stand = await standing(world, input);
  const { conversation, run, last, turn } = stand;
  const output = beforeModel(input, stand);
  if (output || turn.next !== 'think') return output ?? { next: 'continue', step: run.item.step };
  const { modelTries: tries = 0, modelNotBeforeMs: untilMs = 0 } = input;
  if (untilMs > world.clock.now()) return waitFor(world, input, { tries, untilMs }, deadlineAtMs);
  const toolbox = await world.toolbox(run.item);
  const took = await readPending(world, conversation);
  const results = last
    ? resultsOf(
        last,
        await foldedOf(
          world.store,
          stand.actions.map(({ item }) => item),
        ),
      )
    : [];
  const transcript: TranscriptEntry[] = [
    ...(await world.transcripts.before(conversation, run.item, last)),
    ...newEntries(turn.step, results, took),
  ];
  const facts = await readFacts(world, conversation, turn.step);
  if (facts.text !== undefined) transcript.push({ role: 'facts', text: facts.text });
  await world.crash.at('think.before-model');
  const outcome = await callModel(world, {
    input,
    step: turn.step,
    toolbox,
    transcript,
    deadlineAtMs,
  });
  await world.crash.at('think.after-model');
  if (outcome.kind === 'wait') return waitFor(world, input, outcome, deadlineAtMs);
  if (outcome.kind === 'failed')
    return { next: 'finish', step: run.item.step, reason: 'failed', detail: outcome.detail };
  const read = {
    step: turn.step,
    took,
    facts: facts.text,
    factsTold: facts.told,
    factsBeyondTold: facts.beyond,
    results,
  };
  if (outcome.kind === 'stopped') return keepStopped(world, input, stand, read, outcome);
  const { attempt, answer, drop } = outcome;
  const answered: Answered = {
    ...read,
    attempt,
    text: cutTo(answer.text, stepTextBytesMax, 'The answer was longer than a step can hold.'),
    calls: await checkCalls({ world, run: run.item, toolbox }, answer),
    ...endOfStep(answer.end, answer.calls, last),
    usage: { ...answer.usage, model: answer.model },
  };
  const stored = await storeOrDrop(world, input, stand, answered, drop);
  await world.crash.at('think.step-stored');
  return stored;
};

export const handlerFor = (substrate: Substrate) => {
  const world = thinkWorld(substrate);
  return lambdaHandler(ThinkInput, substrate.log, (input, context: Context) =>
    think(world, input, context.getRemainingTimeInMillis()),
  );
};
export const handler = lazily(handlerFor);
