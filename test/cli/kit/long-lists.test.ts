// Long lists from the command line, against the API itself on loopback: how many actions the desk has, and an audit that goes on
// until it has found what it was asked for.
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { clientOf } from '../../../cli/kit/client.ts';
import { ActionId, DecisionId, MessageId } from '../../../functions/core/base/ids.ts';
import { noUsage } from '../../../functions/core/records/run.ts';
import {
  actionWith,
  agentId,
  conversationId,
  isoAt,
  nowIso,
  runId,
  runWith,
  undetermined,
  workspace,
} from '../../core/samples.ts';
import { agentOf, conversationOf } from '../../fakes/items.ts';
import { openRig, type PersonName, type Rig } from '../../functions/api/rig.ts';
import { serve } from '../api-on-loopback.ts';
import { reprise } from '../command-line.ts';

let rig: Rig;
let server: Server;
let url: string;
beforeAll(async () => {
  rig = await openRig();
  ({ server, url } = await serve(rig));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rig.close();
});

const as = (person: PersonName, ...args: readonly string[]) =>
  reprise([...args, '--url', url], { env: { REPRISE_TOKEN: person } });
const suffix = (number: number): string => String(number).padStart(26, '0');
const actionIdOf = (number: number) => ActionId.parse(`act_${suffix(number)}`);

const lose = (from: number, to: number): void =>
  rig.putMany(
    'action',
    Array.from({ length: to - from }, (_, number) =>
      undetermined({ actionId: actionIdOf(from + number), effect: 'undetermined' }),
    ),
  );

test('the desk says how many actions it has, and at least how many where they are not all counted', async () => {
  lose(0, 1);
  const [one, french] = await Promise.all([
    as('rob', 'desk', 'list'),
    as('rob', 'desk', 'list', '--lang', 'fr'),
  ]);
  expect(one.err).toBe('1 action, 1 undetermined.\n');
  expect(french.err).toBe('1 action, dont 1 indéterminée.\n');
  lose(1, 2_001);
  const [many, data] = await Promise.all([
    as('rob', 'desk', 'list', '--lang', 'fr'),
    as('rob', 'desk', 'list', '--tool', 'nothing', '--json'),
  ]);
  expect(many.err).toBe('Au moins 2000 actions, dont 2000 indéterminées.\n');
  expect(many.out.split('\n').length).toBeGreaterThan(1_000);
  expect(JSON.parse(data.out)).toEqual({
    items: [],
    counted: { total: 0, undetermined: 0, more: true },
  });
}, 60_000);

test('the audit goes on through thousands of decisions to the few it was asked for', async () => {
  const beganMs = rig.now() - 86_400_000;
  rig.putMany(
    'decision',
    Array.from({ length: 3_000 }, (_, number) => ({
      schema: 1 as const,
      workspace,
      actionId: actionIdOf(number),
      decisionId: DecisionId.parse(`dec_${suffix(number)}`),
      entry: 5,
      kind: 'abandon' as const,
      reason: `Number ${number}.`,
      by: { kind: 'person' as const, subject: number < 3 ? 'ben' : 'rob', name: 'Somebody' },
      at: isoAt(beganMs + number * 1_000),
      fence: 1,
      seenHead: 4,
    })),
  );
  const [all, first] = await Promise.all([
    as('ana', 'audit', '--by', 'ben', '--json'),
    as('ana', 'audit', '--by', 'ben', '--limit', '2'),
  ]);
  const { items } = JSON.parse(all.out) as { items: { reason: string }[] };
  expect(items.map(({ reason }) => reason)).toEqual(['Number 2.', 'Number 1.', 'Number 0.']);
  expect(first.out).toContain('Number 2.');
  expect(first.out).not.toContain('Number 0.');
}, 60_000);

const runSteps = 230;

test('a run of more steps than one answer has is shown with all of its actions', async () => {
  const idOf = (step: number) => actionIdOf(500_000 + step);
  const steps = Array.from({ length: runSteps }, (_, at) => at + 1);
  await rig.world.registry.putAgent(agentOf(workspace, agentId, []));
  rig.putMany('run', [runWith({ step: runSteps })]);
  rig.putMany(
    'action',
    steps.map((step) => actionWith({ actionId: idOf(step), step })),
  );
  rig.putMany(
    'step',
    steps.map((step) => ({
      schema: 1 as const,
      runId,
      step,
      attempt: 'one',
      text: '',
      calls: [{ kind: 'action' as const, actionId: idOf(step), name: 'write', arguments: {} }],
      took: [],
      results: [],
      usage: { ...noUsage, callId: 'call', model: 'scripted' },
      at: nowIso,
    })),
  );
  const shown = JSON.parse((await as('vera', 'runs', 'show', runId, '--json')).out);
  expect(shown.actions.map(({ step }: { step: number }) => step)).toEqual(steps);
});

test('a conversation of more messages than one answer has is read whole', async () => {
  rig.putMany('conversation', [conversationOf(workspace, conversationId, agentId)]);
  const numbers = Array.from({ length: 40 }, (_, at) => at + 1);
  rig.putMany(
    'message',
    numbers.map((number) => ({
      schema: 1,
      workspace,
      conversationId,
      messageId: MessageId.parse(`msg_${suffix(number)}`),
      number,
      text: '漢'.repeat(90_000),
      author: { kind: 'person', subject: 'ben', name: 'Ben' },
      at: nowIso,
      fate: { fate: 'taken', runId, step: 1 },
    })),
  );
  const api = clientOf({ url, token: 'vera', language: 'en' });
  const path = `/v1/conversations/${conversationId}/messages`;
  const read = await api.all(z.looseObject({ number: z.number() }), path);
  expect(read.map(({ number }) => number)).toEqual(numbers);
});
