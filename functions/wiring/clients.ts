// Wires the streams of other protocols: what the API posts and answers with, and what the live events are followed with.
// Owns: what the clients' handler stands on.
import { functions } from '../manifest.ts';
import { type ApiWorld, apiWorldFrom } from './api.ts';
import { type StreamWorld, type Substrate, streamWorldFrom } from './stream.ts';

export type { Substrate };

export interface ClientsWorld extends StreamWorld {
  readonly api: ApiWorld;
}

export const clientsWorldFrom = (substrate: Substrate): ClientsWorld => ({
  ...streamWorldFrom(substrate),
  api: apiWorldFrom(substrate),
  streamsMax: functions.clients.reservedConcurrency ?? 100,
});
