// What people, models and destinations can make large: every transaction and every item stays within what DynamoDB takes, so that
// nothing blocks a conversation for ever. Laws: L11, L16.
import { describe, expect, test } from 'vitest';
import { cutTo, jsonBytes, shareOf } from '../../functions/core/base/cut.ts';
import { ActionId, type MessageId, RequestId, RunId } from '../../functions/core/base/ids.ts';
import { messagesAtOnceMax } from '../../functions/core/base/limits.ts';
import { Step } from '../../functions/core/records/step.ts';
import { askUser } from '../../functions/core/registry/ask-user.ts';
import { finishRun } from '../../functions/core/turn/finish.ts';
import { storeStep, takenAtOnce } from '../../functions/core/turn/plan.ts';
import { postMessage } from '../../functions/core/turn/post-message.ts';
import { resultsOf } from '../../functions/wiring/transcript.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { aConversation, agent, aMessage, aRun, idOf, operationsIn, runId } from './parts.ts';

const many = Array.from({ length: 100 }, (_, index) => aMessage(index + 1));
const nothing = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

describe('a hundred messages wait', () => {
  test('a stopped run holds every one of them once, in transactions that fit', () => {
    const fates = new Map<MessageId, number>();
    let pending = many;
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const finished = finishRun({
        conversation: aConversation({ pending: pending.map(({ item }) => item.messageId) }),
        run: aRun({
          state: { status: 'stopping', by: 'Ana', since: at(startMs), blocking: [] },
        }),
        pending,
        requests: [],
        actions: [],
        agent,
        reason: 'stopped',
        detail: undefined,
        nextRunId: RunId.parse(idOf('run', 1)),
        nowIso: at(startMs),
      });
      if (finished.kind !== 'change' && finished.kind !== 'hold_first')
        throw new Error(`It neither ends nor holds: ${finished.kind}.`);
      expect(operationsIn(finished.change)).toBeLessThanOrEqual(100);
      for (const write of finished.change.writes)
        if (write.do === 'replace' && write.kind === 'message')
          fates.set(write.item.messageId, (fates.get(write.item.messageId) ?? 0) + 1);
      if (finished.kind === 'change') break;
      const left = new Set(finished.change.conversationNext?.pending);
      pending = pending.filter(({ item }) => left.has(item.messageId));
    }
    expect([...fates.values()]).toEqual(many.map(() => 1));
  });

  test('a step takes the oldest, and fits with sixteen calls that ask', () => {
    const took = takenAtOnce(many.toReversed());
    expect(took.map(({ item }) => item.number)).toEqual(
      Array.from({ length: messagesAtOnceMax }, (_, index) => index + 1),
    );
    const { change } = storeStep(
      aConversation({ pending: many.map(({ item }) => item.messageId) }),
      aRun(),
      {
        step: 1,
        attempt: 'mdl',
        text: '',
        calls: Array.from({ length: 16 }, (_, index) => ({
          kind: 'valid' as const,
          name: 'ask_user',
          arguments: {},
          tool: askUser,
          gate: { on: 'approval' as const },
          actionId: ActionId.parse(idOf('act', index)),
          requestId: RequestId.parse(idOf('req', index)),
        })),
        took,
        facts: undefined,
        factsTold: [],
        results: [],
        usage: { ...nothing, callId: 'c', model: 'm' },
      },
      at(startMs),
    );
    expect(operationsIn(change)).toBeLessThanOrEqual(100);
    expect(change.conversationNext?.pending).toHaveLength(100 - messagesAtOnceMax);
  });

  test('one that is huge is taken alone', () => {
    const huge = 'x'.repeat(1024 * 1024);
    const waiting = [aMessage(1, huge), aMessage(2), aMessage(3)];
    expect(takenAtOnce(waiting).map(({ item }) => item.number)).toEqual([1]);
  });
});

test('a message that its item could not hold is refused, whatever its characters', () => {
  const post = (text: string) =>
    postMessage({
      conversation: aConversation(),
      agent,
      message: { ...aMessage(1).item, text },
      runId,
      nowIso: at(startMs),
    });
  expect(post('\u0001'.repeat(99_000))).toEqual({ kind: 'refused', because: 'too_long' });
  expect(post('界'.repeat(99_000)).kind).toBe('change');
});

describe('sixteen large results', () => {
  const text = `"${'\n'.repeat(64 * 1024 - 2)}"`;
  const actions = Array.from({ length: 16 }, (_, index) =>
    anAction({
      actionId: ActionId.parse(idOf('act', index)),
      told: { status: 'success', text: index === 0 ? 'small' : text },
    }),
  );
  const step = Step.parse({
    schema: 1,
    runId,
    step: 1,
    attempt: 'mdl',
    text: '',
    calls: actions.map(({ actionId }) => ({
      kind: 'action',
      actionId,
      name: 'note',
      arguments: {},
    })),
    took: [],
    results: [],
    usage: { ...nothing, callId: 'c', model: 'm' },
    at: at(startMs),
  });

  test('fit into one step; the large ones are cut and say so, the small one is whole', () => {
    const results = resultsOf(step, actions);
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(128 * 1024);
    expect(results).toHaveLength(16);
    expect(results[0]?.told.text).toBe('small');
    expect(results[15]?.told.text).toMatch(/\[Cut here: \d+ of 65536 characters are shown\./);
  });

  test('a cut leaves no half character, and what fits is not touched', () => {
    expect(cutTo('short', 100, 'why')).toBe('short');
    expect(cutTo('😀'.repeat(100), 51, 'why')).toMatch(/^(😀)+\n\[Cut here/u);
    expect(jsonBytes('"')).toBe(4);
    expect(shareOf([1, 10, 10], 11)).toBe(5);
    expect(shareOf([1, 2, 3], 11)).toBe(11);
  });
});
