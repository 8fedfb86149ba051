// Puts the test's own store through the trials by the real command. Owns: its file, its secret, and reading the report.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Report } from '../../cli/trials/report/report.ts';
import { reprise } from '../cli/command-line.ts';
import { openStore, type StoreHabits, toolFile } from './store.ts';

/** What it did is judged by its own list. */
export const storeTrier =
  (dir: () => string) =>
  async (
    habits: StoreHabits,
    contract: Readonly<Record<string, unknown>> = {},
    args: readonly string[] = [],
    more: Readonly<Record<string, unknown>> = {},
  ) => {
    const store = await openStore(habits);
    try {
      const file = join(dir(), `${crypto.randomUUID()}.json`);
      await writeFile(file, JSON.stringify(toolFile(store.url, contract, more)));
      const given = ['--tool', file, '--environment', 'sandbox', '--secret-env', 'store-token=T'];
      const ran = await reprise(['trials', '--json', ...given, ...args], {
        env: { T: 's3cret-of-the-store' },
      });
      const report = ran.out === '' ? undefined : Report.safeParse(JSON.parse(ran.out)).data;
      return { ...ran, report, tool: report?.tools[0], objects: store.objects() };
    } finally {
      await store.close();
    }
  };
