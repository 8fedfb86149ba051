// What the next model call must be told beside its own results: actions the agent was told were open, and what became of them.
// Owns: the conversation's list of such actions, and the words. Laws: L16 (facts in fixed words).
import type { Action } from './action.ts';
import type { Conversation } from './conversation.ts';
import { isSettled } from './reply.ts';
import { toldEffect } from './told.ts';

/** More open ends than this are named by count: the desk has the list. */
export const factsMax = 50;

/**
 * The conversation after an action changed: an action whose agent was told something other than what is known now, or was
 * told that it is open, is remembered for the next model call.
 */
export const remembered = (
  conversation: Conversation,
  before: Action,
  after: Action,
): Conversation => {
  const open = after.told !== undefined && !isSettled(after.effect) && after.attempts > 0;
  const news =
    before.told !== undefined &&
    (after.effect !== before.effect || after.disposition.kind !== before.disposition.kind);
  const known = conversation.facts.includes(after.actionId);
  if ((!open && !news) || known || conversation.facts.length >= factsMax) return conversation;
  return { ...conversation, facts: [...conversation.facts, after.actionId] };
};

const factOf = (action: Action): string => {
  const disposition =
    action.disposition.kind === 'open' ? '' : ` A person has ${action.disposition.kind} it.`;
  const twin =
    action.disposition.kind === 'reissued' ? ` New action: ${action.disposition.as}.` : '';
  return `- ${toldEffect(action, '').text}${disposition}${twin}`.trim();
};

export interface Facts {
  readonly text: string | undefined;
  /** What stays to be told again, because it is still open. */
  readonly rest: readonly Action['actionId'][];
}

/** At the first step of a run everything open is told; in mid-run only what is new. */
export const factsFor = (actions: readonly Action[], step: number): Facts => {
  const tells = actions.filter((action) => step === 1 || isSettled(action.effect));
  const rest = actions.filter((action) => !isSettled(action.effect));
  return {
    text:
      tells.length === 0
        ? undefined
        : `Facts from the ledger about earlier actions:\n${tells.map(factOf).join('\n')}`,
    rest: rest.map(({ actionId }) => actionId),
  };
};
