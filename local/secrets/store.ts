// The secrets' file: read once, replaced durably on every change, one writer after another. Owns: `secrets.json`.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeDurably } from '../base/files.ts';

const storedSecret = z.object({
  value: z.string(),
  versionId: z.string(),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
});
const storedSecrets = z.record(z.string(), storedSecret);
export type StoredSecret = z.infer<typeof storedSecret>;
export type StoredSecrets = ReadonlyMap<string, StoredSecret>;

export interface SecretStore {
  all(): StoredSecrets;
  /** Replaces the secrets by what `change` makes of the newest ones; waits for the changes before it. */
  change<Result>(
    change: (now: StoredSecrets) => { readonly next: StoredSecrets; readonly result: Result },
  ): Promise<Result>;
}

const read = (file: string): StoredSecrets => {
  if (!existsSync(file)) return new Map();
  const written = storedSecrets.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (written.success) return new Map(Object.entries(written.data));
  throw new Error(`${file} is not a secrets file of the twin. Move it away or correct it.`);
};

/** Opens `file`, made by the first change with mode 600. Throws Error when it holds something else. */
export const openSecretStore = (file: string): SecretStore => {
  let secrets = read(file);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    all: () => secrets,
    change: (change) => {
      const turn = queue.then(async () => {
        const { next, result } = change(secrets);
        await writeDurably(file, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
        secrets = next;
        return result;
      });
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
};
