// `cdk synth` as people run it: from a folder with spaces in its path, without credentials, by whatever Node starts it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { functionNames } from '../../functions/manifest.ts';
import { root } from './root.ts';

const folder = mkdtempSync(join(tmpdir(), 'reprise synth in a folder '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('cdk synth succeeds with no account and writes a template with every function', () => {
  for (const part of ['cdk', 'functions', 'statemachines', 'cdk.json', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const cdk = spawnSync(
    process.execPath,
    [join('node_modules', 'aws-cdk', 'bin', 'cdk'), 'synth', '--quiet'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_CONFIG_FILE: join(folder, 'none'),
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
      },
    },
  );
  expect(`${cdk.stdout}${cdk.stderr}`).not.toMatch(/error/i);
  expect(cdk.status).toBe(0);
  const template = join(folder, 'cdk.out', 'Reprise.template.json');
  expect(existsSync(template)).toBe(true);
  const text = readFileSync(template, 'utf8');
  for (const name of functionNames) expect(text).toContain(`"Reprise-${name}"`);
  expect(text).not.toContain(folder);
});
