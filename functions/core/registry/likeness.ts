// What makes two actions look alike: workspace, tool name, destination and the arguments the contract names (default all).
// Owns: the digest of likeness. Laws: L20.
// Tested in test/core/base/identity.test.ts.

import { at, type Digest, digestOf, type Json, type JsonObject } from '../base/json.ts';
import type { Contract } from './contract.ts';

export const likeDigestOf = (
  workspace: string,
  tool: string,
  contract: Contract,
  args: JsonObject,
): Digest => {
  const compared: Json = contract.likeness
    ? contract.likeness.map((path) => at(args, path) ?? null)
    : args;
  return digestOf({ workspace, tool, destination: { ...contract.destination }, compared });
};
