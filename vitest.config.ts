// How the tests run: every test under test/, each file in its own process, one process per core, nothing retried. What starts
// many processes and kills them, and what measures how quickly the page answers, runs after all others, one file at a time.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line.ts';

const alone = [
  'test/crash/**/*.test.ts',
  'test/web/trouble/pull-the-plug.test.ts',
  'test/web/trouble/flood.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Vitest keeps one core for itself, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', closingLine()],
    // Waiting for something ends when it is there: the limit is for what never comes, on however busy a machine.
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: alone,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          maxWorkers: 1,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
