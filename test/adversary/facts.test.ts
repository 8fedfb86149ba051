// More open ends than a step has room for: none is left out silently. What does not fit as a sentence is named with its state, and
// what could not be remembered by name is said as a number. Laws: L16.

import { describe, expect, test } from 'vitest';
import { jsonBytes } from '../../functions/core/base/cut.ts';
import { ActionId } from '../../functions/core/base/ids.ts';
import { stepFactBytesMax } from '../../functions/core/base/limits.ts';
import type { Action } from '../../functions/core/records/action.ts';
import { factsFor, factsMax, remembered } from '../../functions/core/records/facts.ts';
import type { FoldedAction } from '../../functions/core/records/folded.ts';
import { storeStep } from '../../functions/core/turn/plan.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { aConversation, aRun, idOf } from './parts.ts';

const open = (number: number, more: Partial<Action> = {}): FoldedAction =>
  anAction({
    actionId: ActionId.parse(idOf('act', number)),
    attempts: 1,
    effect: 'undetermined',
    told: { status: 'error', text: 'Undetermined.' },
    ...more,
  });
const opens = (count: number): FoldedAction[] =>
  Array.from({ length: count }, (_, index) => open(index));

describe('a conversation with more open ends than one step can tell in full', () => {
  test('names every one of them, with its state, within the step’s share', () => {
    const actions = opens(factsMax).map((action) => ({ ...action, reference: 'r'.repeat(2_000) }));
    const { text = '', rest } = factsFor(actions, 1);
    for (const { actionId } of actions) expect(text).toContain(actionId);
    expect(text).toMatch(/And \d+ more: act_\d+ \(undetermined\)/);
    expect(jsonBytes(text)).toBeLessThanOrEqual(stepFactBytesMax);
    expect(rest).toHaveLength(factsMax);
  });

  test('tells up to fifty in full, and says nothing of more where there are none', () => {
    const { text = '' } = factsFor(opens(50), 1);
    expect(text.split('\n')).toHaveLength(51);
    expect(text).not.toContain('more');
  });

  test('counts what it cannot remember by name, and the next step says the number once', () => {
    let conversation = aConversation().item;
    for (const action of opens(factsMax + 3))
      conversation = remembered(conversation, { ...action, effect: 'engaged' }, action);
    expect(conversation.facts).toHaveLength(factsMax);
    expect(conversation.factsBeyond).toBe(3);
    expect(factsFor(opens(factsMax), 1, 3).text).toContain('And 3 more that are not named here');
    expect(factsFor([], 7, 3).text).toContain('And 3 more that are not named here');
    const { change } = storeStep(
      { item: conversation, rev: 1 },
      aRun(),
      {
        step: 1,
        attempt: 'mdl',
        text: '',
        calls: [],
        took: [],
        facts: 'said',
        factsTold: [],
        factsBeyondTold: 3,
        results: [],
        usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, callId: 'c', model: 'm' },
      },
      at(startMs),
    );
    expect(change.conversationNext?.factsBeyond).toBeUndefined();
    expect(change.conversationNext?.facts).toHaveLength(factsMax);
  });
});
