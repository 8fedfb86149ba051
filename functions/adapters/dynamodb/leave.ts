// What allows or forbids an action's next attempt: its mandate, the tool's bar, the claim. Read together, consistently.
// The same items are checked again by engage's own transaction (L7); this reading is for verdicts and for people.
// Tested in test/functions/store.test.ts.
import type { Action } from '../../core/records/action.ts';
import type { MandateChange } from '../../core/records/mandate.ts';
import type { Leave } from '../../ports/store.ts';
import { type Attributes, parseItem } from './codec.ts';
import { type Key, keys } from './keys.ts';
import { readKeys, type StoreParts } from './read-keys.ts';

/** What the action acts under beside its agent's permission to use the tool. */
const ownMandateKey = ({ mandate, workspace, agentId }: Action): Key | undefined => {
  switch (mandate.kind) {
    case 'approval':
      return keys.approvalMandate(mandate.requestId);
    case 'grant':
      return keys.grant(workspace, agentId, mandate.requestId);
    case 'standing':
      return undefined;
  }
};

const changesOf = (found: {
  readonly standing: Attributes | undefined;
  readonly bar: Attributes | undefined;
}): MandateChange[] => {
  const standing = found.standing ? parseItem('standing', found.standing).item.changes : [];
  const bar = found.bar ? parseItem('bar', found.bar).item.changes : [];
  return [...standing, ...bar].toSorted((a, b) => a.at.localeCompare(b.at));
};

export const leaveOf = async (parts: StoreParts, action: Action): Promise<Leave> => {
  const { workspace, agentId, tool } = action;
  const own = ownMandateKey(action);
  const standing = keys.standingMandate(workspace, agentId, tool.name);
  const bar = keys.bar(workspace, tool.name);
  const claim = keys.claim(action.actionId);
  const items = await readKeys(parts, [...(own ? [own] : []), standing, bar, claim]);
  const find = (key: Key | undefined): Attributes | undefined =>
    items.find((item) => item.pk?.S === key?.pk && item.sk?.S === key?.sk);
  const found = {
    own: find(own),
    standing: find(standing),
    bar: find(bar),
    claim: find(claim),
  };
  const approval =
    action.mandate.kind === 'approval' && found.own
      ? parseItem('mandate', found.own).item
      : undefined;
  const grant =
    action.mandate.kind === 'grant' && found.own ? parseItem('grant', found.own).item : undefined;
  return {
    approval,
    grant,
    changes: changesOf(found),
    mandateRevokedAt: found.own?.revokedAt?.S ?? found.standing?.revokedAt?.S,
    barredAt: found.bar?.barredAt?.S,
    claim: found.claim ? parseItem('claim', found.claim) : undefined,
  };
};
