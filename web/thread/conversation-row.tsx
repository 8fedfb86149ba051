// One conversation in a list: its title, its marks, whose it is and when something last happened in it.
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useAgents } from '../api/queries.ts';
import type { ConversationSummary } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

export const useAgentNames = (): ReadonlyMap<string, string> => {
  const { data } = useAgents();
  return new Map(data?.map(({ agentId, configuration }) => [agentId, configuration.name]));
};

const Marks = ({
  of,
  current,
}: {
  readonly of: ConversationSummary;
  readonly current: boolean;
}): ReactNode => {
  const words = useWords();
  // What is before one's eyes was not missed, though the server may not know yet.
  const away = of.marks.finishedWhileAway && !current;
  if (of.marks.needsYou > 0)
    return (
      <span className="mark needs-you">
        <Icon name="hand" />
        {words.conversations.needsYou(of.marks.needsYou)}
      </span>
    );
  if (away)
    return (
      <span className="mark away">
        <Icon name={of.lastRun?.reason === 'failed' ? 'cross' : 'check'} />
        {words.conversations.away}
      </span>
    );
  if (of.activeRun !== undefined)
    return (
      <span className="mark working">
        <Icon name="dots" />
        {words.conversations.working}
      </span>
    );
  if (of.lastRun === undefined || of.lastRun.reason === 'done') return null;
  return <span className="mark">{words.runEnds[of.lastRun.reason]}</span>;
};

/** Only what changed is drawn anew, however long the list is. */
export const ConversationRow = memo(function ConversationRow({
  of,
  current,
  agent,
  excerpt,
}: {
  readonly of: ConversationSummary;
  readonly current: boolean;
  readonly agent: string | undefined;
  /** What a search found in it. */
  readonly excerpt?: string | undefined;
}): ReactNode {
  const words = useWords();
  return (
    <li>
      <Link
        href={`/c/${of.conversationId}`}
        className="conversation"
        aria-current={current ? 'page' : undefined}
        data-conversation={of.conversationId}
      >
        <span className="title">
          <Plain text={of.title || words.conversations.untitled} />
        </span>
        <Marks of={of} current={current} />
        {excerpt === undefined ? null : (
          <span className="under">
            <Plain text={excerpt} />
          </span>
        )}
        <span className="under">
          {agent === undefined ? null : (
            <>
              <Plain text={agent} /> ·{' '}
            </>
          )}
          <Time at={of.activeAt} />
        </span>
      </Link>
    </li>
  );
});
