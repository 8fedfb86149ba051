// Every small world of the contracts with a key, and of writes that need an approval.
import { describe } from 'vitest';
import { contractKinds, hasKey } from './contracts.ts';
import { smallTests } from './small-tests.ts';

describe('All small worlds of a destination with a key', () => {
  for (const kind of contractKinds) if (hasKey(kind)) smallTests(kind);
});

describe('All small worlds of a write that cannot be taken back', () => {
  smallTests('none', 'approved');
  smallTests('key', 'approved');
  smallTests('none', 'refused');
});
