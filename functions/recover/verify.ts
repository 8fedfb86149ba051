// Verify: one round of finding out what became of an action. It looks, waits, authorises or calls a person; it never sends.
// Owns: gathering the case, looking up and polling. Laws: L1, L3, L4, L8, L9, L21.

import { Defect } from '../core/base/errors.ts';
import { type ActionId, ObservationId, RequestId, referenceOf } from '../core/base/ids.ts';
import type { JsonObject } from '../core/base/json.ts';
import { replyFrom } from '../core/perform/finding.ts';
import { readPoll } from '../core/perform/reply.ts';
import { type Finding, settle } from '../core/perform/settle.ts';
import { isHeld } from '../core/records/claim.ts';
import { foldAction } from '../core/records/folded.ts';
import { VerifyInput } from '../core/records/machine-input.ts';
import {
  lookUpArguments,
  mayHappenUntilMs,
  missCountsFromMs,
  missProves,
  readLookUp,
} from '../core/recover/look-up.ts';
import { type Case, verdictFor } from '../core/recover/verdict.ts';
import { stepFor } from '../core/recover/verify.ts';
import type { LookUp } from '../core/registry/contract.ts';
import type { Reply } from '../core/registry/reply-pattern.ts';
import { foldFirst } from '../run/fold-first.ts';
import { type Stand, standAt } from '../run/stand.ts';
import {
  lambdaHandler,
  lazily,
  nowIso,
  type PerformWorld,
  performWorld,
  type Substrate,
} from '../wiring/perform.ts';

export interface VerifyOutput {
  readonly next: 'wait' | 'perform' | 'end';
  readonly waitSeconds: number;
  readonly runId: string;
  readonly conversationId: string;
}

interface Gathered {
  readonly stand: Stand;
  readonly at: Case;
}

const gather = async (world: PerformWorld, actionId: ActionId): Promise<Gathered> => {
  const first = (await world.store.read({ actions: [actionId] })).actions[0]?.item;
  if (!first) throw new Defect(`There is no action ${actionId} to verify.`);
  const stand = await standAt(world, first);
  const { item } = stand.action;
  const nowMs = world.clock.now();
  const [journal, leave, pinned, newest] = await Promise.all([
    world.store.journal(actionId),
    world.store.leave(item),
    world.versions.tool(item.workspace, item.tool.name, item.tool.version),
    world.registry.newestTool(item.workspace, item.tool.name),
  ]);
  const expired = item.mandate.kind === 'approval' && (leave.approval?.expiresAtMs ?? 0) <= nowMs;
  return {
    stand,
    at: {
      // An attempt that was reported without its change is closed with that once its time is over.
      action: {
        ...foldAction(item, journal, new Date(nowMs).toISOString()),
        ...(item.engaged === undefined ? {} : { engaged: item.engaged }),
      },
      pinned: pinned.registration.contract,
      current: (newest ?? pinned).registration.contract,
      attempts: journal.attempts,
      ends: journal.ends,
      observations: journal.observations,
      mandateStands:
        leave.mandateRevokedAt === undefined && leave.barredAt === undefined && !expired,
      claimed: isHeld(leave.claim?.item, nowMs),
      claimFence: leave.claim?.item.fence ?? 0,
      run: stand.run.item,
      nowMs,
    },
  };
};

/** Our own settings or the read tool's registration refuse it: asking again would not change that. */
interface Unaskable {
  readonly unaskable: string;
}

