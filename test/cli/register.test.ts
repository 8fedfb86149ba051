// Registering from files, as a new installation is begun: a tool, then an agent that has it.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRig, type PersonName } from '../functions/api/rig.ts';
import { serve } from './api-on-loopback.ts';
import { reprise } from './command-line.ts';

/** The files that docs/deploy.md has one write for the first check. */
const [tool, agent] = [
  ...readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'deploy.md'), 'utf8').matchAll(
    /```json\n(.*?)\n```/gs,
  ),
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
