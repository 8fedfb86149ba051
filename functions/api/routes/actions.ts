// Actions: what was intended, what became of it, and the evidence. Laws: L4 (the journal is shown whole), L21.
// Tested in test/functions/api/desk/desk.test.ts.

import { z } from 'zod';
import { ActionId } from '../../core/base/ids.ts';
import { Action } from '../../core/records/action.ts';
import { foldedOf } from '../../wiring/folded.ts';
import { decisionViews, deskFor } from '../desk/desk.ts';
import { cursorIn, cursorOut, cutToFit } from '../http/cursor.ts';
import { actionFor } from '../http/found.ts';
import { type Route, reading } from '../http/operation.ts';
import { problem } from '../problems/problems.ts';
import { ActionResult, ActionView, none, PageQuery, pageOf } from '../schemas/schemas.ts';
import { claimView, journalView, recoveryViews } from '../schemas/views.ts';

const one = z.strictObject({ actionId: ActionId });

const list = reading(
  {
    operationId: 'listActions',
    method: 'get',
    path: '/v1/actions',
    tag: 'actions',
    summary: 'Actions of the workspace, newest first',
    description: 'A page can hold fewer than `limit` and still have a next one.',
    params: none,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(Action) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('actions', workspace, query.cursor);
    const page = cutToFit(
      await world.store.actionsIn(workspace, query.limit, cursor),
      ({ plannedAt, actionId }) => `${plannedAt}#${actionId}`,
    );
    const next = page.next && cursorOut('actions', workspace, page.next);
    return { status: 200, body: { items: await foldedOf(world.store, page.items), next } };
  },
);

const get = reading(
  {
    operationId: 'getAction',
    method: 'get',
    path: '/v1/actions/{actionId}',
    tag: 'actions',
    summary: 'One action with its whole journal',
    description:
      'With what you may decide on it now, and why not. Give `action.head` as `seenHead` when you decide.',
    params: one,
    query: none,
    answers: { 200: { description: 'The action.', schema: ActionView } },
  },
  async ({ world, caller, params, language }) => {
    const { item } = await actionFor(world.store, caller, params.actionId);
    const { desk, journal } = await deskFor(world, caller, item);
    const { action } = desk;
    const claim = desk.claim && claimView(desk.claim);
    const decisions = decisionViews(desk, language);
    const recoveries = recoveryViews(action, world.traces);
    const canLook = desk.pinned.lookUp !== undefined;
    return {
      status: 200,
      body: { action, journal: journalView(journal), claim, decisions, canLook, recoveries },
    };
  },
);

/** Most bytes of a result in one answer: with JSON's escapes it stays below what Lambda can return. */
const sliceBytesMax = 1024 * 1024;

/** Whole characters from `offset` on, at most the slice; a cut character is left for the next slice. */
const sliceOf = (body: Uint8Array, offset: number): { text: string; next: number | undefined } => {
  let end = Math.min(body.length, offset + sliceBytesMax);
  // Bytes of the form 10xxxxxx continue a character of UTF-8.
  while (end < body.length && end > offset && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const text = new TextDecoder().decode(body.subarray(offset, end));
  return { text, next: end < body.length ? end : undefined };
};

const result = reading(
  {
    operationId: 'getActionResult',
    method: 'get',
    path: '/v1/actions/{actionId}/result',
    tag: 'actions',
    summary: 'The whole result of an action, of which the agent may have seen a cut copy',
    params: one,
    query: z.strictObject({ offset: z.coerce.number().int().min(0).default(0) }),
    answers: { 200: { description: 'The result, or a slice of it.', schema: ActionResult } },
    problems: ['no-result-yet', 'invalid-query'],
  },
  async ({ world, caller, params, query }) => {
    const { told } = (await actionFor(world.store, caller, params.actionId)).item;
    if (told === undefined) throw problem('no-result-yet', {});
    const bytes =
      told.blob === undefined ? Buffer.from(told.text) : await world.blobs.get(told.blob);
    const { text, next } = sliceOf(bytes, query.offset);
    return {
      status: 200,
      body: {
        actionId: params.actionId,
        status: told.status,
        contentType: told.blob?.contentType ?? 'text/plain; charset=utf-8',
        bytes: bytes.length,
        text,
        next,
      },
    };
  },
);

export const actionRoutes: readonly Route[] = [list, get, result];
