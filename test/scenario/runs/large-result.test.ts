// S55: a result that is larger than what one model call can hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { demoDestination, demoHeaders, object } from '../../../local/demo/registration-parts.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';

const bytes = 2 * 1024 * 1024;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    tools: (url) => [
      {
        name: 'export',
        description: 'Exports.',
        arguments: object({ bytes: { type: 'integer', minimum: 0 } }),
        transport: {
          kind: 'http',
          method: 'GET',
          url: `${url}/crm/export`,
          query: { bytes: '{{args.bytes}}' },
          headers: demoHeaders,
        },
        contract: { effect: 'read', destination: demoDestination('demo-crm'), preset: 'http' },
      },
    ],
    scripts: {
      export: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [{ name: 'export', arguments: { bytes } }] },
              { say: '{{result.last}}' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

test('L16 S55 a result of 2 MB is cut for the model, which is told so, and whole for people', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await rig.agent('export', { tools: ['export'] }), 'Export.');
  await finished(client, runId);
  const [action] = await client.actions(runId);
  const told = action?.told;
  expect(told?.status).toBe('success');
  expect(told?.text.length).toBeLessThan(40_000);
  expect(told?.text).toContain('[Cut here:');
  expect((await client.steps(runId)).at(-1)?.text).toContain('[Cut here:');
  expect(told?.blob?.bytes).toBeGreaterThan(bytes);
  let whole = '';
  for (let next: number | undefined = 0; next !== undefined; ) {
    const slice: Awaited<ReturnType<typeof client.result>> = await client.result(
      action?.actionId ?? '',
      next,
    );
    expect(slice.bytes).toBe(told?.blob?.bytes);
    whole += slice.text;
    next = slice.next;
  }
  const { text } = z.object({ text: z.string() }).parse(JSON.parse(whole));
  expect(text.length).toBe(bytes);
  expect(text.startsWith('customer;city\n')).toBe(true);
});
