// The last line of a test run, alone and plain, for machines that read it: `N passed, N failed`.
import type { Reporter } from 'vitest/node';

export const closingLine = (): Reporter => ({
  onTestRunEnd: (modules, errors) => {
    let passed = 0;
    // A file that cannot be loaded, or an error outside any test, is a failure that no test counts.
    let failed = errors.length + modules.filter((module) => module.errors().length > 0).length;
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
      }
    process.on('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  },
});
