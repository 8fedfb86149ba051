// What a deployed function writes: log lines with the ids of what they are about, and figures in the embedded metric format.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..', '..');

const script = `
import { substrateFromProcess, traced } from './functions/wiring/deployed.ts';
const { log, measures } = substrateFromProcess();
await traced({ runId: 'run_1', actionId: 'act_1', body: 'secret text' }, async () => {
  log.warn('Something is odd.', { cause: 'the disk' });
});
measures.put({ undetermined: 2, undeterminedOldestMs: 90000 });
`;

const linesOf = (environment: NodeJS.ProcessEnv): object[] => {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, POWERTOOLS_SERVICE_NAME: 'Reprise', ...environment },
  });
  expect(child.status, child.stderr).toBe(0);
  return `${child.stdout}${child.stderr}`
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => z.looseObject({}).parse(JSON.parse(line)));
};

test('log lines name run and action, never the input, and figures are metrics of the product', () => {
  const lines = linesOf({});
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'WARN',
      message: 'Something is odd.',
      service: 'Reprise',
      runId: 'run_1',
      actionId: 'act_1',
      cause: 'the disk',
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      service: 'Reprise',
      Undetermined: 2,
      UndeterminedOldestMs: 90_000,
      _aws: expect.objectContaining({
        CloudWatchMetrics: [expect.objectContaining({ Namespace: 'Reprise' })],
      }),
    }),
  );
  expect(JSON.stringify(lines)).not.toContain('secret text');
});
