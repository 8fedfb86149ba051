// A run: its status, why it ended or what it waits for, and which changes are legal.
// Owns: the stored shape of a run and the table of transitions. Laws: L11, L12, L14, L15.
// Tested in test/core/turn/runs.test.ts.
import { z } from 'zod';
import { AgentId, ConversationId, MessageId, RequestId, RunId } from '../base/ids.ts';

export const waitingOn = ['question', 'approval', 'skill', 'recovery'] as const;
export type WaitingOn = (typeof waitingOn)[number];
/** Why a model's answer is none that a run is done by: cut off at a limit, withheld by the provider, or empty. */
export const answerEnds = ['cut_off', 'withheld', 'no_answer'] as const;
export type AnswerEnd = (typeof answerEnds)[number];
export const runEnds = [
  'done',
  'step_limit',
  'stopped',
  'failed',
  ...answerEnds,
  /** The message that began it was taken back before anybody read it. */
  'withdrawn',
] as const;
export type RunEnd = (typeof runEnds)[number];

/** Why a step holds no whole answer; `stopped`: what was said until a person stopped the run. */
export const stepEnds = [...answerEnds, 'stopped'] as const;

/** Ends that a run can be gone on from: it has its text, and no whole answer. */
export const continuableEnds: readonly RunEnd[] = ['step_limit', 'cut_off', 'no_answer'];

export const RunState = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('running') }),
  /** `waiting` while at least one request blocks it; `blocking` names them all. */
  z.strictObject({
    status: z.literal('waiting'),
    blocking: z.array(z.strictObject({ on: z.enum(waitingOn), requestId: RequestId })).min(1),
    since: z.iso.datetime(),
  }),
  z.strictObject({
    status: z.literal('stopping'),
    by: z.string(),
    since: z.iso.datetime(),
    /** Runs that fail or hit their limit never pass here; only a person stops. */
    blocking: z.array(z.strictObject({ on: z.enum(waitingOn), requestId: RequestId })),
  }),
  z.strictObject({
    status: z.literal('finished'),
    reason: z.enum(runEnds),
    /** What happened and what to do, in a plain sentence. */
    detail: z.string(),
    at: z.iso.datetime(),
  }),
]);
export type RunState = z.infer<typeof RunState>;
export type RunStatus = RunState['status'];

export const Usage = z.strictObject({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative(),
  /** How much of it no provider told: estimated from the characters of calls that broke off or were broken off. */
  estimated: z
    .strictObject({
      calls: z.int().positive(),
      inputTokens: z.int().nonnegative(),
      outputTokens: z.int().nonnegative(),
    })
    .optional(),
});
export type Usage = z.infer<typeof Usage>;
/** The sum, with what of it is an estimate. */
export const addUsage = (a: Usage, b: Usage): Usage => {
  const told = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  };
  const [x, y] = [a.estimated, b.estimated];
  if (x === undefined || y === undefined) {
    const estimated = x ?? y;
    return estimated === undefined ? told : { ...told, estimated };
  }
  const estimated = {
    calls: x.calls + y.calls,
    inputTokens: x.inputTokens + y.inputTokens,
    outputTokens: x.outputTokens + y.outputTokens,
  };
  return { ...told, estimated };
};

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

export const Run = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  runId: RunId,
  conversationId: ConversationId,
  agentId: AgentId,
  revision: z.int().positive(),
  state: RunState,
  /** The segment whose execution may write. Raised by Admit only. */
  fence: z.int().nonnegative(),
  /** The newest segment that was ordered to start. */
  segment: z.int().positive(),
  /** Raised by each answer; Park compares it. */
  wakeNo: z.int().nonnegative(),
  parked: z.boolean(),
  /** The last stored step; 0 before the first. */
  step: z.int().nonnegative(),
  stepLimit: z.int().positive(),
  /** Position among the conversation's runs, from 1. */
  number: z.int().positive(),
  /** The conversation's last run, if it failed or was stopped: look-alikes of its actions are asked about (L20). */
  unlikeRun: RunId.optional(),
  firstMessageId: MessageId.optional(),
  startedAt: z.iso.datetime(),
  /** When it last made a step, was started or continued. */
  touchedAt: z.iso.datetime(),
  /** History events of the current segment, counted conservatively. */
  segmentEvents: z.int().nonnegative(),
  usage: Usage,
  /** Model calls that broke off or were broken off, newest last, as far as they are kept; their usage is in `usage`. */
  brokenCalls: z
    .array(
      z.strictObject({
        step: z.int().positive(),
        attempt: z.string(),
        because: z.enum(['broke_off', 'stopped']),
        usage: Usage,
        at: z.iso.datetime(),
      }),
    )
    .optional(),
  /** Skills granted during the run, beside those of its revision. */
  skills: z.array(z.strictObject({ name: z.string(), version: z.int().positive() })).default([]),
  /** Executions that died since the last newly stored step or decision. */
  deaths: z.int().nonnegative(),
});
export type Run = z.infer<typeof Run>;

/** From which statuses each change is legal, and why. */
export const runTransitions = {
  wait: { from: ['running', 'waiting'], because: 'a request blocks the run' },
  resume: { from: ['waiting'], because: 'nothing blocks the run any more' },
  stop: { from: ['running', 'waiting'], because: 'a person stopped it' },
  finish: { from: ['running', 'waiting', 'stopping'], because: 'its last step is over' },
} as const satisfies { [change: string]: { from: readonly RunStatus[]; because: string } };
export type RunChange = keyof typeof runTransitions;

export const mayChange = (status: RunStatus, change: RunChange): boolean =>
  runTransitions[change].from.some((from) => from === status);

export const isEnded = (run: Run): boolean => run.state.status === 'finished';
export const stopRequested = (run: Run): boolean => run.state.status === 'stopping';

type Blocking = { readonly on: WaitingOn; readonly requestId: RequestId };
const blockingOf = (state: RunState): readonly Blocking[] =>
  state.status === 'waiting' || state.status === 'stopping' ? state.blocking : [];

/** The state after requests opened and closed. A stopping run stays stopping; a finished one is not touched. */
export const withBlocking = (
  state: RunState,
  opened: readonly Blocking[],
  closed: readonly RequestId[],
  nowIso: string,
): RunState => {
  const still = blockingOf(state).filter((entry) => !closed.includes(entry.requestId));
  // Whole requests may be handed in; a run stores no more of them than this.
  const added = opened
    .filter((entry) => !still.some((old) => old.requestId === entry.requestId))
    .map(({ on, requestId }) => ({ on, requestId }));
  const blocking = [...still, ...added];
  switch (state.status) {
    case 'finished':
      return state;
    case 'stopping':
      return { ...state, blocking };
    case 'running':
    case 'waiting':
      if (blocking.length === 0) return { status: 'running' };
      return {
        status: 'waiting',
        blocking,
        since: state.status === 'waiting' ? state.since : nowIso,
      };
  }
};
