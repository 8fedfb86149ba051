// Synthesises the stack for tests: real definition, stand-in bundles (test/cdk/bundles.test.ts bundles the real ones).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { z } from 'zod';
import type { Bundles } from '../../cdk/bundles.ts';
import { forEvery } from '../../cdk/every.ts';
import { settingsFrom } from '../../cdk/settings.ts';
import { RepriseStack } from '../../cdk/stack.ts';
import { functionNames, machineNames, machines } from '../../functions/manifest.ts';
import { root } from './root.ts';

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});
export type Resource = z.infer<typeof Resource>;
const CloudFormation = z.looseObject({
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })),
});
export type CloudFormation = z.infer<typeof CloudFormation>;

const Report = z.looseObject({
  pluginReports: z.array(
    z.looseObject({
      violations: z.array(
        z.looseObject({
          ruleName: z.string(),
          violatingConstructs: z.array(z.looseObject({ constructPath: z.string().optional() })),
        }),
      ),
    }),
  ),
});

const standIns = (folder: string): Bundles =>
  forEvery(functionNames, (name) => {
    const own = join(folder, 'bundles', name);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'index.mjs'), `// ${name}\n`);
    return { folder: own, bytes: 0 };
  });

/** The flags of cdk.json, without which constructs behave as they did years ago. */
const flags = (): { [flag: string]: unknown } =>
  z
    .looseObject({ context: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))).context;

const build = (folder: string, chosen: { readonly [setting: string]: unknown }, page: boolean) => {
  const app = new App({ outdir: join(folder, 'out'), context: flags(), analyticsReporting: false });
  const pageFolder = join(folder, 'page');
  if (page) {
    mkdirSync(pageFolder);
    writeFileSync(join(pageFolder, 'index.html'), '<!doctype html>');
  }
  const stack = new RepriseStack(app, 'Reprise', {
    settings: settingsFrom(chosen),
    bundles: standIns(folder),
    definitions: forEvery(machineNames, (name) =>
      readFileSync(join(root, machines[name].definition), 'utf8'),
    ),
    pageFolder: page ? pageFolder : undefined,
  });
  return { app, stack };
};

const inFolder = <Result>(work: (folder: string) => Result): Result => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise cdk '));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The template for these settings; the default one is made once. */
export const templateFor = (
  chosen: { readonly [setting: string]: unknown } = {},
  page = false,
): CloudFormation => {
  if (page || Object.keys(chosen).length > 0) return synthesise(chosen, page);
  byDefault ??= synthesise({}, false);
  return byDefault;
};

let byDefault: CloudFormation | undefined;

const synthesise = (
  chosen: { readonly [setting: string]: unknown },
  page: boolean,
): CloudFormation =>
  inFolder((folder) =>
    CloudFormation.parse(Template.fromStack(build(folder, chosen, page).stack).toJSON()),
  );

/** What cdk-nag and the CDK's own rules find, as `rule at construct`. */
export const findingsFor = (
  chosen: { readonly [setting: string]: unknown } = {},
  page = false,
): string[] =>
  inFolder((folder) => {
    const { app } = build(folder, chosen, page);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    app.synth();
    const report: unknown = JSON.parse(
      readFileSync(join(folder, 'out', 'validation-report.json'), 'utf8'),
    );
    return Report.parse(report).pluginReports.flatMap(({ violations }) =>
      violations.flatMap(({ ruleName, violatingConstructs }) =>
        violatingConstructs.map((found) => `${ruleName} at ${found.constructPath ?? '?'}`),
      ),
    );
  });

export const ofType = (template: CloudFormation, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
