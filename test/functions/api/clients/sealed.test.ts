// What a tool sealed for itself when it asked in mid-call goes back to it with the answer and to no reader: by none of the doors
// through which the question is read. Laws: L18.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConversationId, RequestId } from '../../../../functions/core/base/ids.ts';
import { askOne, colourForm } from '../answers/ask.ts';
import { openRig, type Rig } from '../rig.ts';
import { type Begun, begin, commit, here, startRun } from '../story.ts';
import { watch } from '../stream/viewer.ts';
import { agUiTo, listen, servingOf, user } from './listen.ts';

const sealed = 'opens-more-than-one-door';
let rig: Rig;
let begun: Begun;
let conversationId: ConversationId;
let requestId: RequestId;
beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
  conversationId = begun.conversationId;
  const runId = await startRun(rig, conversationId);
  requestId = (await askOne(rig, runId, { question: colourForm })).requestId;
  const { conversation } = await here(rig, runId);
  const [request] = (await rig.world.store.read({ requests: [requestId] })).requests;
  if (request?.item.on !== 'question') throw new Error('No question was asked.');
  const item = { ...request.item, asked: { parts: {}, requestState: sealed } };
  const writes = [{ do: 'replace', kind: 'request', item, rev: request.rev } as const];
  await commit(rig, { conversation, events: [], writes });
});
afterAll(() => rig.close());

const heard = async (request: Parameters<typeof listen>[1]): Promise<string> => {
  const hearing = listen(servingOf(rig), request);
  await hearing.ended;
  return hearing.text();
};
const doors: { readonly [door: string]: () => Promise<string> } = {
  'AG-UI': () => heard(agUiTo(begun.agentId, { threadId: conversationId, messages: [user('?')] })),
  'the AI SDK': () =>
    heard({ path: `/v1/ai-sdk/${begun.agentId}/${conversationId}/stream`, as: 'ben' }),
  'the live events': async () => {
    const viewer = watch(rig, { path: `/v1/conversations/${conversationId}/events` });
    await viewer.until(() => viewer.snapshots.length > 0);
    viewer.leave();
    await viewer.ended;
    return viewer.text();
  },
  'the inbox': async () => (await rig.call({ path: '/v1/requests' })).text,
  'the request itself': async () => (await rig.call({ path: `/v1/requests/${requestId}` })).text,
};

test.each(Object.keys(doors))('by %s the question is read, and nothing sealed', async (door) => {
  const read = await doors[door]?.();
  expect(read).toContain(requestId);
  expect(read).toContain('colour');
  expect(read).not.toContain(sealed);
});
