// Registering from files, as a new installation is begun: a tool, then an agent that has it.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRig, type PersonName } from '../../functions/api/rig.ts';
import { serve } from '../api-on-loopback.ts';
import { reprise } from '../command-line.ts';

/** The files that docs/deploy.md has one write for the first check. */
const [tool, agent] = [
  ...readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'docs', 'deploy.md'),
    'utf8',
  ).matchAll(/```json\n(.*?)\n```/gs),
].map(([, text = '']) =>
  text.replace('<Region>', 'eu-west-1').replace('<account>', '111122223333'),
);

const open = async () => {
  const rig = await openRig();
  const { server, url } = await serve(rig);
  const folder = await mkdtemp(join(tmpdir(), 'reprise-register-'));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    rig.close();
    await rm(folder, { recursive: true, force: true });
  });
  const as = (person: PersonName, ...args: readonly string[]) =>
    reprise(['register', ...args, '--url', url], { env: { REPRISE_TOKEN: person }, cwd: folder });
  const file = (name: string, content: string) => writeFile(join(folder, name), content);
  await file('note.json', tool ?? '');
  await file('first.json', agent ?? '');
  return { as, file };
};

test('a tool and an agent are registered from files, and what a contract leaves open is told', async () => {
  const { as } = await open();
  const registered = await as('ana', 'tool', 'note.json');
  expect(registered).toMatchObject({ code: 0, out: expect.stringMatching(/^tool +note +1\n$/) });
  expect(registered.err).toContain('contract.verification: ');
  const made = await as('ana', 'agent', 'first.json', '--json');
  expect(made.code).toBe(0);
  expect(JSON.parse(made.out)).toMatchObject({
    agentId: expect.stringMatching(/^agt_/),
    revision: 1,
  });
});

test('what the API refuses is said in its words, and a file that is none before anybody is asked', async () => {
  const { as, file } = await open();
  expect((await as('ben', 'tool', 'note.json')).code).toBe(1);
  const unknown = await as('ana', 'agent', 'first.json');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('tools.0.name') });
  await file('list.json', '[]');
  for (const wrong of [
    ['tool', 'missing.json'],
    ['tool', 'list.json'],
    ['routine', 'note.json'],
  ])
    expect((await as('ana', ...wrong)).code, wrong.join(' ')).toBe(2);
});

test('a name that is taken is told with the command for its next version, which says what changed and who stays', async () => {
  const { as, file } = await open();
  await as('ana', 'tool', 'note.json');
  await as('ana', 'agent', 'first.json');
  const taken = await as('ana', 'tool', 'note.json');
  expect(taken).toMatchObject({
    code: 1,
    err: expect.stringContaining('reprise register tool note.json --new-version'),
  });
  const second = await as('ana', 'agent', 'first.json', '--lang', 'fr');
  expect(second).toMatchObject({ code: 1, out: '' });
  expect(second.err).toContain('reprise register agent first.json --new-version');

  const same = await as('ana', 'tool', 'note.json', '--new-version');
  expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/^tool +note +1\n$/) });
  const changed = { ...JSON.parse(tool ?? ''), description: 'Writes a note, twice as well.' };
  await file('note.json', JSON.stringify(changed));
  const next = await as('ana', 'tool', 'note.json', '--new-version');
  expect(next.out).toMatch(/^tool +note +2\n$/);
  expect(next.err).toMatch(/^ {2}description: ".*" → "Writes a note, twice as well\."$/m);
  expect(next.err).toMatch(/stays on version 1 .*reprise register agent .*--agent agt_/);
  const moved = await as('ana', 'agent', 'first.json', '--new-version');
  expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/^agent +agt_\w+ +2\n$/) });
  expect(moved.err).toContain('"version":1}] → [{"name":"note","version":2}]');
}, 120_000);

test('what the trials granted is put into the contract from their report, and from no other file', async () => {
  const { as, file } = await open();
  await as('ana', 'tool', 'note.json');
  const verification = { by: 'reprise trials', at: '2026-11-30T09:00:00.000Z', how: 'Seven.' };
  await file('trials.json', JSON.stringify({ tool: JSON.parse(tool ?? ''), arguments: {} }));
  await file('report.json', JSON.stringify({ tools: [{ tool: 'note', verification }] }));
  await file('failed.json', JSON.stringify({ tools: [{ tool: 'note' }] }));
  const [failed, none, skill] = await Promise.all([
    as('ana', 'tool', 'trials.json', '--new-version', '--verification', 'failed.json'),
    as('ana', 'tool', 'trials.json', '--new-version', '--verification', 'note.json'),
    as('ana', 'agent', 'first.json', '--verification', 'report.json'),
  ]);
  expect([failed.code, none.code, skill.code]).toEqual([2, 2, 2]);
  const granted = ['tool', 'trials.json', '--new-version', '--verification', 'report.json'];
  const next = await as('ana', ...granted);
  expect(next, next.err).toMatchObject({ code: 0 });
  expect(next.err).toContain('contract.verification: nothing → {"by":"reprise trials"');
  expect(next.err).not.toContain('not verified');
}, 120_000);
