// Calls the model for one step: back-off between tries, text streamed, calls checked against the tools' schemas.
// Owns: the retry of model calls (a model call has no effect in the world). Laws: L15, L16.
import type { AgentRevision } from '../core/agent.ts';
import { TryAgain } from '../core/errors.ts';
import { ActionId, RequestId } from '../core/ids.ts';
import { JsonObject } from '../core/json.ts';
import { modelPauseMs, modelTriesMax } from '../core/limits.ts';
import type { SegmentInput } from '../core/machine-input.ts';
import { type CheckedCall, unknownTool } from '../core/plan.ts';
import { asksApproval } from '../core/policy.ts';
import { toldBadArguments } from '../core/told.ts';
import type { ToolVersion } from '../core/tool.ts';
import type { Transcript } from '../core/transcript.ts';
import { type ModelAnswer, ModelFailed } from '../ports/model.ts';
import type { ThinkWorld } from '../wiring/think.ts';
import { deltaWriter } from './deltas.ts';

export type ModelOutcome =
  | { readonly kind: 'answer'; readonly attempt: string; readonly answer: ModelAnswer }
  | { readonly kind: 'failed'; readonly detail: string };

export interface Prompting {
  readonly input: SegmentInput;
  readonly step: number;
  readonly agent: AgentRevision;
  readonly tools: readonly ToolVersion[];
  readonly transcript: Transcript;
  /** Epoch milliseconds at which this invocation must be done. */
  readonly deadlineAtMs: number;
}

const callOnce = async (
  world: ThinkWorld,
  prompting: Prompting,
): Promise<ModelOutcome | { readonly kind: 'passing'; readonly error: ModelFailed }> => {
  const { configuration } = prompting.agent;
  const attempt = `mdl_${world.minter.suffix()}`;
  const deltas = deltaWriter(world, prompting.input, prompting.step, attempt);
  try {
    const answer = await world.model.call({
      choice: configuration.model,
      options: configuration.modelOptions,
      prompt: configuration.prompt,
      transcript: prompting.transcript,
      tools: prompting.tools.map(({ registration }) => ({
        name: registration.name,
        description: registration.description,
        arguments: registration.arguments,
      })),
      onText: deltas.text,
      signal: AbortSignal.timeout(Math.max(1, prompting.deadlineAtMs - world.clock.now())),
    });
    return { kind: 'answer', attempt, answer };
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    await deltas.reset();
    if (error.kind === 'passing') return { kind: 'passing', error };
    return { kind: 'failed', detail: `The model refused the call: ${error.message}` };
  }
};

export const callModel = async (world: ThinkWorld, prompting: Prompting): Promise<ModelOutcome> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await callOnce(world, prompting);
    if (outcome.kind !== 'passing') return outcome;
    if (tries >= modelTriesMax)
      return {
        kind: 'failed',
        detail: `The model did not answer after ${tries} tries: ${outcome.error.message} Send the message again when it is back.`,
      };
    const pauseMs = modelPauseMs * 2 ** (tries - 1) * (0.5 + world.minter.fraction() / 2);
    if (world.clock.now() + pauseMs >= prompting.deadlineAtMs)
      throw new TryAgain(`The model did not answer in time: ${outcome.error.message}`);
    await world.clock.pause(pauseMs);
  }
};

/** Every call becomes something that has a result: a valid one with ids of its own, or an invalid one with fixed words. */
export const checkCalls = (
  world: ThinkWorld,
  tools: readonly ToolVersion[],
  calls: ModelAnswer['calls'],
): Promise<CheckedCall[]> =>
  Promise.all(
    calls.map(async (call): Promise<CheckedCall> => {
      const parsed = JsonObject.safeParse(call.arguments);
      const args = parsed.success ? parsed.data : {};
      const tool = tools.find(({ registration }) => registration.name === call.name);
      if (!tool)
        return unknownTool(
          call.name,
          tools.map(({ registration }) => registration.name),
          args,
        );
      const { registration } = tool;
      const problems = parsed.success
        ? world.argumentProblems(registration.arguments, args)
        : 'They are not a JSON object.';
      if (problems !== undefined)
        return {
          kind: 'invalid',
          name: call.name,
          arguments: args,
          told: toldBadArguments(call.name, problems),
        };
      return {
        kind: 'valid',
        name: call.name,
        arguments: args,
        tool,
        asks: await asksApproval(registration.contract, args),
        actionId: ActionId.parse(`act_${world.minter.suffix()}`),
        requestId: RequestId.parse(`req_${world.minter.suffix()}`),
      };
    }),
  );
