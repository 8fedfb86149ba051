// A line that is typed on a terminal and not shown. Owns: that prompt; what is typed is in no history (L18).
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './command.ts';

/** Rejects with UsageError when it is broken off (Ctrl+C, Ctrl+D). */
export const hiddenLine = (
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  output.write(question);
  lines.on('line', (line) => {
    resolve(line);
    lines.close();
  });
  lines.on('SIGINT', () => lines.close());
  // After a line this comes too late to matter.
  lines.on('close', () => {
    output.write('\n');
    reject(new UsageError('Broken off; nothing was set.'));
  });
  return promise;
};
