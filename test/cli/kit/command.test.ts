// The command line itself: help, languages, mistakes, colours, exit codes; and that a first start harms nobody's packages.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearest } from '../../../cli/kit/near.ts';
import { plain } from '../../../cli/kit/table.ts';
import { reprise } from '../command-line.ts';

let empty: string;
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), 'reprise-cli-empty-'));
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

const limitMs = 170_000;

describe.concurrent('The command', () => {
  test(
    'lists what there is, in English and in French',
    async () => {
      const english = await reprise(['--help']);
      const french = await reprise([], { env: { LANG: 'fr_FR.UTF-8' } });
      expect([english.code, french.code]).toEqual([0, 0]);
      for (const name of [
        'dev',
        'doctor',
        'runs tail',
        'desk decide',
        'sheet export',
        'trials',
        'crash',
        'openapi',
      ])
        expect(english.out).toContain(name);
      expect(english.out).toContain('Exit codes');
      expect(french.out).toContain('Codes de sortie');
      expect(french.out).toContain('Usage\u00a0: reprise COMMANDE');
      expect(french.out).toContain('register SORTE FICHIER');
      expect(english.out).toContain('register KIND FILE');
      expect(french.out).not.toMatch(/ [:;?!»]|« /);
      expect(english.out.split('\n').length).toBe(french.out.split('\n').length);
    },
    limitMs,
  );

  test(
    'shows the help of a group to who asks for it',
    async () => {
      const { code, out } = await reprise(['desk', '--help']);
      expect(code).toBe(0);
      expect(out).toContain('desk decide');
      expect(out).not.toContain('runs list');
      expect(await reprise(['desk'])).toMatchObject({ code: 2, out: '' });
    },
    limitMs,
  );

  test.each([
    [['trails'], '"trials"'],
    [['runs', 'shwo', 'x'], '"runs show"'],
    [['trials', '--evironment', 'x'], '--environment'],
    [['crash', '--at', 'perform.engage'], 'perform.engaged'],
  ])(
    '%j: did you mean %s',
    async (args, meant) => {
      const { code, err, out } = await reprise(args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(`Did you mean ${meant}`);
    },
    limitMs,
  );

  test(
    'says what is missing and what is too much',
    async () => {
      expect(await reprise(['runs', 'show'])).toMatchObject({ code: 2 });
      expect(await reprise(['runs', 'show', 'a', 'b'])).toMatchObject({ code: 2 });
      const french = await reprise(['register', 'tool', '--lang', 'fr']);
      expect(french.err).toContain('reprise register SORTE FICHIER');
      expect(await reprise(['--lang', 'de', 'runs', 'list'])).toMatchObject({ code: 2 });
    },
    limitMs,
  );

  test(
    'without a twin says how to start one',
    async () => {
      const { code, err } = await reprise(['runs', 'list', '--data', empty, '--lang', 'fr']);
      expect(code).toBe(4);
      expect(err).toContain('reprise dev');
    },
    limitMs,
  );

  test(
    'colours nothing that is no terminal, and what is forced unless NO_COLOR forbids',
    async () => {
      const colour = '\u001b[';
      const args = ['runs', 'list', '--data', empty];
      expect((await reprise(args)).err).not.toContain(colour);
      expect((await reprise(args, { env: { FORCE_COLOR: '1' } })).err).toContain(colour);
      const both = await reprise(args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
      expect(both.err).not.toContain(colour);
    },
    limitMs,
  );

  test(
    'finds nothing wrong on a machine without a twin',
    async () => {
      const { code, out } = await reprise(['doctor', '--data', empty, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(out).checks).toContainEqual(
        expect.objectContaining({ name: 'node', state: 'ok' }),
      );
    },
    limitMs,
  );
});

describe.concurrent('crash', () => {
  test.each(['perform.engaged', 'perform.reply-received', 'verify.read'])(
    'at %s: one object, nothing sent twice',
    async (point) => {
      const { code, out, err } = await reprise(['crash', '--at', point, '--json']);
      expect(code, err).toBe(0);
      expect(err).toContain('SIGKILL');
      expect(JSON.parse(out)).toMatchObject({
        verdict: 'pass',
        exhibit: { effect: 'confirmed', objects: { count: 1 }, proxy: { forwarded: 1 } },
      });
    },
    limitMs,
  );
});

describe('What it is made of', () => {
  test('the nearest name is meant only when it is near', () => {
    expect(nearest('trails', ['trials', 'runs'])).toBe('trials');
    expect(nearest('xyz', ['trials', 'runs'])).toBeUndefined();
  });

  test('what others wrote cannot steer a terminal', () => {
    expect(plain('a\u001b[2Jb\u202ec\u0007')).toBe('a [2Jb c');
  });

  test('setup refuses to install through a link, which would empty another checkout', () => {
    const root = mkdtempSync(join(tmpdir(), 'reprise-linked-'));
    const theirs = mkdtempSync(join(tmpdir(), 'reprise-theirs-'));
    try {
      mkdirSync(join(root, 'cli'));
      copyFileSync(
        join(import.meta.dirname, '../../../cli/setup.mjs'),
        join(root, 'cli/setup.mjs'),
      );
      writeFileSync(join(root, 'package-lock.json'), '{}');
      writeFileSync(join(theirs, 'precious'), '');
      symlinkSync(theirs, join(root, 'node_modules'));
      const ran = spawnSync(process.execPath, [join(root, 'cli/setup.mjs')], { encoding: 'utf8' });
      expect(ran.status).toBe(1);
      expect(ran.stderr).toContain('is a link');
      expect(existsSync(join(theirs, 'precious'))).toBe(true);
    } finally {
      rmSync(root, { recursive: true, force: true });
      rmSync(theirs, { recursive: true, force: true });
    }
  });
});
