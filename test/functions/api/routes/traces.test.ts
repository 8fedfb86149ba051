// Where the trace of an execution is shown: the console's address or the twin's own page, by configuration alone.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tracesFrom } from '../../../../functions/adapters/stepfunctions/trace.ts';
import { RunView } from '../../../../functions/api/schemas/schemas.ts';
import { recoveryViews } from '../../../../functions/api/schemas/views.ts';
import { ActionId } from '../../../../functions/core/base/ids.ts';
import type { Action } from '../../../../functions/core/records/action.ts';
import { environmentNames } from '../../../../functions/manifest.ts';
import { consoleTraceAddress, twinTraceAddress } from '../../../../functions/trace-addresses.ts';
import { startTwin, type Twin } from '../../../../local/twin.ts';
import { agentConfiguration } from '../story.ts';

const machineIn = (partition: string, region: string, name: string): string =>
  `arn:${partition}:states:${region}:123456789012:stateMachine:Reprise-${name}:live`;
const tracesIn = (partition: string, region: string, template: string | undefined) =>
  tracesFrom({
    template,
    runMachineArn: machineIn(partition, region, 'run'),
    recoverMachineArn: machineIn(partition, region, 'recover'),
  });

describe('addresses', () => {
  test.each([
    ['aws', 'eu-west-3', 'eu-west-3.console.aws.amazon.com'],
    ['aws-cn', 'cn-north-1', 'cn-north-1.console.amazonaws.cn'],
    ['aws-us-gov', 'us-gov-west-1', 'us-gov-west-1.console.amazonaws-us-gov.com'],
  ])('%s in %s: the console of that partition and region', (partition, region, host) => {
    const traces = tracesIn(partition, region, consoleTraceAddress);
    const arn = `arn:${partition}:states:${region}:123456789012:execution:Reprise`;
    const place = `https://${host}/states/home?region=${region}#/v2/executions/details`;
    expect(traces.run('run_1-s2')).toBe(`${place}/${arn}-run:run_1-s2`);
    expect(traces.recovery('act_1-r3')).toBe(`${place}/${arn}-recover:act_1-r3`);
  });

  test('no partition without a known console, and no missing template, names a wrong address', () => {
    expect(tracesIn('aws-iso', 'us-iso-east-1', consoleTraceAddress).run('run_1')).toBeUndefined();
    expect(tracesIn('aws', 'eu-west-3', undefined).run('run_1')).toBeUndefined();
    expect(tracesIn('aws', 'eu-west-3', '').recovery('act_1-r1')).toBeUndefined();
    expect(tracesIn('aws', 'eu-west-3', '/{other}').run('run_1')).toBeUndefined();
  });

  test('what is put into an address is escaped', () => {
    const shown = tracesIn('aws', 'eu-west-3', '/t/{execution}').run('a b/c?d#e');
    expect(shown).toMatch(/:a%20b%2Fc%3Fd%23e$/);
  });

  test('an action names every round of its recovery', () => {
    const actionId = ActionId.parse(`act_${'0'.repeat(26)}`);
    const recovered: Pick<Action, 'actionId' | 'round'> = { actionId, round: 2 };
    const traces = tracesIn('aws', 'eu-west-3', twinTraceAddress);
    expect(recoveryViews(recovered, traces)).toEqual([
      { name: `${actionId}-r1`, trace: traces.recovery(`${actionId}-r1`) },
      { name: `${actionId}-r2`, trace: traces.recovery(`${actionId}-r2`) },
    ]);
    expect(recoveryViews({ actionId, round: 0 }, traces)).toEqual([]);
  });
});

describe.each([
  ['by itself', {}, '/#/trace/arn:aws:states:us-east-1:000000000000:execution:reprise-run:'],
  [
    'with the setting of the stack',
    { [environmentNames.traceAddress]: consoleTraceAddress },
    'https://us-east-1.console.aws.amazon.com/states/home?region=us-east-1#/v2/executions/details/arn:aws:states:us-east-1:000000000000:execution:reprise-run:',
  ],
  [
    'without a Step Functions of its own to show',
    { [environmentNames.traceAddress]: '' },
    undefined,
  ],
])('the twin %s', (_, environment, before) => {
  let twin: Twin;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'reprise-traces-'));
    const options = { dataDir: folder, port: 0, synchronous: 'NORMAL', environment } as const;
    twin = await startTwin({ ...options, processEnvironment: {} });
  });
  afterAll(async () => {
    await twin.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (method: 'GET' | 'POST', address: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${twin.url}${address}`, {
      method,
      headers: {
        authorization: `Bearer ${await twin.token('ana')}`,
        'idempotency-key': crypto.randomUUID(),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };

  test('a run names the trace of its execution', async () => {
    const { agentId } = z
      .looseObject({ agentId: z.string() })
      .parse(await call('POST', '/v1/agents', { ...agentConfiguration, tools: [] }));
    const { conversationId } = z
      .looseObject({ conversationId: z.string() })
      .parse(await call('POST', '/v1/conversations', { agentId }));
    const { runId } = z
      .looseObject({ runId: z.string() })
      .parse(await call('POST', `/v1/conversations/${conversationId}/messages`, { text: 'Hello' }));
    const run = RunView.parse(await call('GET', `/v1/runs/${runId}`));
    const trace = before === undefined ? {} : { trace: `${before}${runId}` };
    expect(run.executions).toEqual([{ name: runId, ...trace }]);
  });
});
