// Marking calls as faulty from the command line, against the API itself on loopback: what it says, and its exit codes.
import type { Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../../functions/core/base/ids.ts';
import { mixedStep } from '../../functions/api/problems/fault-cases.ts';
import { openRig, type PersonName, type Rig } from '../../functions/api/rig.ts';
import { begin, startRun } from '../../functions/api/story.ts';
import { serve } from '../api-on-loopback.ts';
import { reprise } from '../command-line.ts';

let rig: Rig;
let server: Server;
let url: string;
let runId: RunId;
let actionId: string;
beforeEach(async () => {
  rig = await openRig();
  ({ server, url } = await serve(rig));
  const begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
  ({ actionId } = await mixedStep(rig, runId));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rig.close();
});

const as = (person: PersonName, ...args: readonly string[]) =>
  reprise([...args, '--url', url], { env: { REPRISE_TOKEN: person } });
const mark = (...args: readonly string[]) => as('ben', 'runs', 'mark', runId, ...args);

test('a call is marked by its place or its id, listed for run and agent, and taken back', async () => {
  const first = await mark('--call', '1.1', '--note', 'There is no such tool.', '--json');
  expect(first.code, first.err).toBe(0);
  const made: unknown = JSON.parse(first.out);
  expect(made).toMatchObject({ step: 1, call: 0, note: 'There is no such tool.' });
  const second = await mark('--call', actionId, '--note', 'Ask first.', '--kind', 'too_early');
  expect(second.out).toMatch(/1\.2 +note +too_early +Ben +\S+ +Ask first\./);

  const ofRun = await as('vera', 'runs', 'marks', runId);
  expect(ofRun.out).toContain('There is no such tool.');
  const ofAgent = await as('vera', 'runs', 'marks', '--agent', 'Helper', '--json');
  expect(JSON.parse(ofAgent.out)).toMatchObject({ items: [{ revision: 1 }, { revision: 1 }] });

  const markId = String(Reflect.get(Object(made), 'markId'));
  const foreign = await as('robot', 'runs', 'unmark', runId, markId);
  expect(foreign).toMatchObject({ code: 1, out: '' });
  expect(foreign.err).toContain('fault-mark-of-another');
  expect((await as('ben', 'runs', 'unmark', runId, markId, '--erase')).code).toBe(0);
  expect((await as('vera', 'runs', 'marks', runId)).out).not.toContain('no such tool');
});

test('what cannot be marked is told before or by the API, with its exit code', async () => {
  const note = ['--note', 'Wrong.'];
  const wrong = await Promise.all([
    mark(...note),
    mark('--call', '1.1'),
    mark('--call', '1.1', ...note, '--kind', 'to_early'),
    mark('--call', `act_${'0'.repeat(26)}`, ...note),
    as('ben', 'runs', 'marks'),
  ]);
  expect(wrong.map(({ code, out }) => ({ code, out }))).toEqual(
    wrong.map(() => ({ code: 2, out: '' })),
  );
  expect(wrong[2]?.err).toContain('too_early');
  expect(wrong[3]?.err).toContain('reprise runs show');
  const absent = await mark('--call', '1.99', ...note, '--lang', 'fr');
  expect(absent.code).toBe(1);
  expect(absent.err).toContain('no-such-call');
  expect(absent.err).toContain('n’a pas d’appel 1.99');
  expect(absent.err).not.toContain('0 ');
  expect((await as('vera', 'runs', 'mark', runId, '--call', '1.1', ...note)).code).toBe(1);
  expect((await as('stranger', 'runs', 'marks', runId)).err).toContain('not-found');
});
