// Wires signing in: the issuer as a client, the seals, the verifier of the authoriser. Owns: the form of the stored secret
// and its place in the environment.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { z } from 'zod';
import { issuerFrom } from '../adapters/oidc/issuer.ts';
import { sealsFrom } from '../adapters/oidc/seals.ts';
import { verifierFrom } from '../adapters/oidc/verifier.ts';
import { secretsFrom } from '../adapters/secrets/secrets-manager.ts';
import { environmentNames } from '../manifest.ts';
import type { Issuer, Seals } from '../ports/sign-in.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Clock, Log } from '../ports/world.ts';
import { required, type Substrate } from './substrate.ts';

export { lazily } from './lazily.ts';
export type { Substrate } from './substrate.ts';

export interface AuthWorld {
  readonly issuer: Issuer;
  readonly seals: Seals;
  /** The same check as the authoriser's: what the page is given is what the API will take. */
  readonly tokens: Tokens;
  /** Origin of the page, `https://…`, without a slash at the end. */
  readonly origin: string;
  /** What a client on somebody's own machine needs to sign in by itself. Public. */
  readonly client: { readonly issuer: string; readonly clientId: string; readonly scope: string };
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What is kept under the name of the sign-in's secret: JSON. */
const Kept = z.looseObject({
  sealingKey: z.string(),
  /** Of a confidential client at your own issuer. */
  clientSecret: z.string().min(1).optional(),
});

/** How soon a replaced secret is seen. */
const secretKeptMs = 300_000;

const keptSecret = (substrate: Substrate): (() => Promise<z.infer<typeof Kept>>) => {
  const name = required(substrate, environmentNames.signInSecret);
  const secrets = secretsFrom({
    client: new SecretsManagerClient(substrate.aws('secretsmanager')),
    clock: substrate.clock,
    keptMs: secretKeptMs,
    open: substrate.open,
  });
  return async () => {
    const text = await secrets.read(name);
    try {
      return Kept.parse(JSON.parse(text));
    } catch {
      // Neither message: both may quote the value.
      throw new Error(`The secret "${name}" is not JSON with a sealingKey. Put it right.`);
    }
  };
};

export const authWorldFrom = (substrate: Substrate): AuthWorld => {
  const { clock, log } = substrate;
  const secret = keptSecret(substrate);
  const client = {
    issuer: required(substrate, environmentNames.issuer),
    clientId: required(substrate, environmentNames.clientId),
    scope: required(substrate, environmentNames.scope),
  };
  return {
    issuer: issuerFrom({
      ...client,
      clock,
      clientSecret: async () => (await secret()).clientSecret,
    }),
    seals: sealsFrom({ clock, secret: async () => (await secret()).sealingKey }),
    tokens: verifierFrom({
      issuer: client.issuer,
      audience: required(substrate, environmentNames.audience),
      clock,
    }),
    origin: required(substrate, environmentNames.pageUrl),
    client,
    clock,
    log,
  };
};
