// A sender takes back a message that nobody has read yet. Laws: L11 (withdrawn before it was taken, or not at all).
// Tested in test/core/turn/runs.test.ts.
import type { Change, Versioned } from '../records/change.ts';
import type { Conversation, Message } from '../records/conversation.ts';

export type Withdrawn =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'refused'; readonly because: 'taken' | 'not_sender' | 'withdrawn' };

export const withdraw = (
  conversation: Versioned<Conversation>,
  message: Versioned<Message>,
  subject: string,
  nowIso: string,
): Withdrawn => {
  const { item } = message;
  if (item.author.subject !== subject) return { kind: 'refused', because: 'not_sender' };
  if (item.fate.fate === 'withdrawn') return { kind: 'refused', because: 'withdrawn' };
  if (item.fate.fate !== 'waiting' && item.fate.fate !== 'held')
    return { kind: 'refused', because: 'taken' };
  return {
    kind: 'change',
    change: {
      conversation,
      conversationNext: {
        ...conversation.item,
        pending: conversation.item.pending.filter((id) => id !== item.messageId),
      },
      events: [{ type: 'message.withdrawn', messageId: item.messageId }],
      writes: [
        {
          do: 'replace',
          kind: 'message',
          item: { ...item, fate: { fate: 'withdrawn', at: nowIso } },
          rev: message.rev,
        },
      ],
    },
  };
};
