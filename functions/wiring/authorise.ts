// Wires the authoriser: the token verifier of the configured issuer.
import { verifierFrom } from '../adapters/oidc/verifier.ts';
import { environmentNames } from '../manifest.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Log } from '../ports/world.ts';
import { required, type Substrate } from './substrate.ts';

export { lazily } from './lazily.ts';
export type { Substrate } from './substrate.ts';

export interface AuthoriseWorld {
  readonly tokens: Tokens;
  readonly log: Log;
}

export const authoriseWorldFrom = (substrate: Substrate): AuthoriseWorld => ({
  tokens: verifierFrom({
    issuer: required(substrate, environmentNames.issuer),
    audience: required(substrate, environmentNames.audience),
    clock: substrate.clock,
  }),
  log: substrate.log,
});
