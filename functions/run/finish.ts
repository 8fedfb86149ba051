// Finish: writes why the run ended and releases its conversation, or says that a waiting message needs one more step.
// Laws: L11, L14.
import { Defect, RunFenced } from '../core/base/errors.ts';
import { RunId } from '../core/base/ids.ts';
import { FinishInput } from '../core/records/machine-input.ts';
import { finishRun } from '../core/turn/finish.ts';
import {
  lambdaHandler,
  lazily,
  nowIso,
  type StoreWorld,
  type Substrate,
  storeWorld,
} from '../wiring/run.ts';
import { openRequestsOf } from './open-requests.ts';

export interface FinishOutput {
  readonly next: 'think' | 'end';
}

export const finish = async (world: StoreWorld, input: FinishInput): Promise<FinishOutput> => {
  await world.crash.at('finish.before');
  const nextRunId = RunId.parse(`run_${world.minter.suffix()}`);
  let output: FinishOutput | 'more' = 'more';
  while (output === 'more') output = await attempt(world, input, nextRunId);
  await world.crash.at('finish.stored');
  return output;
};

/** `more`: some messages were held or some calls got their result, and more are left. */
const attempt = (
  world: StoreWorld,
  input: FinishInput,
  nextRunId: RunId,
): Promise<FinishOutput | 'more'> =>
  world.decide<FinishOutput | 'more'>({
    round: async () => {
      const found = await world.store.read({
        conversation: input.conversationId,
        run: input.runId,
      });
      if (!found.run || !found.conversation)
        throw new Defect(`There is no run ${input.runId} in conversation ${input.conversationId}.`);
      const { conversation, run } = found;
      if (run.item.fence !== input.segment)
        throw new RunFenced(`Segment ${input.segment} of ${input.runId} is no longer the newest.`);
      const agent = await world.registry.newestAgent(run.item.workspace, run.item.agentId);
      if (!agent) throw new Defect(`The agent ${run.item.agentId} of ${input.runId} is gone.`);
      const pending = await world.store.read({
        messages: conversation.item.pending.map((messageId) => ({
          conversationId: input.conversationId,
          messageId,
        })),
      });
      const finished = finishRun({
        conversation,
        run,
        pending: pending.messages,
        ...(await openRequestsOf(world.store, run.item)),
        agent,
        reason: input.reason,
        detail: input.detail === '' ? undefined : input.detail,
        nextRunId,
        nowIso: nowIso(world.clock),
      });
      if (finished.kind === 'one_more_step') return { kind: 'answer', answer: { next: 'think' } };
      if (finished.kind === 'already') return { kind: 'answer', answer: { next: 'end' } };
      const answer = finished.kind === 'change' ? ({ next: 'end' } as const) : 'more';
      return { kind: 'commit', change: finished.change, answer };
    },
  });

export const handlerFor = (substrate: Substrate) => {
  const world = storeWorld(substrate);
  return lambdaHandler(FinishInput, substrate.log, (input) => finish(world, input));
};
export const handler = lazily(handlerFor);
