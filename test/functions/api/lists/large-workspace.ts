// A workspace of ten thousand conversations: three a quarter of an hour, each with a run, over a hundred days. Owns: that data,
// and what must be found in it.
import {
  ConversationId,
  MessageId,
  RequestId,
  RunId,
} from '../../../../functions/core/base/ids.ts';
import { noUsage, type RunState } from '../../../../functions/core/records/run.ts';
import { agentId, approvalWith, isoAt, runWith, workspace } from '../../../core/samples.ts';
import { conversationOf } from '../../../fakes/items.ts';
import type { Rig } from '../rig.ts';

const dayMs = 86_400_000;
export const count = 10_000;
export const days = 100;
export const perDay = count / days;

const suffix = (number: number): string => String(number).padStart(26, '0');
export const conversationIdOf = (number: number) => ConversationId.parse(`cnv_${suffix(number)}`);
export const runIdOf = (number: number) => RunId.parse(`run_${suffix(number)}`);

/** What the agent said last in some of the runs; the run of number 9907 goes on. */
export const answered: { readonly [number: number]: string } = {
  9907: 'I look at the harbour in Málaga.',
  9955: 'The harbour of Málaga is open until nine.',
  512: 'The harbour of Málaga was closed.',
};

/** Every tenth failed, every hundredth goes on; number 0 is the oldest. */
const stateOf = (number: number, at: string): RunState => {
  if (number % 100 === 7) return { status: 'running' };
  const reason = number % 10 === 3 ? 'failed' : 'done';
  return { status: 'finished', reason, detail: 'Over.', at };
};

/** Fills the workspace; its last day is the one of `endMs`, given as the beginning of the day after. */
export const fill = (rig: Pick<Rig, 'putMany'>, endMs: number): void => {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const atOf = (number: number): string =>
    isoAt(endMs - days * dayMs + Math.floor(number / perDay) * dayMs + (number % perDay) * 60_000);
  const active = (number: number): boolean => number % 100 === 7;
  rig.putMany(
    'conversation',
    numbers.map((number) => ({
      ...conversationOf(workspace, conversationIdOf(number), agentId),
      title: `Order ${number}`,
      createdAt: atOf(number),
      eventNumber: 9,
      runs: 1,
      ...(active(number)
        ? { activeRun: runIdOf(number) }
        : { lastRun: { runId: runIdOf(number), reason: 'done' as const }, lastFinished: 9 }),
    })),
  );
  rig.putMany(
    'run',
    numbers.map((number) =>
      runWith({
        runId: runIdOf(number),
        conversationId: conversationIdOf(number),
        startedAt: atOf(number),
        touchedAt: atOf(number),
        state: stateOf(number, atOf(number)),
        usage: { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 0 },
      }),
    ),
  );
  rig.putMany(
    'step',
    Object.entries(answered).map(([number, text]) => ({
      schema: 1 as const,
      runId: runIdOf(Number(number)),
      step: 1,
      attempt: 'one',
      text,
      calls: [],
      took: [],
      results: [],
      usage: { ...noUsage, callId: 'call', model: 'scripted' },
      at: atOf(Number(number)),
    })),
  );
  rig.putMany(
    'message',
    numbers.map((number) => ({
      schema: 1,
      workspace,
      conversationId: conversationIdOf(number),
      messageId: MessageId.parse(`msg_${suffix(number)}`),
      number: 1,
      text: number === 1_234 ? 'Où en est la réunion de Zürich ?' : `Please look at ${number}.`,
      author: { kind: 'person', subject: 'ben', name: 'Ben' },
      at: atOf(number),
      fate: { fate: 'started', runId: runIdOf(number) },
    })),
  );
};

/** A thousand approvals of the last day, one a minute; the first is the oldest. */
export const ask = (rig: Pick<Rig, 'putMany'>, endMs: number, requests: number): void => {
  rig.putMany(
    'request',
    Array.from({ length: requests }, (_, number) =>
      approvalWith({
        requestId: RequestId.parse(`req_${suffix(number)}`),
        conversationId: conversationIdOf(number),
        openedAt: isoAt(endMs - (requests - number) * 60_000),
        expiresAtMs: endMs + dayMs,
      }),
    ),
  );
};
