// Entry of `cdk synth` and `cdk deploy`: bundles the functions, builds the stack, and has cdk-nag check it.
// Needs no account, no network and no Docker. Owns: nothing that is deployed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { machineNames, machines } from '../functions/manifest.ts';
import { bundleFunctions } from './bundles.ts';
import { forEvery } from './every.ts';
import { settingsOf } from './settings.ts';
import { RepriseStack } from './stack.ts';

const root = join(import.meta.dirname, '..');
const built = join(root, 'web', 'dist');
const bundled = mkdtempSync(join(tmpdir(), 'reprise-bundles-'));
try {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  new RepriseStack(app, 'Reprise', {
    settings: settingsOf(app),
    bundles: bundleFunctions(root, bundled),
    definitions: forEvery(machineNames, (name) =>
      readFileSync(join(root, machines[name].definition), 'utf8'),
    ),
    pageFolder: existsSync(join(built, 'index.html')) ? built : undefined,
  });
  app.synth();
} finally {
  rmSync(bundled, { recursive: true, force: true });
}
