// What the person on duty does from the command line, against the API itself on loopback: tools barred, permissions revoked,
// approvals taken back, and the audit of it. One world for all.
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRig, type PersonName, type Rig } from '../../functions/api/rig.ts';
import { askApproval, begin, converse, engageIt, startRun } from '../../functions/api/story.ts';
import { serve } from '../api-on-loopback.ts';
import { reprise } from '../command-line.ts';

let rig: Rig;
let server: Server;
let url: string;
let agentId: string;
/** Approved by Abe, and sent once. */
let approved: string;
/** Nobody answered it. */
let open: string;
beforeAll(async () => {
  rig = await openRig();
  ({ server, url } = await serve(rig));
  const begun = await begin(rig);
  agentId = begun.agentId;
  const runId = await startRun(rig, begun.conversationId);
  const asked = await askApproval(rig, runId);
  approved = asked.requestId;
  const path = `/v1/requests/${approved}`;
  const { request } = (await rig.call({ path })).body;
  const body = { kind: 'approve', digest: Reflect.get(Object(request), 'digest') };
  const answered = await rig.call({ method: 'POST', path: `${path}/answer`, body, as: 'abe' });
  expect(answered.status, answered.text).toBe(200);
  await engageIt(rig, runId, asked.actionId);
  const second = await startRun(rig, await converse(rig, begun.agentId));
  open = (await askApproval(rig, second)).requestId;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rig.close();
});

const as = (person: PersonName, ...args: readonly string[]) =>
  reprise([...args, '--url', url], { env: { REPRISE_TOKEN: person } });
const why = (text: string) => ['--reason', text];

test('a tool is listed, shown, barred and let again; taking away and giving back take different roles', async () => {
  const [listed, viewer, barred] = await Promise.all([
    as('vera', 'tools', 'list'),
    as('vera', 'tools', 'bar', 'note', ...why('No.')),
    as('rob', 'tools', 'bar', 'note', ...why('It sends everything twice.')),
  ]);
  expect(listed, listed.err).toMatchObject({ code: 0 });
  expect(listed.out).toMatch(/^refund +1 +irreversible +always +billing acme test$/m);

  expect(viewer).toMatchObject({ code: 1, out: '', err: expect.stringContaining('forbidden') });
  expect(barred, barred.err).toMatchObject({ code: 0 });
  expect(barred.out).toMatch(/^barred +yes\n\S+ +barred +Rob +It sends everything twice\.$/m);
  const twice = await as('rob', 'tools', 'bar', 'note', ...why('And slowly.'));
  expect(twice.out).not.toContain('And slowly.');
  expect(twice.err).toMatch(/barred already, since \S+, by Rob: It sends everything twice\./);
  const [recoverer, shown, whole] = await Promise.all([
    as('rob', 'tools', 'unbar', 'note', ...why('Mended.')),
    as('vera', 'tools', 'show', 'note', '--lang', 'fr'),
    as('vera', 'tools', 'show', 'note', '--json'),
  ]);
  expect(recoverer.code).toBe(1);
  expect(shown.out).toMatch(/^interdit +oui$/m);
  expect(shown.out).toContain('"effect": "write"');
  expect(JSON.parse(whole.out)).toMatchObject({ version: 1, bar: { barred: true } });
  const again = await as('ana', 'tools', 'unbar', 'note', ...why('Mended.'), '--json');
  expect(JSON.parse(again.out)).toMatchObject({
    barred: false,
    changes: [{ what: 'barred' }, { what: 'unbarred', reason: 'Mended.' }],
  });
});

