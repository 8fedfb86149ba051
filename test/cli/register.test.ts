// Registering from files, as a new installation is begun: a tool, then an agent that has it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRig, type PersonName } from '../functions/api/rig.ts';
import { serve } from './api-on-loopback.ts';
import { reprise } from './command-line.ts';

const tool = {
  name: 'note',
  description: 'Writes a note into the log of a function.',
  arguments: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  transport: {
    kind: 'lambda',
    functionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:reprise-tool-note',
  },
  contract: {
    effect: 'write',
    destination: { provider: 'lambda', account: 'mine', environment: 'test', apiVersion: '1' },
    success: [{ reply: { status: [200], fields: [{ path: 'noted', exists: true }] } }],
    policy: { approval: { when: 'always' } },
  },
};
const agent = {
  name: 'First',
  prompt: 'When asked to note something, call the tool note once.',
  model: { provider: 'bedrock', model: 'eu.amazon.nova-lite-v1:0' },
  tools: [{ name: 'note' }],
};

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
  const file = (name: string, content: object) =>
    writeFile(join(folder, name), JSON.stringify(content));
  await file('note.json', tool);
  await file('first.json', agent);
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
  await file('list.json', []);
  for (const wrong of [
    ['tool', 'missing.json'],
    ['tool', 'list.json'],
    ['routine', 'note.json'],
  ])
    expect((await as('ana', ...wrong)).code, wrong.join(' ')).toBe(2);
});
