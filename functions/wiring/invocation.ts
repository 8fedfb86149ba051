// Which run and action an invocation is about, read from its input by name and carried along to every log line and trace.
// Owns: that carrying. Ids only, never content (L18).
import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';

const Ids = z.object({
  runId: z.string().optional().catch(undefined),
  actionId: z.string().optional().catch(undefined),
  conversationId: z.string().optional().catch(undefined),
  routineId: z.string().optional().catch(undefined),
});
export type Ids = z.infer<typeof Ids>;

const current = new AsyncLocalStorage<Ids>();

/** The ids an input names at its top; empty for an input of another form. */
export const idsIn = (input: unknown): Ids => {
  const read = Ids.safeParse(input);
  return read.success ? JSON.parse(JSON.stringify(read.data)) : {};
};

/** Runs `work` as being about these ids. */
export const about = <Output>(ids: Ids, work: () => Promise<Output>): Promise<Output> =>
  current.run(ids, work);

export const currentIds = (): Ids => current.getStore() ?? {};
