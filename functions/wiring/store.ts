// Wires the store for functions that need nothing heavier. Owns: the one DynamoDB client of a function.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deliveriesFrom } from '../adapters/dynamodb/deliveries.ts';
import type { TableNames } from '../adapters/dynamodb/operation.ts';
import { registryFrom } from '../adapters/dynamodb/registry.ts';
import { storeFrom } from '../adapters/dynamodb/store.ts';
import { eventBudgetDefault, parkAfterMsDefault } from '../core/base/limits.ts';
import { type Deciding, decide } from '../core/records/decide.ts';
import { environmentNames } from '../manifest.ts';
import type { Deliveries, Registry, Store } from '../ports/store.ts';
import type { Clock, Crash, Log, Minter } from '../ports/world.ts';
import { required, type Substrate } from './substrate.ts';

export interface StoreWorld {
  readonly store: Store;
  readonly deliveries: Deliveries;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly minter: Minter;
  readonly crash: Crash;
  readonly log: Log;
  readonly eventBudget: number;
  readonly parkAfterMs: number;
  /** The decide loop with this world's store, clock and randomness. */
  decide<Answer>(deciding: Pick<Deciding<Answer>, 'round' | 'refused'>): Promise<Answer>;
}

export const tableNamesFrom = (substrate: Substrate): TableNames => ({
  Conversations: required(substrate, environmentNames.conversationsTable),
  Requests: required(substrate, environmentNames.requestsTable),
  Ledger: required(substrate, environmentNames.ledgerTable),
  Registry: required(substrate, environmentNames.registryTable),
  Idempotency: required(substrate, environmentNames.idempotencyTable),
});

const numberFrom = (substrate: Substrate, name: string, otherwise: number): number => {
  const value = Number(substrate.environment[name]);
  return Number.isFinite(value) && value > 0 ? value : otherwise;
};

export const dynamoClientFrom = (substrate: Substrate): DynamoDBClient => {
  const { plugin, ...settings } = substrate.aws('dynamodb');
  const client = new DynamoDBClient(settings);
  if (plugin) client.middlewareStack.use(plugin);
  return client;
};

export const storeWorld = (substrate: Substrate): StoreWorld => {
  const { clock, minter, crash, log } = substrate;
  const client = dynamoClientFrom(substrate);
  const tables = tableNamesFrom(substrate);
  const store = storeFrom({ client, tables, clock, minter });
  return {
    store,
    deliveries: deliveriesFrom({ client, tables, clock, minter }),
    registry: registryFrom({ client, tables }),
    clock,
    minter,
    crash,
    log,
    eventBudget: numberFrom(substrate, environmentNames.eventBudget, eventBudgetDefault),
    parkAfterMs: numberFrom(substrate, environmentNames.parkAfterMs, parkAfterMsDefault),
    decide: (deciding) =>
      decide({
        ...deciding,
        commit: store.commit,
        pause: clock.pause,
        fraction: minter.fraction,
      }),
  };
};

export const nowIso = (clock: Clock): string => new Date(clock.now()).toISOString();
