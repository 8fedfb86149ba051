// What the next model call must be told beside its own results: actions the agent was told were open, and what became of them.
// Owns: the conversation's list of such actions, and the words. Laws: L16 (facts in fixed words).
// Tested in test/adversary/facts.test.ts.

import { jsonBytes } from '../base/cut.ts';
import { stepFactBytesMax } from '../base/limits.ts';
import type { Action } from './action.ts';
import { isSettled } from './action.ts';
import type { Conversation } from './conversation.ts';
import type { FoldedAction } from './folded.ts';
import { toldEffect } from './told.ts';

/** So many are remembered by name; how many more there were is remembered as a number. */
export const factsMax = 250;

/** So many are told in full at once, the others with their name and what became of them. */
const factsInFullMax = 50;
/** What sentences may take of a step's share: the rest is for the names of the others. */
const fullBytesMax = stepFactBytesMax / 2;

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
  if (conversation.facts.length >= factsMax)
    return { ...conversation, factsBeyond: (conversation.factsBeyond ?? 0) + 1 };
  return { ...conversation, facts: [...conversation.facts, after.actionId] };
};

const factOf = (action: FoldedAction): string => {
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

/** Its name and its state, where there is no room for a sentence. */
const shortOf = ({ actionId, effect, disposition }: Action): string =>
  `${actionId} (${disposition.kind === 'open' ? effect : `${effect}, ${disposition.kind}`})`;

const textOf = (tells: readonly FoldedAction[], beyond: number): string => {
  const lines: string[] = [];
  let bytes = 0;
  for (const action of tells.slice(0, factsInFullMax)) {
    const line = factOf(action);
    bytes += jsonBytes(line);
    if (bytes > fullBytesMax) break;
    lines.push(line);
  }
  const others = tells.slice(lines.length);
  const named = others.map(shortOf).join(', ');
  return [
    'Facts from the ledger about earlier actions:',
    ...lines,
    ...(others.length === 0 ? [] : [`- And ${others.length} more: ${named}.`]),
    ...(beyond === 0
      ? []
      : [`- And ${beyond} more that are not named here: the recovery desk lists them.`]),
  ].join('\n');
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

/**
 * At the first step of a run everything is told; in mid-run only what is new. None is left out: what does not fit as a sentence is
 * named with its state, and of what the conversation could not remember by name (`beyond`) the number is said.
 */
export const factsFor = (actions: readonly FoldedAction[], step: number, beyond = 0): Facts => {
  const tells = actions.filter((action) => step === 1 || !isOpen(action));
  const rest = actions.filter(isOpen);
  return {
    text: tells.length === 0 && beyond === 0 ? undefined : textOf(tells, beyond),
    rest: rest.map(({ actionId }) => actionId),
  };
};
