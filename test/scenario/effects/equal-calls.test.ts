// Equal calls are two only if a person who saw both says so: of one step, however fast the first is over, with whatever makes
// them look alike, and what was unknown before is on view when first asked. Judged by the destination's own list. Laws: L16, L20.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script, ScriptedCall } from '../../../functions/adapters/model/script.ts';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund, toolsAt } from '../../rig/tools.ts';

const call = (name: string, amount_cents: number) => ({
  name,
  arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents },
});
const script = (...calls: ScriptedCall[]): Script => ({
  scenes: [{ when: {}, turns: [{ call: calls }, { say: 'It ended so: {{result.last}}' }] }],
});

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    tools: (url) =>
      toolsAt(url)
        .filter(({ name }) => name === 'create')
        .flatMap((tool) => [
          {
            ...tool,
            name: 'preset',
            contract: {
              effect: 'write' as const,
              destination: tool.contract.destination,
              preset: 'http' as const,
              timeoutMs: 1_500,
            },
          },
          {
            ...tool,
            name: 'guarded',
            contract: { ...tool.contract, policy: { approval: { when: 'always' as const } } },
          },
        ]),
    scripts: {
      two: script(call('preset', 100), call('preset', 100)),
      three: script(call('preset', 100), call('preset', 100), call('preset', 100)),
      likeness: script(call('create', 100), call('create', 200)),
      guarded: script(call('guarded', 100), call('guarded', 100)),
      unlike: script(call('preset', 100), call('preset', 200)),
      once: script(callCreate('{{message}}')),
      askedOnce: script(call('guarded', 100)),
      refund: script(callRefund('pay_1002', '{{message}}')),
    },
  });
});
afterAll(() => rig.close());

const landed = async (title: string): Promise<number> =>
  (await rig.destination.effects()).filter((one) => one.arguments.title === title).length;
const agentWith = (name: string) =>
  rig.agent(name, { tools: ['create', 'refund', 'preset', 'guarded'] });

test.each([
  ['two', 'Two'],
  ['likeness', 'Likeness'],
])(
  'L20 the second of %s is asked about with both on view, and not sent until then',
  async (name, title) => {
    const { client } = rig;
    const { runId } = await talk(client, await agentWith(name), title);
    const [request] = await waitingOn(client, runId, 'approval');
    const [first, second] = await client.actions(runId);
    expect(await landed(title)).toBe(1);
    const view = await client.request(request?.requestId ?? '');
    expect(view.action?.actionId).toBe(second?.actionId);
    expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([first?.actionId]);
    await approve(client, view.request.requestId);
    await finished(client, runId);
    expect(await landed(title)).toBe(2);
    expect((await client.actions(runId)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  },
);

test('L20 while the first is on its way, nothing is asked, and then once', async () => {
  const { client, destination } = rig;
  const title = 'Slow';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'delay',
    afterWriteMs: 700,
  });
  const { runId } = await talk(client, await agentWith('two'), title);
  const [request] = await waitingOn(client, runId, 'approval');
  expect(await landed(title)).toBe(1);
  await client.answer(request?.requestId ?? '', { kind: 'refuse', reason: 'One is enough.' });
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  expect(await landed(title)).toBe(1);
});

test('L20 three equal calls: the second and the third are asked about, the first alone is sent', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await agentWith('three'), 'Three');
  const requests = await waitingOn(client, runId, 'approval', 2);
  expect(await landed('Three')).toBe(1);
  const [first, second, third] = await client.actions(runId);
  const shown = await Promise.all(requests.map(({ requestId }) => client.request(requestId)));
  const alike = new Map(
    shown.map(({ action, lookAlikes }) => [
      action?.actionId,
      lookAlikes.map(({ actionId }) => actionId).toSorted(),
    ]),
  );
  expect(alike.get(second?.actionId)).toEqual([first?.actionId]);
  expect(alike.get(third?.actionId)).toEqual([first?.actionId, second?.actionId].toSorted());
  for (const { requestId } of requests)
    await client.answer(requestId, { kind: 'refuse', reason: 'One is enough.' });
  await finished(client, runId);
  expect(await landed('Three')).toBe(1);
});

test('L20 calls that do not look alike are not asked about', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await agentWith('unlike'), 'Unlike');
  await finished(client, runId);
  expect(await landed('Unlike')).toBe(2);
});

test('L20 two equal calls that the policy asks about: the second shows the first from the start, and each is approved once', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await agentWith('guarded'), 'Guarded');
  await waitingOn(client, runId, 'approval', 2);
  const [first, second] = await client.actions(runId);
  const view = await client.request(second?.requestId ?? '');
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([first?.actionId]);
  await approve(client, first?.requestId ?? '');
  await waitingOn(client, runId, 'approval');
  await approve(client, second?.requestId ?? '');
  await finished(client, runId);
  expect(await landed('Guarded')).toBe(2);
});

test('L20 a look-alike whose outcome is not known is on view when the policy first asks, and one approval is enough', async () => {
  const { client, destination } = rig;
  const title = 'Known before';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'drop_reply_after_write',
  });
  const before = await talk(client, await agentWith('askedOnce'), title);
  const [asked] = await waitingOn(client, before.runId, 'approval');
  await approve(client, asked?.requestId ?? '');
  await waitingOn(client, before.runId, 'recovery');
  const [unknown] = await client.actions(before.runId);
  const { runId } = await talk(client, await agentWith('askedOnce'), title);
  const [request] = await waitingOn(client, runId, 'approval');
  const view = await client.request(request?.requestId ?? '');
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([unknown?.actionId]);
  await approve(client, request?.requestId ?? '');
  await finished(client, runId);
  expect(await landed(title)).toBe(2);
  expect((await client.actions(runId)).map(({ requestId }) => requestId)).toEqual([
    request?.requestId,
  ]);
  await client.stop(before.runId);
});
