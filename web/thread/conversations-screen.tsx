// Conversations: the list beside the thread; on a narrow screen one after the other.
import type { ReactNode } from 'react';
import { useParams, useRoute } from 'wouter';
import { useWords } from '../words/index.tsx';
import { ConversationList } from './conversation-list.tsx';
import { NewConversation } from './new-conversation.tsx';
import { Thread } from './thread.tsx';

const Right = ({ id }: { readonly id: string | undefined }): ReactNode => {
  const words = useWords();
  const [beginning] = useRoute('/new');
  if (beginning) return <NewConversation />;
  if (id !== undefined) return <Thread key={id} id={id} />;
  return (
    <section className="thread-pane nothing">
      <p className="note">{words.conversations.emptyHint}</p>
    </section>
  );
};

export const ConversationsScreen = (): ReactNode => {
  const { id } = useParams<{ id?: string }>();
  const [beginning] = useRoute('/new');
  return (
    <div className="conversations" data-open={id !== undefined || beginning}>
      <ConversationList current={id} />
      <Right id={id} />
    </div>
  );
};
