// A server that is nothing but a flood: it serves the built page and one conversation whose run writes events at a given rate.
// Owns: that what its JSON says and what its events said are the same at every instant, as the real API's are.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import {
  ConversationSummary,
  ConversationView,
  RunView,
} from '../../../functions/api/schemas/schemas.ts';
import { derivedSuffix, RunId } from '../../../functions/core/base/ids.ts';
import { Action, actionDigest } from '../../../functions/core/records/action.ts';
import { type EventBody, StoredEvent } from '../../../functions/core/records/event.ts';
import { Step } from '../../../functions/core/records/step.ts';
import { pageHeaders } from '../../../functions/page-headers.ts';
import { dist } from './world.ts';

const id = (prefix: string, ...parts: readonly string[]): string =>
  `${prefix}_${derivedSuffix('flood', prefix, ...parts)}`;
export const conversationId = id('cnv');
const runId = RunId.parse(id('run'));
const agentId = id('agt');
const at = '2026-11-30T09:00:00.000Z';
const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 };
const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;

const destination = {
  provider: 'crm',
  account: 'main',
  environment: 'test',
  apiVersion: '1',
} as const;
const content = {
  tool: { name: 'crm_write', version: 1 },
  destination,
  arguments: { note: 'from the flood' },
} as const;
const digest = actionDigest(content);

const actionOf = (step: number, confirmed: boolean): Action =>
  Action.parse({
    schema: 1,
    workspace: 'local',
    actionId: id('act', String(step)),
    conversationId,
    runId,
    agentId,
    step,
    call: 0,
    ...content,
    digest,
    likeDigest: digest,
    effectKind: 'write',
    mandate: { kind: 'standing' },
    plannedAt: at,
    authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
    head: confirmed ? 4 : 1,
    effect: confirmed ? 'confirmed' : 'not_sent',
    contradicted: false,
    disposition: { kind: 'open' },
    attempts: confirmed ? 1 : 0,
    round: 0,
    ...(confirmed
      ? { told: { status: 'success', text: 'Done.' }, reference: `ref-${step}`, settledAt: at }
      : {}),
  });

export const deltaOf = (step: number, delta: number): string => `${step}.${delta} `;
export const deltasPerStep = 95;
export const textOf = (step: number, deltas = deltasPerStep): string =>
  Array.from({ length: deltas }, (_, delta) => deltaOf(step, delta)).join('');

const stepOf = (step: number): Step =>
  Step.parse({
    schema: 1,
    runId,
    step,
    attempt: `attempt-${step}`,
    text: textOf(step),
    calls: [
      {
        kind: 'action',
        actionId: id('act', String(step)),
        name: content.tool.name,
        arguments: content.arguments,
      },
    ],
    took: [],
    results: [],
    usage: { ...usage, callId: `call-${step}`, model: 'flood' },
    at,
  });

/** The events of one step, in order: text, the step, and its action's life. */
const bodiesOf = (step: number): EventBody[] => {
  const action = { runId, actionId: actionOf(step, false).actionId };
  const { text, attempt, calls } = stepOf(step);
  return [
    ...Array.from(
      { length: deltasPerStep },
      (_, delta): EventBody => ({
        type: 'text.delta',
        runId,
        step,
        attempt,
        text: deltaOf(step, delta),
      }),
    ),
    {
      type: 'step.stored',
      runId,
      step,
      text,
      attempt,
      calls: calls.map(({ name }) => ({ name, actionId: action.actionId })),
    },
    { type: 'action.planned', ...action, step, tool: content.tool.name, gate: 'perform' },
    { type: 'action.engaged', ...action, attempt: 1 },
    { type: 'action.confirmed', ...action, reference: `ref-${step}` },
  ];
};

export interface Flood {
  readonly url: string;
  /** Steps that were there before the first event. */
  readonly stepsBefore: number;
  /** Lets the events flow; resolves with the last step's number when all were sent. */
  pour(events: number, perSecond: number): Promise<number>;
  close(): void;
}

class River {
  readonly stored: number[] = [];
  readonly confirmed = new Set<number>();
  number = 1;
  readonly readers = new Set<ServerResponse>();

  constructor(stepsBefore: number) {
    for (let step = 1; step <= stepsBefore; step += 1) {
      this.stored.push(step);
      this.confirmed.add(step);
    }
  }

