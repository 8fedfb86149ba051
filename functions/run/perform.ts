// Perform: does what the ledger allows for one action now, and tells the machine what to wait for. Safe to invoke any number of
// times: only the invocation whose transaction opened an attempt sends it; every other one can only look.
// Laws: L1 to L7, L16.
import type { Context } from 'aws-lambda';
import { RunFenced, TryAgain } from '../core/base/errors.ts';
import { RequestId } from '../core/base/ids.ts';
import { reserveMs } from '../core/base/limits.ts';
import { openRecovery } from '../core/pausing/recovery.ts';
import { releaseOne } from '../core/pausing/stop.ts';
import { lostFinding } from '../core/perform/finding.ts';
import { type Move, moveFor } from '../core/perform/move.ts';
import { tell } from '../core/perform/tell.ts';
import type { Action } from '../core/records/action.ts';
import type { Change } from '../core/records/change.ts';
import { PerformInput } from '../core/records/machine-input.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import {
  lambdaHandler,
  lazily,
  nowIso,
  type PerformWorld,
  performWorld,
  type Substrate,
} from '../wiring/perform.ts';
import { expire } from './expire.ts';
import { performRead } from './read.ts';
import { type Engaged, openAttempt, sendAttempt } from './send.ts';
import { settleAttempt } from './settle-attempt.ts';
import { type Stand, standAt } from './stand.ts';

/** What the machine does next with this call. */
export interface PerformOutput {
  readonly outcome: 'settled' | 'wait' | 'person' | PersonRequest['on'];
  readonly requestId: string;
  readonly requestExpiresAtMs: number;
  /** For `wait`: whole seconds, at least 1. */
  readonly waitSeconds: number;
}

const settled: PerformOutput = {
  outcome: 'settled',
  requestId: '',
  requestExpiresAtMs: 0,
  waitSeconds: 1,
};

const waitUntil = (untilMs: number, nowMs: number): PerformOutput => ({
  ...settled,
  outcome: 'wait',
  waitSeconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)),
});

const awaiting = (request: PersonRequest): PerformOutput => ({
  ...settled,
  outcome: request.on,
  requestId: request.requestId,
  requestExpiresAtMs: request.expiresAtMs ?? 0,
});

/** Engage did not open the attempt: the guard's record is taken back, and the store is looked at again. */
class NotOpened extends Error {
  override readonly name = 'NotOpened';
  readonly why: Exclude<Engaged, { kind: 'opened' }>;
  constructor(why: Exclude<Engaged, { kind: 'opened' }>) {
    super('The attempt was not opened.');
    this.why = why;
  }
}

interface Call {
  readonly world: PerformWorld;
  readonly input: PerformInput;
  readonly context: Context;
}

/** Time that must be left to engage at all. */
const leastMs = 1_000;

const deadlineFor = (call: Call, tool: ToolVersion): number => {
  const nowMs = call.world.clock.now();
  const lastMs = nowMs + call.context.getRemainingTimeInMillis() - reserveMs;
  const deadlineAtMs = Math.min(nowMs + tool.registration.contract.timeoutMs, lastMs);
  if (deadlineAtMs - nowMs < Math.min(leastMs, tool.registration.contract.timeoutMs))
    throw new TryAgain('Too little time is left in this invocation. Nothing was sent.');
  return deadlineAtMs;
};

/** Undefined: look again. */
const engageAndSend = async (
  call: Call,
  stand: Stand,
  attempt: number,
): Promise<PerformOutput | undefined> => {
  const { world, input, context } = call;
  const { item } = stand.action;
  const tool = await world.versions.tool(item.workspace, item.tool.name, item.tool.version);
  let after: Action | undefined;
  try {
    const deadlineAtMs = deadlineFor(call, tool);
    const leaseMs = deadlineAtMs - world.clock.now() + reserveMs;
    const key = { actionId: item.actionId, attempt };
    const guard = await world.guarded(
      key,
      { ...context, getRemainingTimeInMillis: () => leaseMs },
      async () => {
        await world.crash.at('perform.before-engage');
        const owner = world.minter.suffix();
        const opened = await openAttempt(world, stand, tool, {
          fence: input.by === 'run' ? input.segment : stand.run.item.fence,
          owner,
          deadlineAtMs,
        });
        if (opened.kind !== 'opened') throw new NotOpened(opened);
        await world.crash.at('perform.engaged');
        after = await sendAttempt(
          world,
          opened.stand,
          tool,
          deadlineAtMs,
          opened.continuation,
        ).catch((error: unknown) => {
          // Whatever could not be written down: the attempt stays engaged and the next look closes it.
          world.log.error('The outcome could not be recorded; the attempt stays engaged.', {
            actionId: item.actionId,
            cause: error instanceof Error ? error.message : String(error),
          });
          return opened.stand.action.item;
        });
      },
    );
    if (guard === 'seen') return seen(call);
    return after?.told ? settled : undefined;
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    const { why } = error;
    if (why.kind === 'person') return { ...settled, outcome: 'person' };
    const nowMs = world.clock.now();
    return why.kind === 'wait' && why.untilMs > nowMs ? waitUntil(why.untilMs, nowMs) : undefined;
  }
};

