// Group commit: the writes that arrive in one turn of the event loop become one SQLite transaction, so that its fsync is
// paid once. Each is still one whole, evaluated in order of arrival, and nobody is answered before the commit.
// Owns: the moment of commit. Reads pass at once: there is nothing uncommitted outside the commit itself.

import { answerFor, refusalBody, type TwinAnswer } from './answers.ts';
import type { Body } from './values.ts';
import type { Writer } from './writes.ts';

interface Pending {
  readonly operation: string;
  readonly body: unknown;
  readonly done: (answer: TwinAnswer) => void;
}

export interface GroupParts {
  readonly writer: Writer;
  /** Does one operation; throws what it refuses, and what the disk refuses. */
  readonly run: (operation: string, body: unknown) => Body;
  /** The same with a commit of its own; never throws. */
  readonly handle: (operation: string, body: unknown) => TwinAnswer;
}

export interface Group {
  /** Answers when the call's writes are on the disk. */
  take(operation: string, body: unknown): Promise<TwinAnswer>;
  /** Commits what waits now. */
  flush(): void;
}

const groupable = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

export const openGroup = ({ writer, run, handle }: GroupParts): Group => {
  let waiting: Pending[] = [];
  let scheduled: NodeJS.Immediate | undefined;

  const answer = ({ operation, body }: Pending): TwinAnswer => {
    try {
      return { status: 200, body: run(operation, body) };
    } catch (error) {
      // A refusal comes before anything is written; whatever else happened ends the whole group.
      if (refusalBody(error) === undefined) throw error;
      return answerFor(operation, error);
    }
  };

  /** Undefined when nothing of the group was kept. */
  const together = (batch: readonly Pending[]): TwinAnswer[] | undefined => {
    try {
      return writer.together(() => batch.map(answer));
    } catch {
      return undefined;
    }
  };

  const flush = (): void => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = undefined;
    const batch = waiting;
    waiting = [];
    const answers = batch.length > 1 ? together(batch) : undefined;
    // One alone, or one of several has failed: each with a commit of its own, so that only the guilty one does.
    batch.forEach(({ operation, body, done }, index) => {
      done(answers?.[index] ?? handle(operation, body));
    });
  };

  return {
    take: (operation, body) => {
      if (!groupable.has(operation)) return Promise.resolve(handle(operation, body));
      return new Promise((done) => {
        waiting.push({ operation, body, done });
        scheduled ??= setImmediate(flush);
      });
    },
    flush,
  };
};
