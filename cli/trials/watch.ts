// Follows one call of a trial through the product's API: its action, until nothing more will happen by itself. Owns: what
// counts as that, and approving what asks for approval, as a person would who reads it.
import { z } from 'zod';
import { ActionView, RunView } from '../../functions/api/schemas/schemas.ts';
import { Action } from '../../functions/core/records/action.ts';
import type { Session } from './session.ts';
import { until } from './wait.ts';

export type Seen = z.infer<typeof ActionView>;
type Run = z.infer<typeof RunView>;

const requestSeen = z.looseObject({
  request: z.looseObject({ on: z.string(), digest: z.string().optional() }),
});

const approve = async (session: Session, requestId: string): Promise<void> => {
  const ana = await session.as('ana');
  const { request } = await ana.get(requestSeen, `/v1/requests/${requestId}`);
  const path = `/v1/requests/${requestId}/answer`;
  // It may have been answered or voided in this instant; the next look tells.
  if (request.on === 'approval')
    await ana.raw('POST', path, { kind: 'approve', digest: request.digest });
};

/** The run as it is now, after approving what it waits for. */
const runNow = async (session: Session, runId: string): Promise<Run> => {
  const ana = await session.as('ana');
  const run = await ana.get(RunView, `/v1/runs/${runId}`);
  if (run.state.status === 'waiting')
    for (const { on, requestId } of run.state.blocking)
      if (on === 'approval') await approve(session, requestId);
  return run;
};

const actionsOf = async (session: Session, runId: string): Promise<readonly Action[]> =>
  (await session.as('ana')).all(Action, `/v1/runs/${runId}/actions`);

/** The run's one action, once the model has proposed it. Rejects when the run ends without one. */
export const actionOf = (session: Session, runId: string): Promise<Action> =>
  until('the agent proposed the call', session.limitMs, async () => {
    const run = await runNow(session, runId);
    const [action] = await actionsOf(session, runId);
    if (action !== undefined) return action;
    if (run.state.status !== 'finished') return undefined;
    throw new Error(
      `The call was never proposed; the run ended: ${run.state.reason}. ${run.state.detail} Are the sample arguments valid for the tool's schema?`,
    );
  });

export const look = async (session: Session, actionId: string): Promise<Seen> =>
  (await session.as('ana')).get(ActionView, `/v1/actions/${actionId}`);

/** Looks until `holds`, approving meanwhile. */
export const watch = (
  session: Session,
  runId: string,
  what: string,
  holds: (seen: Seen, run: Run) => boolean,
): Promise<Seen> =>
  until(what, session.limitMs, async () => {
    const run = await runNow(session, runId);
    const [action] = await actionsOf(session, runId);
    if (action === undefined) return undefined;
    const seen = await look(session, action.actionId);
    return holds(seen, run) ? seen : undefined;
  });

/** Until the agent was told, or a person is called: nothing more is then sent without a person. */
export const atRest = (session: Session, runId: string): Promise<Seen> =>
  watch(session, runId, 'the action came to rest', (_seen, { state }) => {
    if (state.status === 'finished') return true;
    return state.status === 'waiting' && state.blocking.some(({ on }) => on === 'recovery');
  });

/** One line per entry, in order. */
export const journalOf = ({ journal }: Seen): readonly string[] => {
  const lines = [
    ...journal.authorisations.map((one) => ({
      entry: one.entry,
      text: `authorised: ${one.authorisation.by}`,
    })),
    ...journal.attempts.map((one) => ({
      entry: one.entry,
      text: `attempt ${one.attempt} engaged ${one.engagedAt}, deadline ${new Date(one.deadlineAtMs).toISOString()}`,
    })),
    ...journal.ends.map((one) => ({
      entry: one.entry,
      text: `attempt ${one.attempt} ended ${one.at}: ${one.how}, ${one.milestone} (${one.milestoneIs})`,
    })),
    ...journal.observations.map((one) => ({
      entry: one.entry,
      text: `${one.source} ${one.at}: ${one.says}. ${one.because}`,
    })),
    ...journal.decisions.map((one) => ({
      entry: one.entry,
      text: `decision ${one.at}: ${one.kind}`,
    })),
  ];
  return lines.toSorted((a, b) => a.entry - b.entry).map(({ entry, text }) => `${entry} ${text}`);
};
