// Where the functions' log lines go on this machine. Owns: the log file.
import { createWriteStream } from 'node:fs';
import type { Log } from '../../functions/ports/world.ts';
import { currentIds } from '../../functions/wiring/invocation.ts';

/** Log lines go to a file beside the data; a full disk loses them and nothing else. */
export const fileLog = (file: string): { readonly log: Log; close(): void } => {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', () => undefined);
  const write =
    (level: string) =>
    (message: string, details: object): void =>
      void stream.write(
        `${JSON.stringify({ at: new Date().toISOString(), level, message, ...currentIds(), ...details })}\n`,
      );
  return {
    log: { info: write('INFO'), warn: write('WARN'), error: write('ERROR') },
    close: () => stream.end(),
  };
};
