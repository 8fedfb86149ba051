// Wires the stream: reads only. Owns: what the live events stand on.
import { peopleFrom } from '../adapters/dynamodb/people.ts';
import { registryFrom } from '../adapters/dynamodb/registry.ts';
import { storeFrom } from '../adapters/dynamodb/store.ts';
import { functions } from '../manifest.ts';
import type { People } from '../ports/people.ts';
import type { Registry, Store } from '../ports/store.ts';
import type { Traces } from '../ports/traces.ts';
import type { Clock, Log } from '../ports/world.ts';
import { deployed } from './lazily.ts';
import { dynamoClientFrom, tableNamesFrom } from './store.ts';
import type { Substrate } from './substrate.ts';
import { tracesOver } from './traces.ts';

export { deployed, type Substrate };

export interface StreamWorld {
  readonly store: Pick<Store, 'read' | 'eventsAfter' | 'stepsOf' | 'journal'>;
  readonly people: Pick<People, 'runs' | 'readMarks'>;
  readonly registry: Pick<Registry, 'agent'>;
  readonly traces: Traces;
  readonly clock: Clock;
  readonly log: Log;
  /** Streams that one process serves at once; the next reader gets a page. */
  readonly streamsMax: number;
  /** Resolves when the conversation may have new events, or the signal aborts. Without it the log is polled. */
  readonly nudge?: (conversationId: string, signal: AbortSignal) => Promise<void>;
}

/** A substrate that can say when a conversation has new events. */
interface Nudging {
  readonly eventsNudge?: StreamWorld['nudge'];
}

export const streamWorldFrom = (substrate: Substrate & Nudging): StreamWorld => {
  const { clock, minter, log, eventsNudge } = substrate;
  const client = dynamoClientFrom(substrate);
  const tables = tableNamesFrom(substrate);
  return {
    store: storeFrom({ client, tables, clock, minter }),
    people: peopleFrom({ client, tables, clock, minter }),
    registry: registryFrom({ client, tables }),
    traces: tracesOver(substrate),
    clock,
    log,
    streamsMax: functions.stream.reservedConcurrency ?? 100,
    ...(eventsNudge === undefined ? {} : { nudge: eventsNudge }),
  };
};
