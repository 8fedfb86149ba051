// What the packages of the lock file are: each pinned by a digest, each under a licence that was looked at, none from elsewhere than
// the registry. A new licence is read first and then named here, with what it may be used for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './tidy/sources.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.record(z.string(), z.string()).optional(),
      devDependencies: z.record(z.string(), z.string()).optional(),
      integrity: z.string().optional(),
      inBundle: z.boolean().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      license: z.string().optional(),
    }),
  ),
});
const lock = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** May be part of what is deployed. */
const deployed: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'MIT OR Apache-2.0',
  'Apache-2.0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '(AFL-2.1 OR BSD-3-Clause)',
]);

/** Tools of development: used, and no part of what is deployed. */
const tools: ReadonlySet<string> = new Set([
  ...deployed,
  'MPL-2.0',
  'PSF-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  '(Apache-2.0 AND BSD-3-Clause)',
  '(MIT OR GPL-3.0-or-later)',
]);

test('every package is pinned by a digest, its own or that of the package it is bundled in', () => {
  const offenders = packages
    .filter(([, { integrity, inBundle }]) => !integrity?.startsWith('sha512-') && !inBundle)
    .map(([path]) => path);
  expect(offenders).toEqual([]);
});

test('no package is a link, and none names a place of its own', () => {
  const offenders = packages
    .filter(([, { link, resolved }]) => link === true || /^(?:git|file|http:)/.test(resolved ?? ''))
    .map(([path]) => path);
  expect(offenders).toEqual([]);
});

test('what package.json asks for is an exact version', () => {
  const asked = lock.packages[''];
  const offenders = Object.entries({ ...asked?.dependencies, ...asked?.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(offenders).toEqual([]);
});

test('every licence was looked at', () => {
  const offenders = packages
    .filter(([, { license, dev }]) => !(dev === true ? tools : deployed).has(license ?? 'none'))
    .map(([path, { license }]) => `${path}: ${license ?? 'none'}`);
  expect(offenders).toEqual([]);
});
