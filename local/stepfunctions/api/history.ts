// GetExecutionHistory. Owns: paging in both directions, and leaving data out when asked to.
import { z } from 'zod';
import { isObject } from '../json.ts';
import { eventsMax, type HistoryEvent } from '../run/events.ts';
import { mustFind } from './executions.ts';
import type { ApiParts, Operations } from './parts.ts';
import {
  arn,
  compact,
  nextToken,
  pageSize,
  positionIn,
  readBody,
  seconds,
  tokenOf,
} from './protocol.ts';

const schema = z.object({
  executionArn: arn,
  maxResults: pageSize(100),
  reverseOrder: z.boolean().default(false),
  includeExecutionData: z.boolean().default(true),
  nextToken,
});

/** Members that hold what the execution works on. */
const dataMembers = new Set(['input', 'output', 'parameters', 'assignedVariables']);

const withoutData = (details: HistoryEvent['details']): object =>
  Object.fromEntries(
    Object.entries(details).map(([member, value]) => [
      member,
      isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !dataMembers.has(name)))
        : value,
    ]),
  );

const shown = (event: HistoryEvent, withData: boolean): object => ({
  timestamp: seconds(event.atMs),
  type: event.type,
  id: event.id,
  previousEventId: event.previousEventId,
  ...(withData ? event.details : withoutData(event.details)),
});

const history = (parts: ApiParts, body: unknown): object => {
  const given = readBody(schema, body);
  const { no } = mustFind(parts, given.executionArn);
  const { maxResults, reverseOrder } = given;
  const lastId = parts.store.lastEventId(no);
  const from = Number(positionIn(given.nextToken, String(reverseOrder ? lastId : 1)));
  const events = reverseOrder
    ? parts.store.events(no, Math.max(1, from - maxResults + 1), from).reverse()
    : parts.store.events(no, from, Math.min(eventsMax, from + maxResults - 1));
  const next = reverseOrder ? from - maxResults : from + maxResults;
  const isMore = reverseOrder ? next >= 1 : next <= lastId;
  return compact({
    events: events.map((event) => shown(event, given.includeExecutionData)),
    nextToken: isMore ? tokenOf(next) : undefined,
  });
};

export const historyOperations: Operations = {
  GetExecutionHistory: history,
};
