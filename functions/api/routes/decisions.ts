// Decisions on actions whose outcome is not known: the seven kinds, taken under a claim.
// Laws: L3 (not while an attempt may run), L4, L10 (the fence and the head that were seen).
// Tested in test/functions/api/desk/desk.test.ts.
import { z } from 'zod';
import {
  ActionId,
  DecisionId,
  derivedSuffix,
  ObservationId,
  RequestId,
} from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import {
  type DecisionAnswer,
  type DecisionRefusal,
  decideAction,
} from '../../core/recover/decision.ts';
import { needsAffirmation } from '../../core/recover/desk.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { decisionViews, forbiddenProblem } from '../desk/desk.ts';
import { deskStandFor } from '../desk/stand.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { type Problem, problem } from '../problems/problems.ts';
import { DecisionsView } from '../schemas/desk.ts';
import { DecisionBody, DecisionTaken, none } from '../schemas/schemas.ts';
import { claimView } from '../schemas/views.ts';

const one = z.strictObject({ actionId: ActionId });

const problemOf = (refusal: DecisionRefusal): Problem => {
  switch (refusal.because) {
    case 'head_moved':
      return problem('journal-moved', { head: refusal.head }, { members: { head: refusal.head } });
    case 'fence_moved':
      return problem(
        'claim-moved',
        { fence: refusal.fence },
        { members: { fence: refusal.fence } },
      );
    case 'not_affirmed':
      return problem('not-affirmed', {});
    case 'until_not_later':
      return problem('wait-not-later', {});
    case 'forbidden':
      return forbiddenProblem(refusal.forbidden);
  }
};

type Given = z.infer<typeof DecisionBody>;
type Taken = z.infer<typeof DecisionTaken>;

const answerOf = (given: Given): DecisionAnswer =>
  given.kind === 'wait'
    ? { kind: 'wait', untilMs: Date.parse(given.until), reason: given.reason }
    : given;

const takenOf = (action: Action, decisionId: DecisionId): Taken => ({
  decisionId,
  actionId: action.actionId,
  effect: action.effect,
  disposition: action.disposition.kind,
  head: action.head,
  ...(action.disposition.kind === 'reissued' ? { reissuedAs: action.disposition.as } : {}),
});

/** Ids of what a reissue makes derive from the request, so that a repeat of it makes the same. */
const madeOf = (suffix: string) => ({
  newActionId: ActionId.parse(`act_${derivedSuffix('reissue', suffix)}`),
  newRequestId: RequestId.parse(`req_${derivedSuffix('reissue', suffix)}`),
});

const decideOn = (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
  { given, suffix }: { readonly given: Given; readonly suffix: string },
): Promise<Taken> =>
  deciding<Taken>(world, async () => {
    const stand = await deskStandFor(world, caller, actionId);
    const { item } = stand.action;
    const decisionId = DecisionId.parse(`dec_${suffix}`);
    // A repeat of the request that took this decision, after its answer was lost.
    if (stand.journal.decisions.some((decision) => decision.decisionId === decisionId))
      return { kind: 'answer', answer: takenOf(item, decisionId) };
    const outcome = decideAction({
      ...stand,
      claim: stand.leave.claim,
      known: stand.journal,
      answer: answerOf(given),
      seenHead: given.seenHead,
      claimFence: given.claimFence,
      by: caller.author,
      decisionId,
      observationId: ObservationId.parse(`obs_${suffix}`),
      ...madeOf(suffix),
      marker:
        given.kind === 'reissue'
          ? await world.store.likeness(item.workspace, item.likeDigest)
          : undefined,
    });
    if (outcome.kind === 'refused') throw problemOf(outcome);
    const answer = takenOf(outcome.action, decisionId);
    return { kind: 'commit', change: outcome.change, answer };
  });

const decision = route(
  {
    operationId: 'decideAction',
    method: 'post',
    path: '/v1/actions/{actionId}/decisions',
    tag: 'desk',
    summary: 'Decide on an action whose outcome is not known',
    description:
      '`attach` a result or state that it was `not_performed`, with evidence that says what was seen, where, when and how far the search went; `repeat` with the same key; `wait` until a time; `suspend`; `abandon`; or `reissue` as a new intention in spite of the risk. It needs the claim. Anything newer than `seenHead` or `claimFence` refuses the decision.',
    params: one,
    query: none,
    body: DecisionBody,
    answers: { 201: { description: 'Recorded.', schema: DecisionTaken } },
    problems: [
      'decision-not-allowed',
      'journal-moved',
      'claim-moved',
      'not-affirmed',
      'wait-not-later',
    ],
    example: {
      kind: 'attach',
      seenHead: 4,
      claimFence: 1,
      evidence: {
        what: 'The refund of 82.00 EUR for pay_1001 is there.',
        where: 'Billing console, account demo, refunds',
        when: '2026-11-30T09:12:00Z',
        coverage: 'All refunds of the payment, archived ones included.',
        reference: 're_2001',
      },
    },
  },
  async ({ world, caller, params, body, suffix }) => ({
    status: 201,
    body: await decideOn(world, caller, params.actionId, { given: body, suffix }),
  }),
);

const list = reading(
  {
    operationId: 'listDecisions',
    method: 'get',
    path: '/v1/actions/{actionId}/decisions',
    tag: 'desk',
    summary: 'What you may decide on an action now',
    description:
      'Each of the seven decisions, allowed or with the reason, fact and date that forbids it; and those that were taken.',
    params: one,
    query: none,
    answers: { 200: { description: 'As it is now.', schema: DecisionsView } },
  },
  async ({ world, caller, params, language }) => {
    const { desk, journal, leave, action } = await deskStandFor(world, caller, params.actionId);
    return {
      status: 200,
      body: {
        head: action.item.head,
        claim: leave.claim && claimView(leave.claim.item),
        affirm: needsAffirmation(desk),
        decisions: decisionViews(desk, language),
        taken: journal.decisions,
      },
    };
  },
);

export const decisionRoutes: readonly Route[] = [list, decision];