/** Asks a read tool; undefined when it gave no answer, or why it cannot even be asked. */
const ask = async (
  world: PerformWorld,
  { stand, at }: Gathered,
  tool: string,
  args: JsonObject,
): Promise<Reply | Unaskable | undefined> => {
  const found = await world.registry.newestTool(stand.action.item.workspace, tool);
  if (found?.registration.contract.effect !== 'read') return undefined;
  try {
    const report = await world.carrier.send({
      registration: found.registration,
      arguments: lookUpArguments(args, at.action),
      reference: referenceOf(at.action.actionId),
      deadlineAtMs: world.clock.now() + found.registration.contract.timeoutMs,
      beforeFirstByte: () => undefined,
    });
    if (report.kind === 'not_transmitted' && report.lasting) return { unaskable: report.because };
    return report.kind === 'reply' ? replyFrom(found.registration, report.reply) : undefined;
  } catch (error) {
    world.log.warn('A look-up could not be made.', {
      actionId: at.action.actionId,
      cause: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  }
};

const coverageOf = ({ coverage }: LookUp): string =>
  `${coverage.account}/${coverage.environment}; archived ${coverage.archived ? 'included' : 'not included'}; rights: ${coverage.readRights}; period: ${coverage.period}; ${coverage.complete ? 'complete' : 'not complete'}`;

const unaskableFinding = (lookUp: LookUp, { unaskable }: Unaskable): Finding => ({
  about: 'all',
  source: 'look_up',
  lookUp: 'failed',
  lasting: true,
  says: 'nothing',
  because: unaskable,
  coverage: coverageOf(lookUp),
});

const lookUpFinding = async (world: PerformWorld, gathered: Gathered): Promise<Finding> => {
  const { lookUp, verification } = gathered.at.pinned;
  if (!lookUp) throw new Defect('A look-up was asked for that the contract does not declare.');
  const untilMs = mayHappenUntilMs(gathered.at.pinned, gathered.at.attempts);
  // What is not there was not there when it was asked for; the answer may come later.
  const askedAtMs = gathered.at.nowMs;
  const reply = await ask(world, gathered, lookUp.tool, lookUp.arguments);
  if (reply !== undefined && 'unaskable' in reply) return unaskableFinding(lookUp, reply);
  const reading = readLookUp(lookUp, gathered.at.action, reply);
  const proves = reading.result === 'miss' && missProves(lookUp, verification, untilMs, askedAtMs);
  return {
    about: 'all',
    source: 'look_up',
    lookUp: reading.result,
    says: reading.result === 'hit' ? 'confirms' : proves ? 'disproves' : 'nothing',
    because: proves
      ? `${reading.because} By reference, with complete coverage, after the settle time: it is not there.`
      : reading.result === 'miss' && askedAtMs < missCountsFromMs(lookUp, untilMs)
        ? `${reading.because} Too early to count.`
        : reading.because,
    coverage: coverageOf(lookUp),
    ...(reading.reference === undefined ? {} : { reference: reading.reference }),
    ...(reply === undefined ? {} : { status: reply.status }),
  };
};

const pollFinding = async (world: PerformWorld, gathered: Gathered): Promise<Finding> => {
  const poll = gathered.at.pinned.progress?.poll;
  const last = gathered.at.attempts.at(-1)?.attempt ?? 1;
  const reply = poll && (await ask(world, gathered, poll.tool, poll.arguments));
  if (!poll || !reply || 'unaskable' in reply)
    return {
      about: last,
      source: 'look_up',
      says: 'nothing',
      because: reply && 'unaskable' in reply ? reply.unaskable : 'The poll did not answer.',
    };
  const reading = readPoll(poll, reply);
  return {
    about: last,
    source: 'look_up',
    says: reading.says,
    because: reading.because,
    status: reply.status,
    ...(reading.ended === undefined ? {} : { ended: reading.ended }),
    ...(reading.reference === undefined ? {} : { reference: reading.reference }),
  };
};

/**
 * Commits the finding, over whatever was written meanwhile: it is an observation of its time, and none is dropped. The next look
 * says what follows. Throws TryAgain.
 */
const record = async (
  world: PerformWorld,
  first: Gathered,
  finding: Finding,
): Promise<'recorded'> => {
  const observationId = ObservationId.parse(`obs_${world.minter.suffix()}`);
  let fresh: Gathered | undefined = first;
  return world.decide<'recorded'>({
    round: async () => {
      const { stand, at } = fresh ?? (await gather(world, first.at.action.actionId));
      fresh = undefined;
      const { change } = settle({
        ...stand,
        recovery: stand.request?.item.on === 'recovery' ? stand.request : undefined,
        known: at,
        contract: at.pinned,
        finding,
        observationId,
        requestId: RequestId.parse(`req_${world.minter.suffix()}`),
        by: 'verify',
        // Dated by the asking, like what was learnt.
        nowIso: new Date(first.at.nowMs).toISOString(),
      });
      return { kind: 'commit', change, answer: 'recorded' };
    },
  });
};

/** Steps of one invocation; a wait or an attempt ends it earlier. */
const stepsMax = 12;

const one = async (
  world: PerformWorld,
  gathered: Gathered,
): Promise<VerifyOutput['next'] | number | 'again'> => {
  const { stand, at } = gathered;
  const recovery = stand.request?.item.on === 'recovery' ? stand.request : undefined;
  if (await foldFirst(world, stand, at)) return 'again';
  const action = { item: at.action, rev: stand.action.rev };
  const step = stepFor({ ...stand, action, recovery }, verdictFor(at), nowIso(world.clock));
  switch (step.step) {
    case 'commit': {
      const committed = await world.store.commit(step.change);
      return committed.kind === 'done' && step.afterwards === 'end' ? 'end' : 'again';
    }
    case 'settle':
      await record(world, gathered, step.finding);
      return 'again';
    case 'look':
      await record(world, gathered, await lookUpFinding(world, gathered));
      return 'again';
    case 'poll':
      await record(world, gathered, await pollFinding(world, gathered));
      return 'again';
    case 'wait':
      return step.untilMs;
    case 'perform':
      return 'perform';
    case 'end':
      return 'end';
  }
};

export const verify = async (world: PerformWorld, input: VerifyInput): Promise<VerifyOutput> => {
  await world.crash.at('verify.read');
  for (let steps = 0; steps < stepsMax; steps += 1) {
    const gathered = await gather(world, input.actionId);
    const { runId, conversationId, round } = gathered.at.action;
    const ids = { runId, conversationId, waitSeconds: 1 };
    if (round > input.round) return { next: 'end', ...ids };
    const next = await one(world, gathered);
    await world.crash.at('verify.stored');
    if (typeof next === 'number')
      return {
        ...ids,
        next: 'wait',
        waitSeconds: Math.max(1, Math.ceil((next - world.clock.now()) / 1_000)),
      };
    if (next !== 'again') return { ...ids, next };
  }
  const { runId, conversationId } = (await gather(world, input.actionId)).at.action;
  return { next: 'wait', waitSeconds: 5, runId, conversationId };
};

export const handlerFor = (substrate: Substrate) => {
  const world = performWorld(substrate);
  return lambdaHandler(VerifyInput, substrate.log, (input) => verify(world, input));
};
export const handler = lazily(handlerFor);
