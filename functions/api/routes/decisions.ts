// Decisions on actions whose outcome is not known. Laws: L3 (not while an attempt may run), L4, L10 (the head that was seen).
import { z } from 'zod';
import type { Action } from '../../core/action.ts';
import { ActionId, DecisionId, ObservationId } from '../../core/ids.ts';
import {
  decideRecovery,
  type RecoveryAnswer,
  type RecoveryRefusal,
} from '../../core/recover-decision.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { actionFor, ours } from '../found.ts';
import type { Caller } from '../identity.ts';
import { type Route, route } from '../operation.ts';
import { type Problem, problem } from '../problems.ts';
import { DecisionBody, DecisionTaken, none } from '../schemas.ts';

const problemOf = (refusal: RecoveryRefusal): Problem => {
  switch (refusal.because) {
    case 'head_moved':
      return problem('journal-moved', { head: refusal.head }, { members: { head: refusal.head } });
    case 'attempt_running': {
      const until = new Date(refusal.untilMs).toISOString();
      return problem('attempt-running', { until }, { members: { until } });
    }
    case 'nothing_to_recover':
      return problem(
        'nothing-to-recover',
        { effect: refusal.effect },
        { members: { effect: refusal.effect } },
      );
  }
};

type Given = z.infer<typeof DecisionBody>;
type Taken = z.infer<typeof DecisionTaken>;

const answerOf = (given: Given): RecoveryAnswer =>
  given.kind === 'abandon'
    ? { kind: 'abandon', reason: given.reason }
    : { kind: given.kind, evidence: given.evidence };

const takenOf = (action: Action, decisionId: DecisionId): Taken => ({
  decisionId,
  actionId: action.actionId,
  effect: action.effect,
  disposition: action.disposition.kind,
  head: action.head,
});

const decideOn = (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
  { given, suffix }: { readonly given: Given; readonly suffix: string },
): Promise<Taken> =>
  deciding<Taken>(world, async () => {
    const { store, clock } = world;
    const action = await actionFor(store, caller, actionId);
    const { conversationId, runId, requestId } = action.item;
    const decisionId = DecisionId.parse(`dec_${suffix}`);
    const [found, known] = await Promise.all([
      store.read({
        conversation: conversationId,
        run: runId,
        ...(requestId === undefined ? {} : { requests: [requestId] }),
      }),
      store.journal(actionId),
    ]);
    // A repeat of the request that took this decision, after its answer was lost.
    if (known.decisions.some((decision) => decision.decisionId === decisionId))
      return { kind: 'answer', answer: takenOf(action.item, decisionId) };
    const request = found.requests[0];
    const nowMs = clock.now();
    const outcome = decideRecovery({
      conversation: ours(caller, found.conversation),
      run: ours(caller, found.run),
      action,
      recovery: request?.item.on === 'recovery' ? request : undefined,
      known,
      answer: answerOf(given),
      seenHead: given.seenHead,
      by: caller.author,
      decisionId,
      observationId: ObservationId.parse(`obs_${suffix}`),
      nowMs,
      nowIso: new Date(nowMs).toISOString(),
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
    tag: 'actions',
    summary: 'Decide on an action whose outcome is not known',
    description:
      '`attach` a result or state that it was `not_performed`, with evidence that says what was seen, where, when and how far the search went; or `abandon` it with a reason. Anything newer than `seenHead` refuses the decision.',
    params: z.strictObject({ actionId: ActionId }),
    query: none,
    body: DecisionBody,
    answers: { 201: { description: 'Recorded.', schema: DecisionTaken } },
    problems: ['journal-moved', 'attempt-running', 'nothing-to-recover'],
    example: {
      kind: 'attach',
      seenHead: 4,
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

export const decisionRoutes: readonly Route[] = [decision];
