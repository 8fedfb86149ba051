// What the next model call must be told beside its own results: actions the agent was told were open, and what became of them.
// Owns: the conversation's list of such actions, and the words. Laws: L16 (facts in fixed words).
import type { Action } from './action.ts';
import type { Conversation } from './conversation.ts';
import { isSettled } from './reply.ts';
import { toldEffect } from './told.ts';

/** More open ends than this are named by count: the desk has the list. */
export const factsMax = 50;

/** What is known of it now is not what its agent was told, if it was told anything. */
const isNews = (before: Action, after: Action, runOver: boolean): boolean => {
  // A call whose run is over has no reader, and no call waits for a reissue: what they are told is read nowhere else.
  if (before.told === undefined)
    return after.told !== undefined && (runOver || after.reissueOf !== undefined);
  return (
    after.effect !== before.effect ||
    after.contradicted !== before.contradicted ||
    after.disposition.kind !== before.disposition.kind
  );
};

/**
 * The conversation after an action changed: an action whose agent was told something other than what is known now, or was
 * told that it is open, is remembered for the next model call.
 */
export const remembered = (
  conversation: Conversation,
  before: Action,
  after: Action,
  runOver = false,
): Conversation => {
  const open = after.told !== undefined && !isSettled(after.effect) && after.attempts > 0;
  const known = conversation.facts.includes(after.actionId);
  if ((!open && !isNews(before, after, runOver)) || known) return conversation;
  if (conversation.facts.length >= factsMax) return conversation;
  return { ...conversation, facts: [...conversation.facts, after.actionId] };
};

const factOf = (action: Action): string => {
  const disposition =
    action.disposition.kind === 'open' ? '' : ` A person has ${action.disposition.kind} it.`;
  const twin =
    action.disposition.kind === 'reissued' ? ` New action: ${action.disposition.as}.` : '';
  const original =
    action.reissueOf === undefined ? '' : ` It was issued anew for ${action.reissueOf}.`;
  const also =
    action.duplicateOf === undefined ? '' : ` ${action.duplicateOf} was carried out as well.`;
  const disputed = action.contradicted ? ' The evidence disagrees.' : '';
  return `- ${toldEffect(action, '').text}${disposition}${twin}${original}${also}${disputed}`;
};

export interface Facts {
  readonly text: string | undefined;
  /** What stays to be told again, because it is still open. */
  readonly rest: readonly Action['actionId'][];
}

/** It was sent, its outcome is not known, and nobody has closed it. */
const isOpen = ({ effect, attempts, disposition }: Action): boolean =>
  !isSettled(effect) &&
  attempts > 0 &&
  (disposition.kind === 'open' || disposition.kind === 'suspended');

/** At the first step of a run everything is told; in mid-run only what is new. */
export const factsFor = (actions: readonly Action[], step: number): Facts => {
  const tells = actions.filter((action) => step === 1 || !isOpen(action));
  const rest = actions.filter(isOpen);
  return {
    text:
      tells.length === 0
        ? undefined
        : `Facts from the ledger about earlier actions:\n${tells.map(factOf).join('\n')}`,
    rest: rest.map(({ actionId }) => actionId),
  };
};
