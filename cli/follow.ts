// Following a run: its state in words, its events as they come, and the exit code that its state means.
// Owns: those words. A run that waits for a person ends what follows it with exit code 3.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Client } from './client.ts';
import { type ExitCode, exitCodes, type Place } from './command.ts';
import type { Say } from './speech.ts';
import { cut } from './table.ts';

export const State = z.looseObject({
  status: z.string(),
  reason: z.string().optional(),
  detail: z.string().optional(),
  blocking: z.array(z.looseObject({ on: z.string(), requestId: z.string() })).optional(),
});
export const Run = z.looseObject({
  runId: z.string(),
  conversationId: z.string(),
  state: State,
  steps: z.looseObject({ taken: z.number(), limit: z.number() }),
  startedAt: z.string(),
  executions: z
    .array(z.looseObject({ name: z.string(), trace: z.string().optional() }))
    .default([]),
});
export type Run = z.infer<typeof Run>;
const Event = z.looseObject({
  number: z.number(),
  at: z.string(),
  body: z.looseObject({
    type: z.string(),
    runId: z.string().optional(),
    messageId: z.string().optional(),
  }),
});
type Event = z.infer<typeof Event>;
const EventPage = z.looseObject({ events: z.array(Event), next: z.number() });

export const stateWords = ({ status, reason, blocking }: Run['state']): string =>
  [status, reason, blocking?.map(({ on }) => on).join(', ')].filter(Boolean).join(': ');

export const codeFor = ({ state }: Run): ExitCode => {
  if (state.status === 'waiting') return exitCodes.needsPerson;
  return state.status === 'finished' && state.reason === 'failed' ? exitCodes.failed : exitCodes.ok;
};

export const nextLine = (run: Run, say: Say): string | undefined => {
  const [first] = run.state.blocking ?? [];
  if (first === undefined) return undefined;
  const commands: { readonly [on: string]: string } = {
    approval: `reprise requests show ${first.requestId}`,
    question: `reprise answer ${first.requestId}`,
    skill: `reprise requests show ${first.requestId}`,
    recovery: 'reprise desk list',
  };
  return say(
    `It waits for a person. Next: ${commands[first.on]}`,
    `Une personne est attendue. Ensuite : ${commands[first.on]}`,
  );
};

const eventWords = ({ body }: Event): string => {
  const { type, ...rest } = body;
  const told = Object.entries(rest)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}=${String(value)}`);
  return cut(`${type} ${told.join(' ')}`, 200);
};

/**
 * Of a conversation's events, those of one run; without a run, all. A message names no run when it is received: it is held
 * back until a run begins with it or takes it.
 */
export const eventsOf = (
  runId: string | undefined,
): ((events: readonly Event[]) => readonly Event[]) => {
  if (runId === undefined) return (events) => events;
  const received = new Map<string, Event>();
  return (events) =>
    events.flatMap((event) => {
      const { type, messageId = '' } = event.body;
      if (type === 'message.received') received.set(messageId, event);
      if (event.body.runId !== runId) return [];
      // Told once, before the first event that says which run it came to.
      const said = received.get(messageId);
      received.delete(messageId);
      return said === undefined ? [event] : [said, event];
    });
};

const everyMs = 400;

/** Prints events until the run rests (or, without one, for ever). */
export const follow = async (
  api: Client,
  place: Place,
  from: { readonly conversationId: string; readonly after: number; readonly runId?: string },
): Promise<ExitCode> => {
  let { after } = from;
  const mine = eventsOf(from.runId);
  for (;;) {
    const path = `/v1/conversations/${from.conversationId}/events?after=${after}`;
    const { events, next } = await api.get(EventPage, path);
    for (const event of mine(events))
      place.out(
        place.json
          ? JSON.stringify(event)
          : `${String(event.number).padStart(4)}  ${event.at}  ${eventWords(event)}`,
      );
    after = next;
    if (events.length > 0) continue;
    if (from.runId !== undefined) {
      const run = await api.get(Run, `/v1/runs/${from.runId}`);
      if (run.state.status === 'finished' || run.state.status === 'waiting') {
        const line = nextLine(run, place.say);
        if (line !== undefined) place.tell(line);
        return codeFor(run);
      }
    }
    await pause(everyMs);
  }
};
