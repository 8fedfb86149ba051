// A person stops a run: nothing new is sent, what waits for a person is voided, what was sent is settled or listed.
// Owns: that change. Laws: L7 (after a stop only a person's decision opens an attempt), L13, L16.
import type { Action } from './action.ts';
import type { Change, Versioned, Write } from './change.ts';
import { closeRequests } from './close-request.ts';
import type { Author, Conversation } from './conversation.ts';
import type { EventBody } from './event.ts';
import type { RequestId } from './ids.ts';
import type { PersonRequest } from './request.ts';
import { mayChange, type Run } from './run.ts';
import { toldEffect, toldStopped } from './told.ts';

export interface Stopping {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  /** The requests that the run's open calls wait for, with their actions. */
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly actions: readonly Versioned<Action>[];
  readonly by: Author;
  readonly nowIso: string;
}

export type Stopped =
  | { readonly kind: 'change'; readonly change: Change; readonly run: Run }
  /** Already stopping or over: nothing to do, and that is no error. */
  | { readonly kind: 'unchanged'; readonly run: Run };

const actionAfter = (stopping: Stopping, action: Action): Action =>
  action.attempts === 0
    ? {
        ...action,
        head: action.head + 1,
        disposition: {
          kind: 'stopped',
          because: 'The run was stopped.',
          by: stopping.by.subject,
          at: stopping.nowIso,
        },
        told: action.told ?? toldStopped(action),
      }
    : { ...action, told: action.told ?? toldEffect(action, 'The run was stopped.') };

const actionWrites = (stopping: Stopping): Write[] =>
  stopping.actions
    .filter(({ item }) => item.told === undefined)
    .map(({ item, rev }) => ({
      do: 'replace',
      kind: 'action',
      item: actionAfter(stopping, item),
      rev,
    }));

/** A recovery stays open until its action is settled; only the run stops waiting for it. */
const releaseWrites = (recoveries: readonly Versioned<PersonRequest>[]): Write[] =>
  recoveries.map(({ item, rev }) => ({
    do: 'replace',
    kind: 'request',
    item: { ...item, released: true },
    rev,
  }));

export const stopRun = (stopping: Stopping): Stopped => {
  const before = stopping.run.item;
  if (!mayChange(before.state.status, 'stop')) return { kind: 'unchanged', run: before };
  const open = stopping.requests.filter(({ item }) => item.decision === undefined);
  const recoveries = open.filter(({ item }) => item.on === 'recovery');
  const voided = open.filter(({ item }) => item.on !== 'recovery');
  const closed = closeRequests(
    stopping.run,
    voided.map((request) => ({
      request,
      decision: { kind: 'voided', because: `${stopping.by.name} stopped the run.` },
    })),
    stopping.by,
    stopping.nowIso,
  );
  const segment = before.parked ? before.segment + 1 : before.segment;
  const run: Run = {
    ...before,
    state: { status: 'stopping', by: stopping.by.name, since: stopping.nowIso, blocking: [] },
    wakeNo: before.wakeNo + 1,
    parked: false,
    segment,
  };
  const stoppingEvent: EventBody = { type: 'run.stopping', runId: run.runId, by: stopping.by.name };
  const wakes: RequestId[] = open.map(({ item }) => item.requestId);
  return {
    kind: 'change',
    run,
    change: {
      conversation: stopping.conversation,
      events: [stoppingEvent, ...closed.events.filter((event) => event.type === 'request.closed')],
      writes: [
        { do: 'replace', kind: 'run', item: run, rev: stopping.run.rev },
        ...closed.writes.filter((write) => !(write.do === 'replace' && write.kind === 'run')),
        ...releaseWrites(recoveries),
        ...actionWrites(stopping),
      ],
      wakes,
      starts: before.parked ? [{ runId: run.runId, segment }] : [],
    },
  };
};
