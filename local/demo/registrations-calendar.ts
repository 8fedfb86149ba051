// The calendar's tools as registered in Reprise. The server ignores keys, so nothing here may ever be repeated by itself;
// a search by time and title is natural evidence, which only a person may weigh.
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';
import { demoDestination, demoHeaders, ours, ownReply, text } from './registration-parts.ts';

const time = (description: string) => ({
  type: 'string' as const,
  format: 'date-time',
  description,
});

const eventArguments = {
  type: 'object' as const,
  properties: {
    title: text('What the event is about', 200),
    starts_at: time('Start, ISO 8601 with offset'),
    ends_at: time('End, ISO 8601 with offset'),
    attendees: { type: 'array', maxItems: 50, items: { type: 'string', format: 'email' } },
  },
  required: ['title', 'starts_at'],
  additionalProperties: false,
};

const mcp = (url: string, tool: string) => ({
  kind: 'mcp' as const,
  url: `${url}/mcp`,
  tool,
  headers: demoHeaders,
});

const eventWrite = (url: string, name: string, description: string): ToolRegistrationInput => ({
  name,
  description,
  arguments: eventArguments,
  transport: mcp(url, name),
  contract: {
    effect: 'write',
    operations: [`tools/call ${name}`],
    destination: demoDestination('demo-calendar'),
    success: [
      {
        reply: ownReply([200], 'structuredContent.event.id', 'structuredContent.'),
        reference: 'structuredContent.event.id',
      },
    ],
    lookUp: {
      tool: 'calendar_list_events',
      arguments: { from: '$args.starts_at' },
      by: 'natural',
      hits: 'structuredContent.events',
      found: ownReply([200], 'structuredContent.events.0.id', 'structuredContent.'),
      absent: {
        status: [200],
        fields: [...ours('structuredContent.'), { path: 'structuredContent.events', equals: [] }],
      },
      compare: { title: 'title', starts_at: 'starts_at' },
      reference: 'id',
      coverage: {
        account: 'demo-account',
        environment: 'test',
        archived: true,
        readRights: 'all events of the account',
        period: 'from the start of the event on',
        complete: false,
      },
      settleMs: 1_000,
    },
    likeness: ['title', 'starts_at'],
  },
});

export const calendarTools = (url: string): ToolRegistrationInput[] => [
  {
    name: 'calendar_list_events',
    description: 'Lists the events of the sales calendar that start from one time until another.',
    arguments: {
      type: 'object',
      properties: {
        from: time('First start, ISO 8601'),
        until: time('Before this start, ISO 8601'),
      },
      additionalProperties: false,
    },
    transport: mcp(url, 'calendar_list_events'),
    contract: { effect: 'read', destination: demoDestination('demo-calendar') },
  },
  eventWrite(url, 'calendar_create_event', 'Creates an event in the sales calendar.'),
  eventWrite(
    url,
    'calendar_book_room',
    'Creates an event with a room; the calendar asks which kind of room before it books.',
  ),
];
