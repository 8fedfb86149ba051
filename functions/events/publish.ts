// Publish: the Conversations table's stream calls it with outbox entries, in order per entry, at least once.
// Owns: nothing; every act is repeatable. A record that fails is reported alone, so that one bad record blocks no other.
import type { EventsWorld } from '../wiring/events.ts';
import {
  eventsWorld,
  lambdaHandler,
  lazily,
  StreamInput,
  type Substrate,
  unmarshallOutbox,
} from '../wiring/events.ts';
import { deliver } from './deliver.ts';

/** Lambda's partial-batch answer: the sequence numbers to deliver again. */
export interface BatchAnswer {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

export const publish = async (world: EventsWorld, input: StreamInput): Promise<BatchAnswer> => {
  const failures: { itemIdentifier: string }[] = [];
  const one = async (record: StreamInput['Records'][number]): Promise<void> => {
    const image = record.dynamodb.NewImage;
    if (record.eventName !== 'INSERT' || image === undefined) return;
    try {
      const outbox = unmarshallOutbox(image);
      if (outbox) await deliver(world, outbox);
    } catch (error) {
      world.log.warn('An outbox entry could not be delivered; it is tried again.', {
        cause: error instanceof Error ? error.message : String(error),
      });
      failures.push({ itemIdentifier: record.dynamodb.SequenceNumber });
    }
  };
  await Promise.all(input.Records.map(one));
  return { batchItemFailures: failures };
};

export const handlerFor = (substrate: Substrate) => {
  const world = eventsWorld(substrate);
  return lambdaHandler(StreamInput, substrate.log, (input) => publish(world, input));
};
export const handler = lazily(handlerFor);
