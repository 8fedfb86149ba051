// Which events of a conversation belong to a run that is followed.
import { expect, test } from 'vitest';
import { eventsOf } from '../../../cli/read/follow.ts';

const at = '2026-11-30T09:00:00.000Z';
const received = (number: number, messageId: string) => ({
  number,
  at,
  body: { type: 'message.received', messageId },
});
const of = (number: number, type: string, runId: string, messageId?: string) => ({
  number,
  at,
  body: { type, runId, ...(messageId === undefined ? {} : { messageId }) },
});

test('a run shows its own events and the messages it took, page by page', () => {
  const mine = eventsOf('run_2');
  const first = mine([
    received(1, 'msg_1'),
    of(2, 'run.started', 'run_1'),
    of(3, 'message.taken', 'run_1', 'msg_1'),
    received(4, 'msg_2'),
    of(5, 'run.finished', 'run_1'),
    of(6, 'run.started', 'run_2'),
  ]);
  const second = mine([of(7, 'message.taken', 'run_2', 'msg_2'), of(8, 'run.finished', 'run_2')]);
  expect([...first, ...second].map(({ number }) => number)).toEqual([6, 4, 7, 8]);
});

test('the message that a run begins with stands before it, once', () => {
  const mine = eventsOf('run_1');
  const told = mine([
    received(1, 'msg_1'),
    of(2, 'run.started', 'run_1', 'msg_1'),
    of(3, 'message.taken', 'run_1', 'msg_1'),
  ]);
  expect(told.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test('without a run everything is shown', () => {
  const all = [received(1, 'msg_1'), of(2, 'run.started', 'run_1')];
  expect(eventsOf(undefined)(all)).toEqual(all);
});
