// Who did something: a person, a machine or a routine, by subject and name. Owns: that shape. Laws: L13.
// Tested in test/core/recover/persons-evidence.test.ts.
import { z } from 'zod';

export const Author = z.strictObject({
  kind: z.enum(['person', 'machine', 'routine']),
  subject: z.string().min(1),
  name: z.string().min(1),
});

export type Author = z.infer<typeof Author>;
