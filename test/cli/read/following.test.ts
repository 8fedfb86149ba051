// Following a run against an API that answers in a given order: nothing that was written by the run's end is left out,
// whichever moment the run is read at; answers and reasons are whole.
import { expect, test } from 'vitest';
import { type Client, clientOf } from '../../../cli/kit/client.ts';
import type { Place } from '../../../cli/kit/command.ts';
import { sayIn } from '../../../cli/kit/speech.ts';
import { follow } from '../../../cli/read/follow.ts';

const at = '2026-11-30T09:00:00.000Z';
const ids = { runId: 'run_1', conversationId: 'cnv_1' };
const event = (number: number, type: string, more: object = {}) => ({
  number,
  at,
  body: { type, runId: 'run_1', ...more },
});
const run = (state: object) => ({
  ...ids,
  state,
  steps: { taken: 2, limit: 40 },
  startedAt: at,
});
const page = (...events: readonly { number: number }[]) => ({
  events,
  next: events.at(-1)?.number ?? 0,
});

/** Answers each address from its own list, in order; the last answer stays. */
const apiOf = (answers: { readonly [path: string]: readonly object[] }): Client => {
  const asked = new Map<string, number>();
  return {
    ...clientOf({ url: 'http://127.0.0.1:9', token: '', language: 'en' }),
    get: async (schema, path) => {
      const [place = ''] = path.split('?');
      const number = asked.get(place) ?? 0;
      asked.set(place, number + 1);
      const given = answers[place] ?? [];
      return schema.parse(given[number] ?? given.at(-1));
    },
  };
};

const placeOf = (json: boolean) => {
  const [out, told]: [string[], string[]] = [[], []];
  const place: Place = {
    language: 'en',
    say: sayIn('en'),
    json,
    out: (text) => void out.push(text),
    tell: (text) => void told.push(text),
    paint: (_, text) => text,
    client: () => Promise.reject(new Error('Nobody asks.')),
    env: {},
    dataDir: '',
  };
  return { place, out, told };
};

const events = '/v1/conversations/cnv_1/events';
const from = { ...ids, after: 0 };
const long = 'word '.repeat(200).trim();

test('what is written between an empty page and the reading of the ended run is shown', async () => {
  const { place, out } = placeOf(true);
  const api = apiOf({
    [events]: [
      page(event(1, 'run.started')),
      page(),
      page(event(2, 'step.stored'), event(3, 'run.finished', { reason: 'done' })),
      page(),
    ],
    '/v1/runs/run_1': [run({ status: 'finished', reason: 'done' })],
  });
  expect(await follow(api, place, from)).toBe(0);
  expect(out.map((line) => JSON.parse(line).number)).toEqual([1, 2, 3]);
});

test('the answer is said whole, as text, and what steers a terminal is not in it', async () => {
  const { place, out, told } = placeOf(false);
  const api = apiOf({
    [events]: [page(event(1, 'step.stored', { text: long })), page()],
    '/v1/runs/run_1': [run({ status: 'finished', reason: 'done' })],
    '/v1/runs/run_1/steps': [{ items: [{ step: 2, text: `${long}\n  two\u001b[2J` }] }],
  });
  expect(await follow(api, place, from, place.tell)).toBe(0);
  expect(out).toEqual([`${long}\n  two [2J`]);
  expect(told).toHaveLength(1);
});

test('why a run failed is told whole, with what to do next', async () => {
  const { place, out, told } = placeOf(false);
  const finished = { status: 'finished', reason: 'failed', detail: long };
  const api = apiOf({
    [events]: [page(), page(event(1, 'run.finished', { reason: 'failed', detail: long })), page()],
    '/v1/runs/run_1': [run(finished)],
    '/v1/runs/run_1/steps': [{ items: [] }],
  });
  expect(await follow(api, place, from, place.tell)).toBe(1);
  expect(out).toEqual([]);
  expect(told[0]).toContain(`detail=${long}`);
  expect(told.slice(1)).toEqual([`finished: failed: ${long}`, 'Next: reprise runs show run_1']);
});

test('a run that waits names what is asked, whole, and the commands; one that went on since is followed', async () => {
  const { place, told } = placeOf(false);
  const waiting = { status: 'waiting', blocking: [{ on: 'question', requestId: 'req_1' }] };
  const api = apiOf({
    [events]: [
      page(),
      page(event(1, 'run.resumed')),
      page(),
      page(event(2, 'run.waiting')),
      page(),
      page(),
    ],
    '/v1/runs/run_1': [run(waiting), run({ status: 'running' }), run(waiting)],
    '/v1/requests/req_1': [{ request: { requestId: 'req_1', message: long } }],
  });
  expect(await follow(api, place, from)).toBe(3);
  expect(told.join('\n')).toContain(`Waits for an answer: ${long}\n`);
  expect(told.join('\n')).toContain('reprise answer req_1 --field');
});
