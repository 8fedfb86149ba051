// Gives a call its result without sending anything more: stopped, refused by a mandate that is gone, or told as it stands.
// Owns: that change. Laws: L7 (after a revocation nothing opens), L16 (exactly one result).
// Tested in test/functions/run/release.test.ts.
import type { Action, Disposition, Told } from '../records/action.ts';
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import { remembered } from '../records/facts.ts';

export interface Telling {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly told: Told;
  /** Why it will never be sent; undefined when something was sent and only the agent is told. */
  readonly never: { readonly kind: 'refused' | 'stopped'; readonly because: string } | undefined;
  readonly nowIso: string;
}

export const tell = ({ conversation, action, told, never, nowIso }: Telling): Change => {
  const { item, rev } = action;
  const disposition: Disposition =
    never === undefined ? item.disposition : { ...never, by: 'reprise', at: nowIso };
  const after: Action = {
    ...item,
    ...(never === undefined ? {} : { head: item.head + 1 }),
    disposition,
    told,
  };
  return {
    conversation,
    conversationNext: remembered(conversation.item, item, after),
    events:
      never === undefined
        ? []
        : [
            {
              type: 'action.decided',
              runId: item.runId,
              actionId: item.actionId,
              decision: never.kind,
              by: 'Reprise',
            },
          ],
    writes: [{ do: 'replace', kind: 'action', item: after, rev }],
  };
};
