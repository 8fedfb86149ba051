// What a search found, how far back it looked, and what it does not look at.
import { type ReactNode, useEffect, useState } from 'react';
import { useSearch } from '../api/lists.ts';
import type { SearchHit } from '../api/types.ts';
import { settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { Loaded } from '../parts/notes.tsx';
import { absoluteIn } from '../parts/time.tsx';
import { useWords, type Words } from '../words/index.tsx';
import { ConversationRow, useAgentNames } from './conversation-row.tsx';

/** Each pause in typing is looked for, not each letter. */
const settleMs = 250;

/** The text once it has stayed the same for a moment; at once when it is empty. */
export const useSettled = (text: string): string => {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : settled;
};

/** Found again by an older message, a conversation stays where it was. */
const eachOnce = (hits: readonly SearchHit[]): readonly SearchHit[] =>
  [
    ...new Map(hits.toReversed().map((hit) => [hit.conversation.conversationId, hit])).values(),
  ].toReversed();

/** The latest of the dates: since then everything was searched. */
const sinceOf = (searched: {
  readonly titlesFrom?: string | undefined;
  readonly messagesFrom?: string | undefined;
  readonly answersFrom?: string | undefined;
}) =>
  [searched.titlesFrom, searched.messagesFrom, searched.answersFrom]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);

/** Whose words they are is said where they are an agent's. */
const excerptIn = (
  found: SearchHit['found'],
  { answered }: Words['conversations'],
): string | undefined => {
  if (found.in === 'title') return undefined;
  return found.in === 'answer' ? answered(found.excerpt) : found.excerpt;
};

const Hits = ({
  hits,
  current,
}: {
  readonly hits: readonly SearchHit[];
  readonly current: string | undefined;
}): ReactNode => {
  const names = useAgentNames();
  const { conversations: words } = useWords();
  return (
    <ul className="rows">
      {hits.map(({ conversation, found }) => (
        <ConversationRow
          key={conversation.conversationId}
          of={conversation}
          current={conversation.conversationId === current}
          agent={names.get(conversation.agentId)}
          excerpt={excerptIn(found, words)}
        />
      ))}
    </ul>
  );
};

export const Found = ({
  text,
  current,
}: {
  readonly text: string;
  readonly current: string | undefined;
}): ReactNode => {
  const { conversations: words } = useWords();
  const { language } = useStore(settings);
  const asked = useSearch(text);
  return (
    <>
      <p className="hint">{words.searched}</p>
      <Loaded asked={asked}>
        {({ pages }) => {
          const hits = eachOnce(pages.flatMap(({ items }) => items));
          const since = sinceOf(pages.at(-1)?.searched ?? {});
          return (
            <>
              <p role="status" className="hint">
                {hits.length === 0 ? words.noneFound : words.found(hits.length)}{' '}
                {since === undefined
                  ? null
                  : words.searchedFrom(absoluteIn(language, Date.parse(since), false))}
              </p>
              <Hits hits={hits} current={current} />
              {asked.hasNextPage ? (
                <button
                  type="button"
                  className="quiet"
                  disabled={asked.isFetchingNextPage}
                  onClick={() => void asked.fetchNextPage()}
                >
                  {asked.isFetchingNextPage ? words.searching : words.searchFurther}
                </button>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </>
  );
};
