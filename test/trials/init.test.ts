// `reprise trials init` on a registration of one's own: what it asks for is what the trials then take.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subjectFrom } from '../../cli/trials/subject.ts';
import { reprise } from '../cli/command-line.ts';
import { storeExhibit, toolFile } from './store.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reprise-trials-init-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const initFrom = async (answers: readonly string[]) => {
  const { tool, reads } = toolFile('http://127.0.0.1:9', { lookUp: undefined });
  const file = join(dir, 'registrations.json');
  const out = join(dir, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify([tool, ...reads]));
  const input = answers.map((line) => `${line}\n`).join('');
  const ran = await reprise(['trials', 'init', file, '--out', out], { input });
  return { ...ran, out, said: ran.out };
};

const subjectIn = (file: string) =>
  subjectFrom({ tool: file, environment: 'sandbox', secrets: { 'store-token': 'x' } });

test('what is answered is written, and the trials take it', async () => {
  const { hits, match } = storeExhibit;
  const refused = [{ name: '', size: 1 }];
  const own = { name: 'Mine {{unique}}', size: 2 };
  const exhibit = [storeExhibit.tool, hits, JSON.stringify(match)];
  const ran = await initFrom([JSON.stringify(own), '', JSON.stringify(refused), ...exhibit]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.said).toContain('--environment sandbox --secret-env store-token=VARIABLE');
  expect(await subjectIn(ran.out)).toMatchObject({
    arguments: own,
    refusedArguments: refused,
    exhibit: { tool: storeExhibit.tool, hits, match },
  });
});

test('empty lines keep what is proposed from the schema', async () => {
  const ran = await initFrom([]);
  expect(ran.code, ran.err).toBe(0);
  const subject = await subjectIn(ran.out);
  expect(subject).toMatchObject({ arguments: { name: 'Trial {{unique}}', size: 1 } });
  expect(subject.exhibit).toBeUndefined();
});

test('what is no JSON is refused, and nothing is written', async () => {
  const ran = await initFrom(['name: Mine']);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('name: Mine');
  await expect(readFile(ran.out)).rejects.toThrow('ENOENT');
});
