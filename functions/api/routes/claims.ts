// Claims: one person's exclusive, time-limited responsibility for a recovery. Laws: L10 (at most one holder), L13.
// Tested in test/functions/api/desk/desk.test.ts.
import { z } from 'zod';
import { ActionId } from '../../core/base/ids.ts';
import {
  type Claiming,
  type ClaimOutcome,
  releaseClaim,
  renewClaim,
  takeClaim,
} from '../../core/pausing/claiming.ts';
import type { Change, Versioned, Write } from '../../core/records/change.ts';
import { type Claim, claimMsDefault, claimMsMax } from '../../core/records/claim.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { EventBody } from '../../core/records/event.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { forbiddenProblem } from '../desk/desk.ts';
import { actionFor, conversationFor } from '../http/found.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { type Problem, problem } from '../problems/problems.ts';
import { ClaimView, none } from '../schemas/schemas.ts';
import { claimView } from '../schemas/views.ts';

const one = z.strictObject({ actionId: ActionId });

const problemOf = (refused: Extract<ClaimOutcome, { kind: 'refused' }>): Problem => {
  if (refused.because === 'not_holder') return problem('claim-not-held', {});
  const { holder, untilMs } = refused.claim;
  const until = new Date(untilMs).toISOString();
  return problem(
    'claim-held',
    { by: holder?.name ?? '?', until },
    { members: { until, ...(holder === undefined ? {} : { holder: { ...holder } }) } },
  );
};

const changeOf = (
  conversation: Versioned<Conversation>,
  current: Versioned<Claim> | undefined,
  claim: Claim,
  events: readonly EventBody[],
): Change => {
  const write: Write =
    current === undefined
      ? { do: 'put', kind: 'claim', item: claim }
      : { do: 'replace', kind: 'claim', item: claim, rev: current.rev };
  return { conversation, events, writes: [write] };
};

/** Reads, decides by `how`, and stores the claim with the event that says so (none for a renewal). */
const claiming = (
  world: ApiWorld,
  caller: Caller,
  { actionId, forMs }: { readonly actionId: ActionId; readonly forMs: number },
  how: (claiming: Claiming) => ClaimOutcome,
): Promise<Claim> =>
  deciding<Claim>(world, async () => {
    const { store, clock } = world;
    const { item } = await actionFor(store, caller, actionId);
    if (item.attempts === 0) throw forbiddenProblem({ because: 'nothing_sent', fact: item.effect });
    const [conversation, leave] = await Promise.all([
      conversationFor(store, caller, item.conversationId),
      store.leave(item),
    ]);
    const outcome = how({
      workspace: caller.workspace,
      actionId,
      current: leave.claim?.item,
      by: caller.author,
      forMs,
      head: item.head,
      nowMs: clock.now(),
    });
    if (outcome.kind === 'refused') throw problemOf(outcome);
    const { claim } = outcome;
    const by = caller.author.name;
    const { runId } = item;
    const before = leave.claim?.item;
    const lapsed: EventBody[] =
      before?.holder === undefined || claim.fence === before.fence
        ? []
        : [{ type: 'claim.ended', runId, actionId, by: before.holder.name }];
    const events: EventBody[] =
      claim.holder === undefined
        ? [{ type: 'claim.ended', runId, actionId, by }]
        : claim.fence === before?.fence
          ? []
          : [...lapsed, { type: 'claim.taken', runId, actionId, by, untilMs: claim.untilMs }];
    const change = changeOf(conversation, leave.claim, claim, events);
    return { kind: 'commit', change, answer: claim };
  });

const take = route(
  {
    operationId: 'takeClaim',
    method: 'post',
    path: '/v1/actions/{actionId}/claim',
    tag: 'desk',
    summary: 'Take an action’s recovery, or renew your claim on it',
    description:
      'While you hold it no other person and no machine opens an attempt. It lapses by itself; then anybody may take it over.',
    params: one,
    query: none,
    body: z.strictObject({
      forMs: z.int().min(60_000).max(claimMsMax).default(claimMsDefault),
    }),
    answers: { 200: { description: 'It is yours.', schema: ClaimView } },
    problems: ['claim-held', 'decision-not-allowed'],
    example: { forMs: claimMsDefault },
  },
  async ({ world, caller, params, body }) => {
    const claim = await claiming(world, caller, { ...params, ...body }, takeClaim);
    return { status: 200, body: claimView(claim) };
  },
);

const forMs = z.int().min(60_000).max(claimMsMax).default(claimMsDefault);

const renew = route(
  {
    operationId: 'renewClaim',
    method: 'post',
    path: '/v1/actions/{actionId}/claim/renew',
    tag: 'desk',
    summary: 'Keep your claim for longer',
    description: 'Only while it is yours: one that lapsed is taken again, with a new fence.',
    params: one,
    query: none,
    body: z.strictObject({ forMs }),
    answers: { 200: { description: 'It is still yours.', schema: ClaimView } },
    problems: ['claim-not-held', 'decision-not-allowed'],
    example: { forMs: claimMsDefault },
  },
  async ({ world, caller, params, body }) => {
    const claim = await claiming(world, caller, { ...params, ...body }, renewClaim);
    return { status: 200, body: claimView(claim) };
  },
);

const end = route(
  {
    operationId: 'endClaim',
    method: 'post',
    path: '/v1/actions/{actionId}/claim/release',
    tag: 'desk',
    summary: 'Give your claim back',
    params: one,
    query: none,
    body: none,
    answers: { 200: { description: 'Nobody holds it.', schema: ClaimView } },
    problems: ['claim-not-held', 'decision-not-allowed'],
    example: {},
  },
  async ({ world, caller, params }) => {
    const claim = await claiming(world, caller, { ...params, forMs: 0 }, releaseClaim);
    return { status: 200, body: claimView(claim) };
  },
);

const release = reading(
  {
    operationId: 'releaseClaim',
    method: 'delete',
    path: '/v1/actions/{actionId}/claim',
    tag: 'desk',
    summary: 'Give your claim back, without a key',
    params: one,
    query: none,
    answers: { 200: { description: 'Nobody holds it.', schema: ClaimView } },
    problems: ['claim-not-held'],
  },
  async ({ world, caller, params }) => {
    const claim = await claiming(world, caller, { ...params, forMs: 0 }, releaseClaim);
    return { status: 200, body: claimView(claim) };
  },
);

export const claimRoutes: readonly Route[] = [take, renew, end, release];
