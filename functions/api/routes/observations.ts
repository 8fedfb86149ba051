// Evidence added without a decision, and a look asked for now. Laws: L3, L4 (evidence is added, never replaced), L10, L21.
// Tested in test/functions/api/desk/desk.test.ts.
import { z } from 'zod';
import { Defect } from '../../core/base/errors.ts';
import { ActionId, ObservationId, RequestId } from '../../core/base/ids.ts';
import { lookAgain } from '../../core/recover/look-again.ts';
import { observe } from '../../core/recover/observe.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { forbiddenProblem } from '../desk/desk.ts';
import { type DeskStand, deskStandFor } from '../desk/stand.ts';
import { noIds, type Route, route } from '../http/operation.ts';
import { type Caller, isReporter } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { LookOrdered, ObservationAdded, ObservationBody } from '../schemas/desk.ts';
import { none } from '../schemas/schemas.ts';

const one = z.strictObject({ actionId: ActionId });

type Added = z.infer<typeof ObservationAdded>;

const settlingOf = (stand: DeskStand) => ({
  ...stand,
  claim: stand.leave.claim,
  known: stand.journal,
  contract: stand.desk.pinned,
});

const add = (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
  { given, suffix }: { readonly given: z.infer<typeof ObservationBody>; readonly suffix: string },
): Promise<Added> =>
  deciding<Added>(world, async () => {
    const stand = await deskStandFor(world, caller, actionId);
    const observationId = ObservationId.parse(`obs_${suffix}`);
    const before = stand.journal.observations.find((seen) => seen.observationId === observationId);
    const { effect, contradicted, head } = stand.action.item;
    // A repeat of the request that added it, after its answer was lost.
    if (before)
      return { kind: 'answer', answer: { observation: before, effect, contradicted, head } };
    const { says, ...evidence } = given;
    const outcome = observe({
      ...settlingOf(stand),
      evidence,
      says,
      author: caller.author,
      reports: isReporter(caller),
      observationId,
      requestId: RequestId.parse(`req_${suffix}`),
    });
    if (outcome.kind === 'refused') throw forbiddenProblem(outcome.forbidden);
    const { action, observation, change } = outcome;
    return {
      kind: 'commit',
      change,
      answer: {
        observation,
        effect: action.effect,
        contradicted: action.contradicted,
        head: action.head,
      },
    };
  });

const observation = route(
  {
    operationId: 'addObservation',
    method: 'post',
    path: '/v1/actions/{actionId}/observations',
    tag: 'desk',
    summary: 'Add evidence about an effect, without deciding',
    description:
      'What was seen, where, when, and how far the search went. It needs no claim, raises the journal’s head, and is shown at once. It settles nothing by itself (`uncounted`): a decision, with the claim, takes it up; where it disagrees with what is settled, a recovery opens. From a program with the role `reporter` it counts as what a machine saw, and settles.',
    params: one,
    query: none,
    body: ObservationBody,
    answers: { 201: { description: 'Added.', schema: ObservationAdded } },
    problems: ['decision-not-allowed'],
    example: {
      what: 'No refund for pay_1001 is listed.',
      where: 'Billing console, account demo, refunds',
      when: '2026-11-30T09:12:00Z',
      coverage: 'All refunds of the payment, archived ones included.',
      says: 'nothing',
    },
  },
  async ({ world, caller, params, body, suffix }) => ({
    status: 201,
    body: await add(world, caller, params.actionId, { given: body, suffix }),
  }),
  {
    ids: noIds,
    // It is there: what was added derives from the key, and nothing is added a second time.
    read: ({ world, caller, params, body, suffix }) =>
      add(world, caller, params.actionId, { given: body, suffix }),
  },
);

type Ordered = z.infer<typeof LookOrdered>;

const order = (world: ApiWorld, caller: Caller, actionId: ActionId): Promise<Ordered> =>
  deciding<Ordered>(world, async () => {
    const stand = await deskStandFor(world, caller, actionId);
    const outcome = lookAgain({
      ...stand,
      action: { ...stand.action, item: stand.desk.action },
      contract: stand.desk.pinned,
    });
    switch (outcome.kind) {
      case 'blind':
        throw problem('no-look-up', { tool: stand.action.item.tool.name });
      case 'refused':
        throw forbiddenProblem(outcome.forbidden);
      case 'change': {
        const { change, action } = outcome;
        return { kind: 'commit', change, answer: { actionId, round: action.round } };
      }
      default:
        throw new Defect('A look was neither ordered nor refused.');
    }
  });

const look = route(
  {
    operationId: 'lookAgain',
    method: 'post',
    path: '/v1/actions/{actionId}/look',
    tag: 'desk',
    summary: 'Look the effect up now',
    description:
      'Starts another round of recovery, which looks before anything else. What it finds is stored as an observation.',
    params: one,
    query: none,
    body: none,
    answers: { 202: { description: 'Ordered.', schema: LookOrdered } },
    problems: ['decision-not-allowed', 'no-look-up'],
    example: {},
  },
  async ({ world, caller, params }) => ({
    status: 202,
    body: await order(world, caller, params.actionId),
  }),
);

export const observationRoutes: readonly Route[] = [observation, look];
