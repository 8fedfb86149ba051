// How the tests run: every test under test/, each file in its own process, nothing retried.
import { defineConfig } from 'vitest/config';
import { closingLine } from './test/closing-line.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default', closingLine()],
  },
});
