// The list of conversations with its two marks, a search and filters, all of them the server's, so that they reach as far back
// as there is anything. Keeps its place: what is new is announced first.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Book } from '../api/book.ts';
import type { Narrowing } from '../api/calls.ts';
import { useConversations } from '../api/lists.ts';
import { useAgents } from '../api/queries.ts';
import type { ConversationSummary } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { MoreOf, NewOf } from '../parts/long-list.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { ConversationRow, useAgentNames } from './conversation-row.tsx';
import { Found, useSettled } from './conversation-search.tsx';

const filters = { all: '', needsYou: 'needs_you', unread: 'unread', working: 'working' } as const;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as readonly Filter[];

interface Looked {
  readonly text: string;
  readonly filter: Filter;
  readonly agentId: string;
}

const Rows = ({
  book,
  narrow,
  current,
}: {
  readonly book: Book<ConversationSummary>;
  readonly narrow: boolean;
  readonly current: string | undefined;
}): ReactNode => {
  const words = useWords();
  const names = useAgentNames();
  const { rows, next } = book;
  if (rows.length === 0 && next === undefined && !narrow)
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
        {words.conversations.shown(rows.length)}
      </p>
      {rows.length === 0 ? (
        <p className="note">{words.conversations.noneFits}</p>
      ) : (
        <p className="hint">{words.conversations.ordered}</p>
      )}
      <ul className="rows">
        {rows.map((one) => (
          <ConversationRow
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

const Listed = ({
  narrowing,
  current,
}: {
  readonly narrowing: Narrowing;
  readonly current: string | undefined;
}): ReactNode => {
  const words = useWords();
  const shown = useConversations(narrowing, current);
  const narrow = Object.values(narrowing).some((value) => value !== '');
  return (
    <Loaded asked={shown}>
      {(book) => (
        <>
          <NewOf shown={shown} label={words.conversations.fresh(book.held.length)} />
          <Rows book={book} narrow={narrow} current={current} />
          <MoreOf
            shown={shown}
            label={narrow ? words.conversations.lookFurther : words.conversations.more}
          />
        </>
      )}
    </Loaded>
  );
};

const Filters = ({
  looked,
  look,
}: {
  readonly looked: Looked;
  readonly look: (looked: Looked) => void;
}): ReactNode => {
  const words = useWords();
  const agents = useAgents().data ?? [];
  return (
    <fieldset className="filters">
      <legend className="for-ears">{words.conversations.filterLabel}</legend>
      {filterNames.map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={looked.filter === filter}
          onClick={() => look({ ...looked, filter })}
        >
          {words.conversations.filters[filter]}
        </button>
      ))}
      {agents.length < 2 ? null : (
        <select
          aria-label={words.conversations.only}
          value={looked.agentId}
          onChange={({ target }) => look({ ...looked, agentId: target.value })}
        >
          <option value="">{words.conversations.allAgents}</option>
          {agents.map(({ agentId, configuration: { name } }) => (
            <option key={agentId} value={agentId}>
              {name}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
};

export const ConversationList = ({
  current,
}: {
  readonly current: string | undefined;
}): ReactNode => {
  const words = useWords();
  const [looked, look] = useState<Looked>({ text: '', filter: 'all', agentId: '' });
  const text = useSettled(looked.text.trim());
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
        maxLength={200}
        value={looked.text}
        onChange={({ target }) => look({ ...looked, text: target.value })}
      />
      {text === '' ? (
        <>
          <Filters looked={looked} look={look} />
          <Listed
            narrowing={{ mark: filters[looked.filter], agentId: looked.agentId }}
            current={current}
          />
        </>
      ) : (
        <Found text={text} current={current} />
      )}
    </section>
  );
};