/** How long to leave another delivery of the same attempt alone before looking again. */
const seenPauseMs = 5_000;

/** Another delivery holds the guard: it has engaged by the next look, or its guard's time is over. */
const seen = ({ world }: Call): PerformOutput => {
  const nowMs = world.clock.now();
  return waitUntil(nowMs + seenPauseMs, nowMs);
};

/** The most that a rival is given before the store is looked at again. */
const rivalPauseMsMax = 100;

/** Written or not, the next look decides by what is stored then; after a rival was faster, with a pause, so that both get on. */
const write = async ({ world }: Call, change: Change): Promise<void> => {
  const { kind } = await world.store.commit(change);
  if (kind !== 'done') await world.clock.pause(world.minter.fraction() * rivalPauseMsMax);
};

const closeLost = async (call: Call, stand: Stand): Promise<void> => {
  const { world } = call;
  const { item } = stand.action;
  const tool = await world.versions.tool(item.workspace, item.tool.name, item.tool.version);
  await settleAttempt(world, stand, tool, lostFinding(item.attempts));
};

const finishUnsent = async (call: Call, stand: Stand, move: Extract<Move, { told: unknown }>) => {
  const never = { kind: 'stopped' as const, because: 'The run was stopped.' };
  const { told } = move;
  await write(call, tell({ ...stand, told, never, nowIso: nowIso(call.world.clock) }));
};

const release = async (call: Call, stand: Stand): Promise<void> => {
  const { world } = call;
  const { actionId, attempts } = stand.action.item;
  const known =
    attempts > 0 ? { known: new Map([[actionId, await world.store.journal(actionId)]]) } : {};
  await write(call, releaseOne({ ...stand, ...known, nowIso: nowIso(world.clock) }));
};

/** Sent, unsettled, and no recovery is open: one is started. */
const recover = async (call: Call, stand: Stand): Promise<void> => {
  const { world } = call;
  const { item, rev } = stand.action;
  const tool = await world.versions.tool(item.workspace, item.tool.name, item.tool.version);
  const opened = openRecovery(tool.registration.contract, item, {
    requestId: RequestId.parse(`req_${world.minter.suffix()}`),
    because: 'The outcome is not known, and nothing looks for it yet.',
    nowIso: nowIso(world.clock),
  });
  await write(call, {
    conversation: stand.conversation,
    events: [],
    writes: [{ do: 'replace', kind: 'action', item: opened.action, rev }, ...opened.closed.writes],
    recoveries: opened.recoveries,
  });
};

/** One look and what follows from it. Undefined: look again. */
const look = async (call: Call): Promise<PerformOutput | undefined> => {
  const { world, input } = call;
  const stand = await standAt(world, input);
  const run = stand.run.item;
  if (input.by === 'run' && run.fence !== input.segment)
    throw new RunFenced(`Segment ${input.segment} of ${input.runId} is no longer the newest.`);
  const move = moveFor(stand.action.item, run, stand.request?.item, world.clock.now(), input.by);
  switch (move.move) {
    case 'done':
      return settled;
    case 'wait':
      return waitUntil(move.untilMs, world.clock.now());
    case 'await':
      return awaiting(move.request);
    case 'close-lost':
      await closeLost(call, stand);
      return undefined;
    case 'expire':
      if ((await expire(world, stand)) === 'conflict')
        await world.clock.pause(world.minter.fraction() * rivalPauseMsMax);
      return undefined;
    case 'release':
      await release(call, stand);
      return undefined;
    case 'stop':
      await finishUnsent(call, stand, move);
      return undefined;
    case 'recover':
      await recover(call, stand);
      return undefined;
    case 'read': {
      const { item } = stand.action;
      const tool = await world.versions.tool(item.workspace, item.tool.name, item.tool.version);
      await performRead(world, stand, tool, deadlineFor(call, tool));
      return settled;
    }
    case 'engage':
      return engageAndSend(call, stand, move.attempt);
  }
};

/** Looks that one invocation takes before it lets the machine come back. */
const looksMax = 6;

export const perform = async (
  world: PerformWorld,
  input: PerformInput,
  context: Context,
): Promise<PerformOutput> => {
  const call: Call = { world, input, context };
  await world.crash.at('perform.read');
  for (let looks = 0; looks < looksMax; looks += 1) {
    const output = await look(call);
    if (output) return output;
  }
  return waitUntil(0, world.clock.now());
};

export const handlerFor = (substrate: Substrate) => {
  const world = performWorld(substrate);
  return lambdaHandler(PerformInput, substrate.log, (input, context: Context) =>
    perform(world, input, context),
  );
};
export const handler = lazily(handlerFor);
