// Lists of a workspace whose items are as large as they may be come in pages that Lambda can carry (6 MB), each item once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SkillContent } from '../../../../functions/core/answers/skill.ts';
import { ActionId, AgentId, RequestId, RoutineId } from '../../../../functions/core/base/ids.ts';
import { Routine } from '../../../../functions/core/records/routine.ts';
import { ToolVersion } from '../../../../functions/core/registry/tool.ts';
import {
  actionWith,
  agentId,
  conversationId,
  isoAt,
  nowIso,
  nowMs,
  runId,
  workspace,
} from '../../../core/samples.ts';
import { agentOf } from '../../../fakes/items.ts';
import { toolsOf } from '../../../sim/contracts.ts';
import { openRig, type Rig } from '../rig.ts';

/** What Lambda answers at most. */
const lambdaBytes = 6 * 1024 * 1024;
const large = (characters: number): string => '漢'.repeat(characters);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const suffix = (number: number): string => String(number).padStart(26, '0');
const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

/** Every page of a list, the largest that may be asked for. */
const all = async (path: string, query: { readonly [name: string]: string } = {}) => {
  const items: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const reply = await rig.call({ path, query: { ...query, ...(cursor && { cursor }) } });
    expect(reply.status, reply.text.slice(0, 500)).toBe(200);
    expect(Buffer.byteLength(reply.text)).toBeLessThan(lambdaBytes);
    items.push(...(reply.body.items as Record<string, unknown>[]));
    if (typeof reply.body.next !== 'string') {
      expect(pages).toBeGreaterThan(1);
      return items;
    }
    cursor = reply.body.next;
  }
};

const withPrompt = (id: string, revision = 1) => {
  const agent = agentOf(workspace, id, []);
  const configuration = { ...agent.configuration, prompt: large(100_000) };
  return { ...agent, revision, configuration };
};

test('agents', async () => {
  const ids = numbers(22).map((number) => AgentId.parse(`agt_${suffix(100 + number)}`));
  for (const id of ids) await rig.world.registry.putAgent(withPrompt(id));
  expect((await all('/v1/agents')).map((item) => item.agentId)).toEqual(ids);
});

test('revisions of an agent, newest first', async () => {
  for (const revision of numbers(22))
    await rig.world.registry.putAgent(withPrompt(agentId, revision));
  const items = await all(`/v1/agents/${agentId}/revisions`);
  expect(items.map(({ revision }) => revision)).toEqual(numbers(22).reverse());
});

test('skills', async () => {
  const names = numbers(45).map((number) => `skill-${suffix(number)}`);
  for (const name of names)
    await rig.world.registry.putSkill({
      schema: 1,
      workspace,
      version: 1,
      content: { name, description: name, instructions: large(50_000), tools: [] },
      createdAt: nowIso,
      createdBy: 'ana',
    });
  const items = await all('/v1/skills');
  expect(items.map(({ content }) => SkillContent.parse(content).name)).toEqual(names);
});

test('tools', async () => {
  const names = numbers(45).map((number) => `tool_${suffix(number)}`);
  for (const name of names) {
    const [tool] = toolsOf(name, 'none') as [ToolVersion];
    const schema = { type: 'object', description: large(50_000) };
    const registration = { ...tool.registration, arguments: schema };
    await rig.world.registry.putTool({ ...tool, workspace, registration });
  }
  const items = await all('/v1/tools');
  expect(items.map((item) => ToolVersion.parse(item).registration.name)).toEqual(names);
});

test('actions of the workspace, newest first', async () => {
  const ids = numbers(100).map((number) => ActionId.parse(`act_${suffix(number)}`));
  rig.putMany(
    'action',
    ids.map((id, number) =>
      actionWith({
        actionId: id,
        plannedAt: isoAt(nowMs + number),
        arguments: { name: 'x'.repeat(70_000) },
      }),
    ),
  );
  const items = await all('/v1/actions', { limit: '100' });
  expect(items.map((item) => item.actionId)).toEqual(ids.reverse());
});

test('routines, newest first', async () => {
  const ids = numbers(24).map((number) => RoutineId.parse(`rtn_${suffix(number)}`));
  rig.putMany(
    'routine-clock',
    ids.map((routineId) => ({
      schema: 1,
      workspace,
      routineId,
      coveredMs: nowMs,
      wanted: 1,
      applied: 1,
    })),
  );
  rig.putMany(
    'routine',
    ids.map((routineId, number) =>
      Routine.parse({
        schema: 1,
        workspace,
        routineId,
        name: 'Daily',
        agentId,
        message: large(90_000),
        schedule: 'rate(1 day)',
        zone: 'Europe/Paris',
        state: 'paused',
        anchorMs: nowMs,
        createdAt: isoAt(nowMs + number),
        createdBy: ana,
        changedAt: nowIso,
        changedBy: ana,
      }),
    ),
  );
  const items = await all('/v1/routines', { limit: '100' });
  expect(items.map(({ routineId }) => routineId)).toEqual(ids.reverse());
});

test.each(['newest', 'oldest'])('the inbox, %s first', async (order) => {
  const ids = numbers(60).map((number) => RequestId.parse(`req_${suffix(number)}`));
  rig.putMany('action', [actionWith()]);
  rig.putMany(
    'request',
    ids.map((requestId, number) => ({
      schema: 1,
      workspace,
      requestId,
      conversationId,
      runId,
      actionId: actionWith().actionId,
      openedAt: isoAt(nowMs + number),
      expiresAtMs: rig.now() + 86_400_000,
      on: 'question' as const,
      message: large(40_000),
      form: { type: 'object' as const, properties: { answer: { type: 'string' as const } } },
      onExpiry: 'continue' as const,
    })),
  );
  const items = await all('/v1/requests', { limit: '100', order });
  const shown = items.map(({ requestId }) => requestId);
  expect(shown).toEqual(order === 'oldest' ? ids : ids.toReversed());
});

test('a cursor that names nothing of the list is told so', async () => {
  const forged = { v: 1, list: 'agents', of: workspace, at: 'nobody' };
  const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
  const reply = await rig.call({ path: '/v1/agents', query: { cursor } });
  expect(reply.status).toBe(400);
  expect(reply.body.type).toContain('bad-cursor');
});
