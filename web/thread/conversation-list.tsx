// The list of conversations with its two marks, a search and a filter. Keeps its place: what is new is announced first.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAgents, useConversations } from '../api/queries.ts';
import type { ConversationSummary } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

const filters = ['all', 'needsYou', 'unread', 'working'] as const;
type Filter = (typeof filters)[number];

const useAgentNames = (): ReadonlyMap<string, string> => {
  const { data } = useAgents();
  return new Map(data?.map(({ agentId, configuration }) => [agentId, configuration.name]));
};

interface Looked {
  readonly text: string;
  readonly filter: Filter;
}

const useFitting = (all: readonly ConversationSummary[], { text, filter }: Looked) => {
  const names = useAgentNames();
  const wanted = text.trim().toLowerCase();
  return all.filter((one) => {
    if (filter === 'needsYou' && one.marks.needsYou === 0) return false;
    if (filter === 'unread' && !one.marks.finishedWhileAway) return false;
    if (filter === 'working' && one.activeRun === undefined) return false;
    const searched = `${one.title} ${one.conversationId} ${names.get(one.agentId) ?? ''}`;
    return wanted === '' || searched.toLowerCase().includes(wanted);
  });
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

const Row = ({
  of,
  current,
  agent,
}: {
  readonly of: ConversationSummary;
  readonly current: boolean;
  readonly agent: string | undefined;
}): ReactNode => {
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
        <span className="under">
          {agent === undefined ? null : <Plain text={agent} />} <Time at={of.createdAt} />
        </span>
      </Link>
    </li>
  );
};

const Rows = ({
  all,
  looked,
  current,
}: {
  readonly all: readonly ConversationSummary[];
  readonly looked: Looked;
  readonly current: string | undefined;
}): ReactNode => {
  const words = useWords();
  const names = useAgentNames();
  const shown = useFitting(all, looked);
  if (all.length === 0)
    return (
      <Empty title={words.conversations.empty}>
        <p>{words.conversations.emptyHint}</p>
        <Link href="/new" className="button main">
          {words.conversations.new}
        </Link>
      </Empty>
    );
  return (
    <>
      <p className="for-ears" role="status">
        {words.conversations.shown(shown.length)}
      </p>
      {shown.length === 0 ? <p className="note">{words.conversations.noneFits}</p> : null}
      <ul className="rows">
        {shown.map((one) => (
          <Row
            key={one.conversationId}
            of={one}
            current={one.conversationId === current}
            agent={names.get(one.agentId)}
          />
        ))}
      </ul>
    </>
  );
};

const Filters = ({
  filter,
  choose,
}: {
  readonly filter: Filter;
  readonly choose: (filter: Filter) => void;
}): ReactNode => {
  const words = useWords();
  return (
    <fieldset className="filters">
      <legend className="for-ears">{words.conversations.filterLabel}</legend>
      {filters.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={filter === name}
          onClick={() => choose(name)}
        >
          {words.conversations.filters[name]}
        </button>
      ))}
    </fieldset>
  );
};

export const ConversationList = ({
  current,
}: {
  readonly current: string | undefined;
}): ReactNode => {
  const words = useWords();
  const [pages, setPages] = useState(1);
  const [looked, setLooked] = useState<Looked>({ text: '', filter: 'all' });
  const asked = useConversations(pages);
  return (
    <section className="list-pane" aria-labelledby="conversations-title">
      <div className="list-head">
        <h1 id="conversations-title">{words.conversations.title}</h1>
        <Link href="/new" className="button main">
          <Icon name="plus" />
          {words.conversations.new}
        </Link>
      </div>
      <input
        type="search"
        data-key="search"
        placeholder={words.conversations.search}
        aria-label={words.conversations.searchLabel}
        value={looked.text}
        onChange={({ target }) => setLooked({ ...looked, text: target.value })}
      />
      <Filters filter={looked.filter} choose={(filter) => setLooked({ ...looked, filter })} />
      <Loaded asked={asked}>
        {({ items, more }) => (
          <>
            <Rows all={items} looked={looked} current={current} />
            {more ? (
              <button type="button" className="quiet" onClick={() => setPages(pages + 1)}>
                {words.conversations.more}
              </button>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  );
};