  send(body: EventBody): void {
    this.number += 1;
    if (body.type === 'step.stored') this.stored.push(body.step);
    if (body.type === 'action.confirmed') this.confirmed.add(this.stored.at(-1) ?? 0);
    const event = StoredEvent.parse({ schema: 1, conversationId, number: this.number, at, body });
    const text = `id: ${event.number}\nevent: ${body.type}\ndata: ${JSON.stringify(event)}\n\n`;
    for (const reader of this.readers) reader.write(text);
  }
}

const runView = (river: River): RunView =>
  RunView.parse({
    runId,
    conversationId,
    agentId,
    revision: 1,
    number: 1,
    state: { status: 'running' },
    steps: { taken: river.stored.length, limit: 10_000 },
    usage,
    skills: [],
    executions: [{ name: runId }],
    startedAt: at,
  });

const summary = (river: River): ConversationSummary =>
  ConversationSummary.parse({
    conversationId,
    agentId,
    title: 'Flood',
    createdAt: at,
    activeAt: at,
    createdBy: ana,
    eventNumber: river.number,
    runs: 1,
    pending: [],
    activeRun: runId,
    marks: { needsYou: 0, newRequests: false, finished: false, finishedWhileAway: false },
  });

const pageSize = 100;
/** A page of steps or their actions after a step, and where the next begins. */
const pageAfter = <Item>(river: River, url: URL, make: (step: number) => Item) => {
  const after = Number(url.searchParams.get('afterStep') ?? 0);
  const wanted = river.stored.filter((step) => step > after);
  const steps = wanted.slice(0, pageSize);
  return {
    items: steps.map(make),
    ...(wanted.length > pageSize ? { next: String(steps.at(-1)) } : {}),
  };
};

const nothing: readonly never[] = [];
const emptyJournal = Object.fromEntries(
  ['attempts', 'ends', 'observations', 'authorisations', 'decisions'].map((n) => [n, nothing]),
);

const answerOf = (river: River, url: URL): object | undefined => {
  const path = url.pathname;
  const action = (step: number): Action => actionOf(step, river.confirmed.has(step));
  if (path === '/v1/conversations') return { items: [summary(river)] };
  if (path === '/v1/inbox/summary')
    return {
      needsYou: { total: 0, approval: 0, question: 0, skill: 0, recovery: 0 },
      more: false,
      finishedWhileAway: 0,
    };
  if (path === `/v1/conversations/${conversationId}`)
    return ConversationView.parse({ ...summary(river), queued: [], state: { status: 'running' } });
  if (path.endsWith('/runs')) return { items: [runView(river)] };
  if (path === `/v1/runs/${runId}`) return runView(river);
  if (path.endsWith('/steps')) return pageAfter(river, url, stepOf);
  if (path.endsWith(`/${runId}/actions`)) return pageAfter(river, url, action);
  if (path.startsWith('/v1/actions/')) {
    const step = river.stored.findLast((one) => path.endsWith(id('act', String(one))));
    return { action: action(step ?? 1), journal: emptyJournal, decisions: [] };
  }
  return { items: [] };
};

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const follow = (river: River, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const snapshot = {
    number: river.number,
    conversation: { ...summary(river), queued: [], state: { status: 'running' } },
    run: runView(river),
    steps: [],
    requests: [],
  };
  response.write(`id: ${river.number}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
  river.readers.add(response);
  response.once('close', () => river.readers.delete(response));
};

const serve = (river: River, request: IncomingMessage, response: ServerResponse): void => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname.endsWith('/events')) {
    follow(river, response);
    return;
  }
  if (url.pathname.startsWith('/v1/')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answerOf(river, url)));
    return;
  }
  const file = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
  });
  response.end(readFileSync(join(dist, file)));
};

/** Sends so many events at a rate, a little every 20 ms. */
const pour = async (river: River, events: number, perSecond: number): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const startMs = performance.now();
  let step = river.stored.length + 1;
  let bodies = bodiesOf(step);
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(events, ((performance.now() - startMs) / 1_000) * perSecond);
    for (; sent < due; sent += 1) {
      const body = bodies.shift();
      if (body !== undefined) river.send(body);
      if (bodies.length === 0) {
        step += 1;
        bodies = bodiesOf(step);
      }
    }
    if (sent < events) return;
    clearInterval(timer);
    resolve(river.stored.length);
  }, 20);
  return promise;
};

export const openFlood = async (stepsBefore: number): Promise<Flood> => {
  const river = new River(stepsBefore);
  const server = createServer((request, response) => serve(river, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stepsBefore,
    pour: (events, perSecond) => pour(river, events, perSecond),
    close: () => {
      for (const reader of river.readers) reader.destroy();
      server.close();
    },
  };
};
