// What is said at the start: which models are called, which cannot be for want of a key, and why a data folder is none.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ModelChoice } from '../../functions/core/registry/agent.ts';
import { localeLanguage } from '../../local/base/language.ts';
import { announcement, type Served } from '../../local/command/announce.ts';
import { keyWarnings } from '../../local/command/model-keys.ts';
import { openDataFolder, StartRefused } from '../../local/data/data-folder.ts';
import { temporaryFolder } from './twin-for-tests.ts';

const scripted: ModelChoice = { provider: 'scripted', script: 'demo' };
const real: ModelChoice = { provider: 'anthropic', model: 'claude-x', secret: 'reprise/anthropic' };
const demoAgent = { agentId: 'agt_demo', name: 'Sales', model: scripted };
const desk = { agentId: 'agt_desk', name: 'Help desk', model: real };
const servedWith = (more: Partial<Served>): string =>
  announcement({
    url: 'http://127.0.0.1:4400',
    token: 'token',
    dataDir: '/data',
    model: scripted,
    agents: [demoAgent],
    warnings: [],
    demo: { kind: 'agent', agentId: 'agt_demo', url: 'http://127.0.0.1:4500' },
    ...more,
  });

it('says that no real model is called only where no agent has one', () => {
  expect(servedWith({})).toContain('no real model is called');
  const text = servedWith({ agents: [demoAgent, desk] });
  expect(text).not.toContain('no real model');
  expect(text).toContain('"Help desk" calls a real model: anthropic claude-x');
  expect(text).toMatch(/^ {2}Agent +agt_demo +Sales$/m);
  const many = Array.from({ length: 8 }, (_, n) => ({ ...desk, agentId: `agt_${n}` }));
  expect(servedWith({ agents: many })).toContain('and 3 more agents call real models');
});

it('speaks French where the locale does, with the same lines and addresses', () => {
  expect(localeLanguage({ LANG: 'fr_FR.UTF-8' })).toBe('fr');
  expect(localeLanguage({ LANG: 'fr_FR.UTF-8', LC_ALL: 'C' })).toBe('en');
  const [warning] = keyWarnings(
    [desk],
    { has: () => false, lent: undefined },
    {},
    {
      language: 'fr',
    },
  );
  expect(warning).toContain('«\u00a0npx reprise secrets set reprise/anthropic\u00a0»');
  const served: Served = {
    url: 'http://127.0.0.1:4400',
    token: 'token',
    dataDir: '/data',
    model: scripted,
    agents: [demoAgent, desk],
    warnings: [warning ?? ''],
    demo: { kind: 'none' },
  };
  const [english, french] = [announcement(served), announcement(served, 'fr')];
  expect(french.split('\n')).toHaveLength(english.split('\n').length);
  expect(french).toContain('http://127.0.0.1:4400/#token=token');
  expect(french).toContain(
    '«\u00a0Help desk\u00a0» appelle un vrai modèle\u00a0: anthropic claude-x',
  );
  expect(french).toMatch(/^ {2}Démo {5}aucune \(--no-demo\)$/m);
  expect(french).not.toMatch(/\b(the|model|real|with)\b/);
});

it('warns of each agent whose model has no key, and names secrets only', () => {
  const bedrock: ModelChoice = { provider: 'bedrock', model: 'nova' };
  const local: ModelChoice = {
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: 'http://x.test',
  };
  const agents = [demoAgent, desk, { ...desk, model: bedrock }, { ...desk, model: local }];
  const none = { has: () => false, lent: 'ANTHROPIC_API_KEY' };
  const warnings = keyWarnings(agents, none, {}, { home: '/nowhere' });
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain('npx reprise secrets set reprise/anthropic');
  expect(warnings[0]).not.toContain('start with');
  expect(warnings[1]).toContain('AWS_PROFILE');
  expect(servedWith({ warnings })).toContain(`Warning  ${warnings[0]}`);
  expect(
    keyWarnings(agents, { ...none, has: () => true }, { AWS_PROFILE: 'x' }, { home: '/nowhere' }),
  ).toEqual([]);
  const named: ModelChoice = { ...real, secret: 'ANTHROPIC_API_KEY' };
  const [first] = keyWarnings([{ ...desk, model: named }], none, {}, { home: '/nowhere' });
  expect(first).toContain('start with ANTHROPIC_API_KEY=…');
});

it('makes a folder of any depth, and says in words why something is none', async () => {
  const root = await temporaryFolder();
  const deep = join(root, 'a', 'b');
  openDataFolder(deep);
  openDataFolder(deep);
  const file = join(root, 'file');
  writeFileSync(file, '');
  const cases: [string, string][] = [
    [file, 'it is a file'],
    [join(file, 'x'), 'no folder'],
    ['/dev/null/x', 'no folder'],
  ];
  expect(() => openDataFolder(file, 'fr')).toThrow('c’est un fichier, pas un dossier');
  // As root everything may be written to.
  if (process.getuid?.() !== 0) {
    const locked = join(root, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    cases.push([join(locked, 'x'), 'you may not write there']);
  }
  for (const [folder, why] of cases) {
    expect(() => openDataFolder(folder), folder).toThrow(StartRefused);
    expect(() => openDataFolder(folder), folder).toThrow(why);
    expect(() => openDataFolder(folder), folder).toThrow('--data DIR');
  }
});

it('does not try for ever where the kernel has no folders to make', () => {
  expect(() => openDataFolder('/proc/x')).toThrow(StartRefused);
});
