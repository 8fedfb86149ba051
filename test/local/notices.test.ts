// Notifications and figures on one machine: what the stack's topic and CloudWatch would show.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, twinForTest } from './twin-for-tests.ts';

const Shown = z.object({
  notifications: z.array(z.object({ at: z.iso.datetime(), event: z.looseObject({}) })),
  figures: z.record(z.string(), z.number()),
});

test('an opened request is told to people, other events are not, and the sweep reports its figures', async () => {
  const twin = await twinForTest();
  const bus = new EventBridgeClient({ ...twin.substrate('publish').aws('eventbridge') });
  const entry = (DetailType: string) => ({
    EventBusName: 'reprise',
    Source: 'reprise',
    DetailType,
    Detail: JSON.stringify({ type: DetailType, data: { requestId: 'req_1' } }),
  });
  await bus.send(
    new PutEventsCommand({ Entries: [entry('run.started'), entry('request.opened')] }),
  );
  await eventually(() => twin.notices().notifications.length > 0);
  await twin.invoke('sweep', {});
  const answer = await fetch(`${twin.url}/twin/notices`);
  const { notifications, figures } = Shown.parse(await answer.json());
  expect(notifications.map(({ event }) => event['detail-type'])).toEqual(['request.opened']);
  expect(figures).toEqual({
    undetermined: 0,
    undeterminedOldestMs: 0,
    outboxOldestMs: 0,
    runsWaitingOnNobody: 0,
    sweepPartsFailed: 0,
  });
  bus.destroy();
});