test('an agent’s permission is revoked and restored, the agent named by its name or its id', async () => {
  const of = (agent: string) => ['--agent', agent];
  const revoke = ['permissions', 'revoke', 'refund', ...why('The customer withdrew.')];
  const revoked = await as('rob', ...revoke, ...of('Helper'));
  expect(revoked, revoked.err).toMatchObject({ code: 0 });
  const restore = ['permissions', 'restore', 'refund', ...of(agentId), ...why('Back.'), '--json'];
  const foreign = await as('rob', 'permissions', 'revoke', 'refnd', ...why('No.'), ...of('Helper'));
  expect(foreign).toMatchObject({ code: 1, out: '' });
  expect(foreign.err).toContain('did you mean refund?');
  const [listed, history, refused] = await Promise.all([
    as('vera', 'permissions', 'list', ...of(agentId)),
    as('vera', 'permissions', 'list', ...of('Helper'), '--history', '--lang', 'fr'),
    as('rob', ...restore),
  ]);
  expect(listed.out).toMatch(/^refund +revoked +\S+ +Rob +The customer withdrew\.$/m);
  expect(listed.out).toMatch(/^note +stands +-/m);
  expect(history.out).toMatch(/^refund\n {2}\S+ +révoquée +Rob +The customer withdrew\.$/m);
  expect(history.out).toMatch(/^note\n {2}jamais changée$/m);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.out)).toMatchObject({ status: 403 });
  expect(JSON.parse((await as('ana', ...restore)).out)).toMatchObject({ agentId, stands: true });
});

test('an approval is taken back with a reason, and one that was never given is not', async () => {
  const take = (person: PersonName, requestId: string, ...more: readonly string[]) =>
    as(person, 'requests', 'revoke', requestId, ...why('The amount was wrong.'), ...more);
  const [never, member, taken] = await Promise.all([
    take('abe', open, '--lang', 'fr'),
    take('ben', approved),
    take('abe', approved),
  ]);
  expect(never).toMatchObject({ code: 1, err: expect.stringContaining('approval-not-given') });
  expect(member.code).toBe(1);
  expect(taken, taken.err).toMatchObject({ code: 0, err: expect.stringContaining('not undone') });
  expect(taken.out).toMatch(/^attempts +1$/m);
});

test('the audit tells it all, newest first, and is narrowed', async () => {
  const entries = async (...args: readonly string[]) => {
    const read = await as('ana', 'audit', ...args, '--json');
    expect(read, read.err).toMatchObject({ code: 0 });
    return JSON.parse(read.out).items;
  };
  const [shown, bars, mine, newest, refused] = await Promise.all([
    as('ana', 'audit'),
    entries('--kind', 'bar'),
    entries('--by', 'me', '--tool', 'refund'),
    entries('--limit', '1'),
    as('rob', 'audit'),
  ]);
  expect(shown.out).toMatch(
    /^\S+ +Abe +approval +revoked +refund +req_\w+ +The amount was wrong\.$/m,
  );
  expect(bars).toMatchObject([
    { kind: 'bar', decision: 'unbarred', tool: 'note', by: { subject: 'ana' } },
    { kind: 'bar', decision: 'barred', tool: 'note', by: { subject: 'rob' } },
  ]);
  expect(mine[0]).toMatchObject({ kind: 'permission', decision: 'restored', agentId });
  expect(mine.at(-1)).toMatchObject({ kind: 'registration', on: 'tool', version: 1 });
  expect(newest).toMatchObject([{ kind: 'approval', requestId: approved }]);
  expect(refused).toMatchObject({ code: 1, out: '' });
});

test('what is missing or misspelt is told before anything is asked; the rest is the API’s to refuse', async () => {
  const [ghost, ...wrong] = await Promise.all([
    as('ana', 'tools', 'show', 'ghost'),
    as('ana', 'tools', 'bar', 'note'),
    as('ana', 'permissions', 'list', '--agent', 'Nobody'),
    as('ana', 'requests', 'revoke', approved),
    as('ana', 'audit', '--kind', 'bars'),
    as('ana', 'audit', '--limit', 'many', '--lang', 'fr'),
  ]);
  expect(wrong.map(({ code, out }) => ({ code, out }))).toEqual(
    wrong.map(() => ({ code: 2, out: '' })),
  );
  expect(wrong[1]?.err).toContain('Helper');
  expect(wrong[0]?.err).toContain('--reason is missing, as in: --reason "');
  expect(wrong[3]?.err).toContain('did you mean bar?');
  expect(wrong[4]?.err).toContain('«\u00a0many\u00a0» n’est pas un nombre entier');
  expect(ghost).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no tool "ghost" here\..*reprise tools list[\s\S]*not-found/),
  });
});
