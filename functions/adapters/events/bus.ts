// Outward events on an EventBridge bus, each a CloudEvent in `detail`, at least once, told apart by conversation and number.
// Owns: their outward form. Laws: L18 (ids and facts, no texts and no arguments).
// Tested in test/adversary/dead-rounds.test.ts.
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Notice } from '../../core/answers/answerer.ts';
import type { EventBody } from '../../core/records/event.ts';
import type { Bus } from '../../ports/machine.ts';
import type { Measures } from '../../ports/measures.ts';

interface Parts {
  readonly client: EventBridgeClient;
  readonly busName: string;
  readonly measures: Measures;
}

/** PutEvents takes this many. */
const entriesMax = 10;

const dataOf = (body: EventBody): object => {
  const { type: _type, ...data } = body;
  return data;
};

const notifyOf = (notice: Notice | undefined): object =>
  notice === undefined ? {} : { notify: notice };

export const busFrom = ({ client, busName, measures }: Parts): Bus => ({
  put: async (outbox, notices) => {
    const entries = outbox.events.map(({ number, body }) => ({
      EventBusName: busName,
      Source: 'reprise',
      DetailType: body.type,
      Time: new Date(outbox.at),
      Detail: JSON.stringify({
        specversion: '1.0',
        id: `${outbox.conversationId}/${number}`,
        source: `/workspaces/${outbox.workspace}/conversations/${outbox.conversationId}`,
        type: body.type,
        time: outbox.at,
        datacontenttype: 'application/json',
        data: { ...dataOf(body), ...notifyOf(notices.get(number)) },
      }),
    }));
    for (let from = 0; from < entries.length; from += entriesMax) {
      const answer = await client.send(
        new PutEventsCommand({ Entries: entries.slice(from, from + entriesMax) }),
      );
      const failed = (answer.Entries ?? []).filter(({ ErrorCode }) => ErrorCode !== undefined);
      if (failed.length === 0) continue;
      measures.put({ busEntriesRefused: failed.length });
      throw new Error(
        `The bus did not take ${failed.length} of ${entries.length} events (${failed[0]?.ErrorCode}).`,
      );
    }
  },
});
