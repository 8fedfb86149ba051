// Wires Think: store, registry, model. Owns: which adapters a model call goes through.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { modelFrom } from '../adapters/model/model.ts';
import { secretsFrom } from '../adapters/secrets/secrets-manager.ts';
import { argumentProblems } from '../adapters/tools/arguments.ts';
import type { JsonObject } from '../core/base/json.ts';
import type { Run } from '../core/records/run.ts';
import type { Model } from '../ports/model.ts';
import { type StoreWorld, storeWorld } from './store.ts';
import type { Substrate } from './substrate.ts';
import { type Toolbox, toolboxOf } from './toolbox.ts';
import { type Transcripts, transcriptsFrom } from './transcript.ts';
import { registryCache } from './versions.ts';

export { foldedOf } from './folded.ts';
export { lambdaHandler } from './lambda.ts';
export { lazily } from './lazily.ts';
export { nowIso, type StoreWorld } from './store.ts';
export type { Substrate } from './substrate.ts';
export { newEntries, resultsOf } from './transcript.ts';

export interface ThinkWorld extends StoreWorld {
  readonly model: Model;
  readonly transcripts: Transcripts;
  toolbox(run: Run): Promise<Toolbox>;
  /** What is wrong with arguments by a tool's JSON Schema, in words for the model; undefined when nothing is. */
  argumentProblems(schema: JsonObject, args: JsonObject): string | undefined;
}

export const thinkWorld = (substrate: Substrate): ThinkWorld => {
  const world = storeWorld(substrate);
  const versions = registryCache(world.registry);
  const secrets = secretsFrom({
    client: new SecretsManagerClient({ ...substrate.aws('secretsmanager') }),
    clock: substrate.clock,
    open: substrate.open,
  });
  return {
    ...world,
    model: modelFrom({
      secrets,
      newCallId: substrate.minter.suffix,
      pause: substrate.clock.pause,
      open: substrate.open,
      ...(substrate.scripts === undefined ? {} : { scripts: substrate.scripts }),
    }),
    transcripts: transcriptsFrom(world.store),
    toolbox: (run) => toolboxOf(versions, run),
    argumentProblems,
  };
};
