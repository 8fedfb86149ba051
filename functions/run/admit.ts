// Admit: the first state of every execution. It makes this segment the one that may write (L11).
// Owns: raising the run's fence. An execution that comes too late is told so and ends.
import { Defect, RunFenced } from '../core/base/errors.ts';
import { SegmentInput } from '../core/records/machine-input.ts';
import { admit } from '../core/turn/segment.ts';
import {
  lambdaHandler,
  lazily,
  type StoreWorld,
  type Substrate,
  storeWorld,
} from '../wiring/run.ts';

export interface Admitted {
  readonly step: number;
  /** Epoch milliseconds at which every wait of this execution ends. */
  readonly parkAtMs: number;
}

export const admitSegment = async (world: StoreWorld, input: SegmentInput): Promise<Admitted> => {
  const step = await world.decide<number>({
    round: async () => {
      const found = await world.store.read({
        conversation: input.conversationId,
        run: input.runId,
      });
      if (!found.run || !found.conversation)
        throw new Defect(`There is no run ${input.runId} in conversation ${input.conversationId}.`);
      const admission = admit(found.run.item, input.segment);
      if (admission.kind === 'refused')
        throw new RunFenced(`Segment ${input.segment} of ${input.runId} is ${admission.because}.`);
      if (admission.kind === 'already') return { kind: 'answer', answer: admission.run.step };
      return {
        kind: 'commit',
        answer: admission.run.step,
        change: {
          conversation: found.conversation,
          events: [],
          writes: [{ do: 'replace', kind: 'run', item: admission.run, rev: found.run.rev }],
        },
      };
    },
  });
  await world.crash.at('admit.stored');
  return { step, parkAtMs: world.clock.now() + world.parkAfterMs };
};

export const handlerFor = (substrate: Substrate) => {
  const world = storeWorld(substrate);
  return lambdaHandler(SegmentInput, substrate.log, (input) => admitSegment(world, input));
};
export const handler = lazily(handlerFor);
