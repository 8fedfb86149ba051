// Every small world of the contracts without a key: crash, behaviour, decision and revocation in all combinations.
import { describe } from 'vitest';
import { contractKinds, hasKey } from './contracts.ts';
import { smallTests } from './small-tests.ts';

describe('All small worlds of a destination without a key', () => {
  for (const kind of contractKinds) if (!hasKey(kind)) smallTests(kind);
});
