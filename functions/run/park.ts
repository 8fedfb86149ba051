// Park: ends this execution. By event budget the run goes on in the next segment; when it waits for people past this execution's
// time it parks, unless an answer came in the meantime. Laws: L11, L12.
import { Defect } from '../core/base/errors.ts';
import { ParkInput } from '../core/records/machine-input.ts';
import { continueOrPark } from '../core/turn/segment.ts';
import {
  lambdaHandler,
  lazily,
  type StoreWorld,
  type Substrate,
  storeWorld,
} from '../wiring/run.ts';

export interface Parked {
  readonly ended: 'continued' | 'parked' | 'already';
}

export const park = (world: StoreWorld, input: ParkInput): Promise<Parked> =>
  world.decide<Parked>({
    round: async () => {
      // The run is read before its requests: an answer in between raises the run's revision and this round loses.
      const found = await world.store.read({
        conversation: input.conversationId,
        run: input.runId,
      });
      if (!found.run || !found.conversation)
        throw new Defect(`There is no run ${input.runId} in conversation ${input.conversationId}.`);
      const { state } = found.run.item;
      const requests =
        state.status === 'waiting'
          ? await world.store.read({ requests: state.blocking.map((entry) => entry.requestId) })
          : { requests: [] };
      const outcome = continueOrPark(
        found.conversation,
        found.run,
        input.segment,
        input.why,
        requests.requests.map(({ item }) => item),
      );
      return outcome.kind === 'already'
        ? { kind: 'answer', answer: { ended: 'already' } }
        : { kind: 'commit', change: outcome.change, answer: { ended: outcome.to } };
    },
  });

export const handlerFor = (substrate: Substrate) => {
  const world = storeWorld(substrate);
  return lambdaHandler(ParkInput, substrate.log, (input) => park(world, input));
};
export const handler = lazily(handlerFor);
