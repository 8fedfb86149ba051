// Following a run: its events as they come, the agent's answer as text, and what a person does next.
// Owns: the loop, which ends only when nothing of the run is left to show, and the words of events.
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { frenchOf } from '../../functions/core/french/said.ts';
import type { Client } from '../kit/client.ts';
import type { ExitCode, Place } from '../kit/command.ts';
import type { Language } from '../kit/speech.ts';
import { cut, plain, prose } from '../kit/table.ts';
import { codeFor, nextWords, Run, runWords } from '../words/run.ts';

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

/** Reasons are what the line is read for: they are never cut. Texts are: whole, they stand elsewhere. */
const reasons: ReadonlySet<string> = new Set(['because', 'detail', 'reason']);

/** The same on every line, or known to machines only: `--json` has them. */
const untold: ReadonlySet<string> = new Set(['runId', 'messageId', 'attempt', 'agentId']);

const eventWords = ({ body }: Event, language: Language): string => {
  const { type, ...rest } = body;
  const told = Object.entries(rest).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    if (untold.has(name) && !(type === 'run.started' && name === 'runId')) return [];
    const text = String(value);
    if (!reasons.has(name)) return [`${name}=${cut(text, 120)}`];
    return [`${name}=${plain(language === 'fr' ? frenchOf(text) : text)}`];
  });
  return `${type} ${told.join(' ')}`;
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

const Steps = z.looseObject({
  items: z.array(z.looseObject({ step: z.number(), text: z.string().optional() })),
});

/** What the agent said last, whole. Empty when it said nothing. */
const lastSaid = async (api: Client, { runId, steps }: Run): Promise<string> => {
  const path = `/v1/runs/${runId}/steps?afterStep=${Math.max(0, steps.taken - 1)}`;
  return (await api.get(Steps, path)).items.at(-1)?.text ?? '';
};

/** Of a run that rests: the answer on stdout, why it ended or what it waits for on stderr. JSON readers have the events. */
const ending = async (api: Client, run: Run, place: Place): Promise<ExitCode> => {
  const { status, reason, detail } = run.state;
  if (!place.json && status === 'finished') {
    const said = await lastSaid(api, run);
    if (reason === 'done') place.out(prose(said));
    else {
      if (said !== '') place.tell(prose(said));
      const words = runWords(run.state, place.language);
      place.tell(place.say(`${words}: ${detail ?? ''}`, `${words} : ${detail ?? ''}`));
      place.tell(
        place.say(
          `Next: reprise runs show ${run.runId}`,
          `Ensuite : reprise runs show ${run.runId}`,
        ),
      );
    }
  }
  const next = await nextWords(api, run, place);
  if (next !== undefined) place.tell(next);
  return codeFor(run);
};

const everyMs = 400;
const rests = ({ state }: Run): boolean =>
  state.status === 'finished' || state.status === 'waiting';

export interface From {
  readonly conversationId: string;
  readonly runId: string;
  readonly after: number;
}

/**
 * Shows events until the run rests. What was written between an empty page and the run's reading is fetched as well: it
 * ends with an empty page after the run was seen at rest. `show` gets each event's line, where it is not JSON.
 */
export const follow = async (
  api: Client,
  place: Place,
  from: From,
  show: (line: string) => void = place.out,
): Promise<ExitCode> => {
  let { after } = from;
  let rested: Run | undefined;
  const mine = eventsOf(from.runId);
  for (;;) {
    const path = `/v1/conversations/${from.conversationId}/events?after=${after}`;
    const { events, next } = await api.get(EventPage, path);
    for (const event of mine(events)) {
      if (place.json) place.out(JSON.stringify(event));
      else if (!event.body.type.startsWith('text.'))
        show(
          `${String(event.number).padStart(4)}  ${event.at}  ${eventWords(event, place.language)}`,
        );
    }
    after = next;
    if (events.length > 0) {
      // A run that waited may have gone on since.
      if (rested?.state.status === 'waiting') rested = undefined;
      continue;
    }
    if (rested !== undefined) return ending(api, rested, place);
    const run = await api.get(Run, `/v1/runs/${from.runId}`);
    if (rests(run)) rested = run;
    else await pause(everyMs);
  }
};
