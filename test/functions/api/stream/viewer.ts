// A reader of the live log: takes what the stream function writes, as a page or a client would, and can leave at any moment.
import { Writable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { Snapshot } from '../../../../functions/api/schemas/schemas.ts';
import { servingOver } from '../../../../functions/api/stream.ts';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import { EventBody, StoredEvent } from '../../../../functions/core/records/event.ts';
import { afterEvent, type LiveText } from '../../../../functions/core/turn/live-text.ts';
import type { StreamWorld } from '../../../../functions/wiring/stream.ts';
import { asSent, type Request, type Rig } from '../rig.ts';

export const streamWorld = (rig: Rig, more: Partial<StreamWorld> = {}): StreamWorld => ({
  store: rig.world.store,
  people: rig.world.people,
  registry: rig.world.registry,
  traces: rig.world.traces,
  clock: rig.world.clock,
  log: rig.world.log,
  streamsMax: 100,
  ...more,
});

export interface Viewer {
  readonly head: { status: number; headers: { readonly [name: string]: string } };
  readonly snapshots: Snapshot[];
  readonly events: StoredEvent[];
  readonly comments: string[];
  /** Everything that was written. */
  text(): string;
  /** Resolves when it holds, checked at each write. */
  until(holds: () => boolean): Promise<void>;
  leave(): void;
  /** Resolves when the function has returned. */
  readonly ended: Promise<void>;
}

interface Sight {
  readonly out: Writable;
  readonly viewer: Omit<Viewer, 'ended'>;
}

const sight = (): Sight => {
  let text = '';
  let waiting: { holds: () => boolean; done: () => void }[] = [];
  const snapshots: Snapshot[] = [];
  const events: StoredEvent[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'snapshot') snapshots.push(Snapshot.parse(JSON.parse(data)));
      else events.push(StoredEvent.parse(JSON.parse(data)));
    },
    onComment: (comment) => comments.push(comment),
  });
  const look = (): void => {
    for (const { holds, done } of waiting) if (holds()) done();
    waiting = waiting.filter(({ holds }) => !holds());
  };
  const out = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      text += chunk;
      parser.feed(chunk);
      look();
      done();
    },
  });
  const viewer = {
    head: { status: 0, headers: {} },
    snapshots,
    events,
    comments,
    text: () => text,
    until: (holds: () => boolean) =>
      new Promise<void>((done) => {
        if (holds()) done();
        else waiting.push({ holds, done });
      }),
    leave: () => void out.destroy(),
  };
  return { out, viewer };
};

export type Serving = ReturnType<typeof servingOver>;

/** Opens a stream of `request` on a running function. */
export const watchOn = (serving: Serving, request: Request, remainingMs = 600_000): Viewer => {
  const { out, viewer } = sight();
  const headers = { accept: 'text/event-stream', ...request.headers };
  const ended = serving({
    event: asSent({ ...request, headers }),
    out,
    begin: ({ status, headers: given }) => {
      Object.assign(viewer.head, { status, headers: given });
      return out;
    },
    remainingMs,
  });
  return { ...viewer, ended };
};

export const watch = (rig: Rig, request: Request, more: Partial<StreamWorld> = {}): Viewer =>
  watchOn(servingOver(streamWorld(rig, more)), request);

/** What a reader shows of one run, from its snapshot and the events after it. */
export const shown = (
  runId: RunId,
  snapshot: Snapshot | undefined,
  events: readonly StoredEvent[],
): LiveText =>
  events.reduce<LiveText>(
    (texts, { body }) => afterEvent(texts, runId, EventBody.parse(body)),
    new Map((snapshot?.steps ?? []).map((step) => [step.step, step])),
  );
