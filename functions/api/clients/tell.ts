// Tells a strand to a client of another protocol, from its beginning in the log on, as it grows: until the run pauses or ends, or
// the connection must. Owns: that loop, and the SSE form of what such protocols say. Writes nothing to the store.
// Tested in test/functions/api/clients/ai-sdk.test.ts.
import type { Writable } from 'node:stream';
import type { ConversationId } from '../../core/base/ids.ts';
import type { StoredEvent } from '../../core/records/event.ts';
import type { ClientsWorld } from '../../wiring/clients.ts';
import { readAround } from '../projections/around.ts';
import type { Beat } from '../projections/beat.ts';
import { type Have, sparing } from '../projections/have.ts';
import { pauseOf } from '../projections/pause.ts';
import { and, closeStep, end, openCalls, type Strand, type Told } from '../projections/strand.ts';
import { strandAfter } from '../projections/strand-events.ts';
import { type Followed, follow } from '../stream/follow.ts';
import { type Reader, stillHere, write } from '../stream/streaming.ts';
import type { Beginning } from './threads.ts';

/** How one protocol says things. What it remembers between beats is its own. */
export interface Speaker {
  readonly headers: { readonly [name: string]: string };
  readonly opening: readonly object[];
  tell(beat: Beat): readonly object[];
  /** Text after the last event. */
  readonly closing: string;
}

export interface Telling {
  readonly conversationId: ConversationId;
  readonly beginning: Beginning;
  readonly have: Have;
  readonly speaker: Speaker;
}

export interface Listener {
  readonly body: Writable;
  readonly reader: Reader;
  /** Epoch milliseconds at which to end. */
  readonly untilMs: number;
}

export const sse = (said: readonly object[]): string =>
  said.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

const goesOn = 'The run goes on. Connect again to see it from here.';

/** Nothing but text cannot have brought the run to rest. */
const mayRest = (events: readonly StoredEvent[]): boolean =>
  events.some(({ body }) => body.type !== 'text.delta' && body.type !== 'text.reset');

interface Place {
  readonly strand: Strand;
  /** Number of the last event that was told. */
  readonly number: number;
}

const advance = async (
  { api, clock }: ClientsWorld,
  conversationId: ConversationId,
  { strand, number }: Place,
  next: Followed,
): Promise<{ readonly told: Told; readonly number: number }> => {
  if (next.kind === 'quiet') return { told: { strand, beats: [] }, number };
  const { events } = next;
  const around = await readAround(
    api.store,
    clock.now(),
    conversationId,
    events,
    openCalls(strand),
  );
  const told = events.reduce<Told>(
    (before, event) => and(before, (after) => strandAfter(after, { event, around })),
    { strand, beats: [] },
  );
  return { told, number: events.at(-1)?.number ?? number };
};

/** Tells until the strand is over, or the run pauses. Returns with the reader gone, too. */
export const tellStrand = async (
  world: ClientsWorld,
  { conversationId, beginning, have: given, speaker }: Telling,
  { body, reader, untilMs }: Listener,
): Promise<void> => {
  const { left } = reader;
  let have = given;
  const say = async (beats: readonly Beat[]): Promise<void> => {
    for (const beat of beats) {
      const spared = sparing(have, beat);
      have = spared.have;
      if (spared.news) await write(body, reader, sse(speaker.tell(beat)));
    }
  };
  const { after } = beginning;
  let place: Place = { strand: beginning.strand, number: after };
  await write(body, reader, sse(speaker.opening));
  for await (const next of follow(world, { conversationId, after, untilMs, left })) {
    const { told, number } = await advance(world, conversationId, place, next);
    place = { strand: told.strand, number };
    await say(told.beats);
    if (place.strand.over !== undefined) return;
    if (next.kind === 'quiet') await write(body, reader, stillHere);
    else if (!mayRest(next.events)) continue;
    const waiting = await pauseOf(
      world.api.store,
      world.clock.now(),
      place.strand,
      conversationId,
      number,
    );
    if (waiting === undefined) continue;
    return say([...closeStep(place.strand).beats, { beat: 'paused', waiting }]);
  }
  await say(end(place.strand, 'connection', goesOn).beats);
};
