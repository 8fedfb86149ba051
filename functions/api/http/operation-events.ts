// The one operation that streams: how it is documented. It is served by the stream function, not by the application.
// Tested in test/functions/api/http/openapi.test.ts.

import type { z } from 'zod';
import { StoredEvent } from '../../core/records/event.ts';
import { access } from '../identity/access.ts';
import type { ProblemSlug } from '../problems/words.ts';
import { EventPage, Snapshot } from '../schemas/schemas.ts';

type JsonSchema = Record<string, unknown>;
type SchemaOf = (schema: z.ZodType, direction: 'output') => JsonSchema;
type ResponsesOf = (slugs: readonly ProblemSlug[]) => { [status: string]: JsonSchema };

const description = `With \`Accept: text/event-stream\` a stream that stays open across runs: one event per line group, \`id\` its
number, \`event\` its type, \`data\` the event (schema \`Event\`). A reader that names no position gets a first event \`snapshot\`
(schema \`Snapshot\`), then the events after it. A reader that names one (\`Last-Event-ID\`, or \`after\`; 0 is the beginning) gets
every later event once, in order, without a snapshot; one whose number is beyond the last event gets a snapshot too, and, for a
page of JSON, is told so (400). A comment comes every 15 seconds. The stream ends by itself before the
gateway's limit: connect again with the last id. Otherwise, and while streams are at their cap, a page of JSON.

Needs the role "${access.readEvents}".`;

const position = (name: string, place: 'query' | 'header'): JsonSchema => ({
  name,
  in: place,
  required: false,
  description: 'Number of the last event seen.',
  schema: { type: 'integer', minimum: 0 },
});

export const eventsOperation = {
  path: '/v1/conversations/{conversationId}/events',
  documented: (schemaOf: SchemaOf, responsesOf: ResponsesOf): JsonSchema => ({
    operationId: 'readEvents',
    summary: 'Live events of a conversation',
    description,
    tags: ['conversations'],
    parameters: [
      { name: 'conversationId', in: 'path', required: true, schema: { type: 'string' } },
      position('after', 'query'),
      position('Last-Event-ID', 'header'),
    ],
    responses: {
      '200': {
        description: 'The events.',
        content: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description: 'Server-sent events; each `data` is one of these.',
              anyOf: [schemaOf(Snapshot, 'output'), schemaOf(StoredEvent, 'output')],
            },
          },
          'application/json': { schema: schemaOf(EventPage, 'output') },
        },
      },
      ...responsesOf(['unauthenticated', 'forbidden', 'not-found', 'invalid-query', 'internal']),
    },
  }),
} as const;
