// What allows or forbids an action's next attempt: its mandate, the tool's bar, the claim. Read together, consistently.
// The same items are checked again by engage's own transaction (L7); this reading is for verdicts and for people.
import type { Action } from '../../core/action.ts';
import type { MandateChange } from '../../core/mandate.ts';
import type { Leave } from '../../ports/store.ts';
import { type Attributes, parseItem } from './codec.ts';
import { type Key, keys } from './keys.ts';
import { readKeys, type StoreParts } from './read-keys.ts';

const mandateKey = ({ mandate, workspace, agentId, tool }: Action): Key => {
  switch (mandate.kind) {
    case 'approval':
      return keys.approvalMandate(mandate.requestId);
    case 'grant':
      return keys.grant(workspace, agentId, mandate.requestId);
    case 'standing':
      return keys.standingMandate(workspace, agentId, tool.name);
  }
};

const changesOf = (
  action: Action,
  found: { readonly mandate: Attributes | undefined; readonly bar: Attributes | undefined },
): MandateChange[] => {
  const standing =
    action.mandate.kind === 'standing' && found.mandate
      ? parseItem('standing', found.mandate).item.changes
      : [];
  const bar = found.bar ? parseItem('bar', found.bar).item.changes : [];
  return [...standing, ...bar].toSorted((a, b) => a.at.localeCompare(b.at));
};

export const leaveOf = async (parts: StoreParts, action: Action): Promise<Leave> => {
  const mandate = mandateKey(action);
  const bar = keys.bar(action.workspace, action.tool.name);
  const claim = keys.claim(action.actionId);
  const items = await readKeys(parts, [mandate, bar, claim]);
  const find = (key: Key): Attributes | undefined =>
    items.find((item) => item.pk?.S === key.pk && item.sk?.S === key.sk);
  const found = { mandate: find(mandate), bar: find(bar), claim: find(claim) };
  const approval =
    action.mandate.kind === 'approval' && found.mandate
      ? parseItem('mandate', found.mandate).item
      : undefined;
  return {
    approval,
    changes: changesOf(action, found),
    mandateRevokedAt: found.mandate?.revokedAt?.S,
    barredAt: found.bar?.barredAt?.S,
    claim: found.claim ? parseItem('claim', found.claim) : undefined,
  };
};
