// A read: no attempt, no marker, never undetermined. Tried up to three times within its deadline; then the agent gets the error.
// Owns: the result of a read, written once. Laws: L16.

import { cutTo } from '../core/base/cut.ts';
import { ObservationId, referenceOf } from '../core/base/ids.ts';
import { becauseBytesMax, readTriesMax } from '../core/base/limits.ts';
import { replyFrom } from '../core/perform/finding.ts';
import { readReply } from '../core/perform/reply.ts';
import type { Told } from '../core/records/action.ts';
import type { Change } from '../core/records/change.ts';
import { declaresSuccess } from '../core/registry/presets.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { ToolReport } from '../ports/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import { resultFrom } from './result.ts';
import { type Stand, standAgain } from './stand.ts';

const passing = (report: ToolReport): boolean =>
  report.kind === 'reply'
    ? report.reply.status >= 500 || report.reply.status === 429
    : !('lasting' in report);

const pauseMs = 200;

const tryRead = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  deadlineAtMs: number,
): Promise<ToolReport> => {
  for (let tries = 1; ; tries += 1) {
    const report = await world.carrier.send({
      registration: tool.registration,
      arguments: stand.action.item.arguments,
      reference: referenceOf(stand.action.item.actionId),
      deadlineAtMs,
      beforeFirstByte: () => undefined,
    });
    const next = world.clock.now() + pauseMs * tries;
    if (!passing(report) || tries >= readTriesMax || next >= deadlineAtMs) return report;
    await world.clock.pause(pauseMs * tries);
  }
};

/** What a read may be told as read: by its contract where that names an answer, else any 2xx that reports no failure. */
const isAnswer = (
  { registration }: ToolVersion,
  given: Parameters<typeof replyFrom>[1],
): boolean => {
  const reply = replyFrom(registration, given);
  const good = reply.status >= 200 && reply.status < 300 && reply.reportsFailure !== true;
  const { says } = readReply(registration.contract, reply);
  return declaresSuccess(registration.contract)
    ? says === 'confirms' || says === 'accepts'
    : good && says !== 'nothing' && says !== 'disproves';
};

const toldOf = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  report: ToolReport,
): Promise<Told> => {
  const { item } = stand.action;
  if (report.kind !== 'reply') {
    const because =
      'because' in report
        ? cutTo(report.because, becauseBytesMax, 'It said more than is kept.')
        : 'The tool asks something; a read may not.';
    return { status: 'error', text: `Not read: ${item.tool.name}. ${because}` };
  }
  const { status, body } = report.reply;
  const result = await resultFrom(world.blobs, item.workspace, body);
  const good = isAnswer(tool, report.reply);
  return {
    status: good ? 'success' : 'error',
    text: good
      ? (result?.text ?? '(empty)')
      : `The destination answered ${status}. ${result?.text ?? ''}`,
    ...(result?.blob === undefined ? {} : { blob: result.blob }),
  };
};

const changeOf = (world: PerformWorld, stand: Stand, told: Told): Change => {
  const { item, rev } = stand.action;
  const { runId, actionId } = item;
  const good = told.status === 'success';
  const entry = item.head + 1;
  const at = nowIso(world.clock);
  return {
    conversation: stand.conversation,
    events: [
      good
        ? { type: 'action.confirmed', runId, actionId }
        : { type: 'action.not_performed', runId, actionId, because: 'The read did not succeed.' },
    ],
    writes: [
      {
        do: 'put',
        kind: 'observation',
        item: {
          schema: 1,
          observationId: ObservationId.parse(`obs_${world.minter.suffix()}`),
          actionId,
          entry,
          at,
          source: 'reply',
          by: 'perform',
          says: good ? 'confirms' : 'nothing',
          about: 'all',
          because: good ? 'The destination answered the read.' : 'The read did not succeed.',
          account: item.destination.account,
          environment: item.destination.environment,
        },
      },
      {
        do: 'replace',
        kind: 'action',
        item: {
          ...item,
          head: entry,
          effect: good ? 'confirmed' : 'not_sent',
          told,
          settledAt: at,
        },
        rev,
      },
    ],
  };
};

export const performRead = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  deadlineAtMs: number,
): Promise<void> => {
  const report = await tryRead(world, stand, tool, deadlineAtMs);
  const told = await toldOf(world, stand, tool, report);
  let now: Stand | undefined = stand;
  await world.decide<true>({
    round: async () => {
      const current: Stand = now ?? (await standAgain(world, stand));
      now = undefined;
      // A twin delivery was faster: its result is the one.
      if (current.action.item.told) return { kind: 'answer', answer: true };
      return { kind: 'commit', change: changeOf(world, current, told), answer: true };
    },
  });
};
