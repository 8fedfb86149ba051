// Each address's answers are read by its own patterns: what a poll says is not what the write would have said by the same words,
// and a 2xx that a contract does not know is no success. Judged by the destination's own list. Laws: L1, L16, L21.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { closeDestinations, httpDestination } from '../../functions/adapters/destination.ts';
import { egressTo, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';

type Contract = ToolRegistrationInput['contract'];

const destination = { provider: 'jobs', account: 'me', environment: 'test', apiVersion: '1' };
const json = { 'content-type': 'application/json' };

let rig: Rig;
let jobs: Awaited<ReturnType<typeof httpDestination>>;
/** What the next polls are answered, the last one for ever. */
let polls: (readonly [status: number, body: string])[] = [];
let written: readonly [status: number, type: string, body: string] = [
  202,
  json['content-type'],
  '',
];

const posts = () => jobs.seen.filter(({ method }) => method === 'POST');

const tool = (name: string, contract: Partial<Contract>, get?: string): ToolRegistrationInput => ({
  name,
  description: 'Starts a job, or tells of it.',
  arguments: {
    type: 'object',
    properties: { subject: { type: 'string' } },
    required: ['subject'],
  },
  transport: get
    ? { kind: 'http', method: 'GET', url: `${jobs.url}${get}` }
    : { kind: 'http', method: 'POST', url: `${jobs.url}/jobs`, body: { as: 'arguments' } },
  contract: { effect: get ? 'read' : 'write', destination, timeoutMs: 2_000, ...contract },
});

const state = (equals: string) => ({ fields: [{ path: 'state', equals }] });
const poll = { tool: 'job_state', arguments: { subject: '$args.subject' } };
const progress = { running: state('queued'), everyMs: 100, untilMs: 3_000 };
const ended = { succeeded: [{ reply: state('done'), reference: 'id' }] };

beforeAll(async () => {
  jobs = await httpDestination((seen, response) => {
    if (seen.method === 'POST') {
      const [status, type, body] = written;
      response.writeHead(status, { 'content-type': type }).end(body);
      return;
    }
    const [status, body] = (polls.length > 1 ? polls.shift() : polls[0]) ?? [404, '{}'];
    response.writeHead(status, json).end(body);
  });
  rig = await openRig({ twin: { environment: egressTo(jobs.port) } });
  const { client } = rig;
  await client.registerTool(tool('job_state', {}, '/jobs/{{args.subject}}'));
  const http = { preset: 'http' } as const;
  await client.registerTool(tool('job_blind', { ...http, progress: { ...progress, poll } }));
  await client.registerTool(
    tool('job_polled', {
      ...http,
      progress: {
        ...progress,
        untilMs: 60_000,
        poll: {
          ...poll,
          ...ended,
          failed: [
            { reply: state('rejected'), because: 'It validates before it starts.' },
            { reply: state('crashed') },
          ],
        },
      },
    }),
  );
  await client.registerTool(
    tool('job_named', {
      ...http,
      success: [{ reply: { status: [201], fields: [{ path: 'id', notNull: true }] } }],
    }),
  );
  await client.registerTool(
    tool('job_taken', {
      success: [{ reply: { status: [201], fields: [{ path: 'id', notNull: true }] } }],
      accepted: [{ reply: { status: [202], ...state('taken') } }],
      nothing: [{ reply: { fields: [{ path: 'id', startsWith: 'draft' }] } }],
    }),
  );
});
afterEach(() => {
  polls = [];
  jobs.seen.length = 0;
});
afterAll(async () => {
  await rig.close();
  await closeDestinations();
});

let said = 0;
/** Of another subject each time: one whose outcome is open makes its like wait for an approval. */
const say = async (name: string) => {
  said += 1;
  const call = `call ${name} {"subject": "s${said}"}`;
  return talk(rig.client, await rig.agent('demo', { tools: [name] }), call);
};
const queued = [202, json['content-type'], '{"state":"queued"}'] as const;
const effectOf = async (runId: string) => (await rig.client.actions(runId))[0]?.effect;

test.each([
  ['another state', [200, '{"state":"working"}']],
  ['no such job yet', [404, '{}']],
  ['a failure of its own', [500, '{"state":"done"}']],
  ['a refusal', [422, '{"error":"bad id"}']],
] as const)('L1 a poll without patterns proves nothing: %s', async (_, answer) => {
  written = queued;
  polls = [answer];
  const { runId } = await say('job_blind');
  await waitingOn(rig.client, runId, 'recovery');
  expect(await effectOf(runId)).toBe('in_progress');
  expect(posts()).toHaveLength(1);
});

test('L1 a poll is read by its own patterns: neither a 404 nor an unknown state ends it, and "succeeded" does', async () => {
  written = queued;
  polls = [
    [404, '{}'],
    [200, '{"state":"working"}'],
    [500, '{"state":"done"}'],
    [200, '{"state":"done","id":7}'],
  ];
  const { runId } = await say('job_polled');
  await finished(rig.client, runId);
  const [action] = await rig.client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', reference: '7', attempts: 1 });
  expect(jobs.seen.filter(({ method }) => method === 'GET').length).toBeGreaterThanOrEqual(4);
  expect(posts()).toHaveLength(1);
});

test('L1 a job that failed is undetermined and a person’s, unless its contract says why nothing was done', async () => {
  written = queued;
  polls = [[200, '{"state":"crashed"}']];
  const crashed = await say('job_polled');
  await waitingOn(rig.client, crashed.runId, 'recovery');
  expect(await effectOf(crashed.runId)).toBe('undetermined');
  polls = [[200, '{"state":"rejected"}']];
  const rejected = await say('job_polled');
  await finished(rig.client, rejected.runId);
  expect(await effectOf(rejected.runId)).toBe('not_performed');
  expect(posts()).toHaveLength(2);
});

test.each([
  ['a sign-in page', 200, 'text/html', '<!doctype html><title>Sign in</title>'],
  ['an error in the body', 200, json['content-type'], '{"error":"session expired"}'],
  ['an id that is null', 201, json['content-type'], '{"id":null}'],
  ['taken, where only success is named', 202, json['content-type'], '{"state":"taken"}'],
])('L1 a 2xx that a declared success does not know is undetermined: %s', async (_, ...answer) => {
  written = answer;
  const { runId } = await say('job_named');
  await waitingOn(rig.client, runId, 'recovery');
  expect(await effectOf(runId)).toBe('undetermined');
});

test('L16 "accepted" is what the contract names so, and the agent is told so in words of its own', async () => {
  written = [202, json['content-type'], '{"state":"taken"}'];
  const taken = await say('job_taken');
  await finished(rig.client, taken.runId);
  expect(await effectOf(taken.runId)).toBe('accepted');
  expect((await rig.client.steps(taken.runId)).at(-1)?.text).toContain('supposed, not proven');
  written = [201, json['content-type'], '{"id":"draft-1"}'];
  const draft = await say('job_taken');
  await waitingOn(rig.client, draft.runId, 'recovery');
  expect(await effectOf(draft.runId)).toBe('undetermined');
});
