// Wires the API: store, registry, remembered answers, bodies. Owns: what its handlers stand on.
import { S3Client } from '@aws-sdk/client-s3';
import { blobsFrom } from '../adapters/blobs/s3.ts';
import { deskListsFrom } from '../adapters/dynamodb/desk.ts';
import { faultMarksFrom } from '../adapters/dynamodb/fault-marks.ts';
import { mandatesFrom } from '../adapters/dynamodb/mandates.ts';
import { peopleFrom } from '../adapters/dynamodb/people.ts';
import { registryFrom } from '../adapters/dynamodb/registry.ts';
import { storeFrom } from '../adapters/dynamodb/store.ts';
import { workspaceListsFrom } from '../adapters/dynamodb/workspace-lists.ts';
import { idempotencyTable, onceMemoryFrom } from '../adapters/idempotency/once.ts';
import { registrationProblems } from '../adapters/tools/registration.ts';
import { type Deciding, decide } from '../core/records/decide.ts';
import type { ToolRegistration } from '../core/registry/tool.ts';
import { environmentNames } from '../manifest.ts';
import type { DeskLists } from '../ports/desk.ts';
import type { FaultMarks } from '../ports/fault-marks.ts';
import type { WorkspaceLists } from '../ports/lists.ts';
import type { Mandates } from '../ports/mandates.ts';
import type { OnceMemory } from '../ports/once.ts';
import type { People } from '../ports/people.ts';
import type { Registrations } from '../ports/registrations.ts';
import type { Routines, Schedules } from '../ports/routines.ts';
import type { Store } from '../ports/store.ts';
import type { Traces } from '../ports/traces.ts';
import type { Blobs, Clock, Crash, Log, Minter } from '../ports/world.ts';
import { routinesOver, schedulesOver } from './routine.ts';
import { dynamoClientFrom, tableNamesFrom } from './store.ts';
import { required, type Substrate } from './substrate.ts';
import { tracesOver } from './traces.ts';

export { csvOf } from '../adapters/sheet/csv.ts';
export { htmlOf, sheetPolicy } from '../adapters/sheet/html.ts';
export { jsonOf, sheetSchema } from '../adapters/sheet/json.ts';
export { markdownOf } from '../adapters/sheet/markdown.ts';
export { lazily } from './lazily.ts';
export type { Substrate } from './substrate.ts';

export interface ApiWorld {
  readonly store: Store;
  readonly mandates: Mandates;
  readonly desk: DeskLists;
  readonly people: People;
  readonly lists: WorkspaceLists;
  readonly faultMarks: FaultMarks;
  readonly registry: Registrations;
  readonly memory: OnceMemory;
  readonly blobs: Pick<Blobs, 'get'>;
  /** Why a registration's transport could not carry its calls, one sentence each; empty when it can. */
  readonly uncarriable: (registration: ToolRegistration) => readonly string[];
  readonly routines: Routines;
  readonly schedules: Schedules;
  readonly traces: Traces;
  readonly clock: Clock;
  readonly minter: Minter;
  readonly crash: Crash;
  readonly log: Log;
}

/** The decide loop with this world's store, clock and randomness. Throws TryAgain. */
export const deciding = <Answer>(
  world: Pick<ApiWorld, 'store' | 'clock' | 'minter'>,
  round: Deciding<Answer>['round'],
): Promise<Answer> =>
  decide({
    round,
    commit: world.store.commit,
    pause: world.clock.pause,
    fraction: world.minter.fraction,
  });

export const apiWorldFrom = (substrate: Substrate): ApiWorld => {
  const { clock, minter, log } = substrate;
  const client = dynamoClientFrom(substrate);
  const tables = tableNamesFrom(substrate);
  return {
    store: storeFrom({ client, tables, clock, minter }),
    mandates: mandatesFrom({ client, tables, clock, minter }),
    desk: deskListsFrom({ client, tables, clock, minter }),
    people: peopleFrom({ client, tables, clock, minter }),
    lists: workspaceListsFrom({ client, tables, clock, minter }),
    faultMarks: faultMarksFrom({ client, tables, clock, minter }),
    registry: registryFrom({ client, tables }),
    memory: onceMemoryFrom(idempotencyTable(client, tables.Idempotency)),
    blobs: blobsFrom({
      client: new S3Client({ ...substrate.aws('s3'), forcePathStyle: true }),
      bucket: required(substrate, environmentNames.blobBucket),
      minter,
    }),
    uncarriable: registrationProblems,
    routines: routinesOver(substrate),
    schedules: schedulesOver(substrate),
    traces: tracesOver(substrate),
    clock,
    minter,
    crash: substrate.crash,
    log,
  };
};
