// The inbox: every open request of the workspace, answered here or in its thread. The list keeps its place while one decides.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import type { Book } from '../api/book.ts';
import { useInbox } from '../api/lists.ts';
import { useSummary } from '../api/queries.ts';
import type { InboxItem } from '../api/types.ts';
import type { Shown } from '../api/use-book.ts';
import { Icon } from '../parts/icon.tsx';
import { MoreOf, NewOf } from '../parts/long-list.tsx';
import {
  type Choice,
  Choices,
  NoneFits,
  useNarrowing,
  useSharedChoices,
} from '../parts/narrowing.tsx';
import { Near } from '../parts/near.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Elapsed } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { RequestIn } from './request-in.tsx';

const Entry = ({ request }: { readonly request: InboxItem }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <li className="inbox-entry">
      <p className="who">
        <span className="mark needs-you">
          <Icon name="hand" />
          {words.requestKinds[request.on]}
        </span>{' '}
        <Elapsed at={request.openedAt} />{' '}
        <Link
          href={`/c/${request.conversationId}`}
          aria-label={`${words.inbox.open}: ${request.about.title}`}
        >
          <Plain text={request.about.title || words.conversations.untitled} />
        </Link>
      </p>
      <Near>
        <RequestIn requestId={request.requestId} standing />
      </Near>
    </li>
  );
};

const names = ['on', 'agentId', 'tool', 'olderThanMs'] as const;

const useChoices = (): readonly Choice<(typeof names)[number]>[] => {
  const { all } = useWords();
  const { lists: words, requestKinds } = useLater();
  const { agent, tool, age } = useSharedChoices();
  const kinds = Object.entries(requestKinds);
  return [{ name: 'on', label: words.kind, options: [['', all], ...kinds] }, agent, tool, age];
};

/** How many there are: the server's count when not all are before one. */
const Count = ({
  shown,
  narrow,
}: {
  readonly shown: Book<InboxItem>;
  readonly narrow: boolean;
}) => {
  const words = useWords();
  const later = useLater();
  const { data } = useSummary();
  const some = shown.rows.length;
  if (shown.next === undefined) return words.inbox.count(some);
  if (narrow || data === undefined) return later.lists.oldest(some);
  return data.more
    ? later.lists.atLeast(data.needsYou.total)
    : words.inbox.count(data.needsYou.total);
};

const Entries = ({
  shown,
  book,
  narrow,
}: {
  readonly shown: Shown<InboxItem>;
  readonly book: Book<InboxItem>;
  readonly narrow: boolean;
}): ReactNode => {
  const words = useWords();
  const { lists } = useLater();
  if (book.rows.length === 0 && book.next === undefined)
    return narrow ? (
      <NoneFits all="/inbox" />
    ) : (
      <Empty title={words.inbox.empty}>
        <p>{words.inbox.emptyHint}</p>
      </Empty>
    );
  return (
    <>
      <p role="status" className="hint">
        <Count shown={book} narrow={narrow} />
      </p>
      <NewOf shown={shown} label={words.inbox.fresh(book.held.length)} />
      <ul className="rows">
        {book.rows.map((request) => (
          <Entry key={request.requestId} request={request} />
        ))}
      </ul>
      <MoreOf shown={shown} label={lists.more} />
    </>
  );
};

export const InboxScreen = (): ReactNode => {
  const words = useWords();
  const { lists } = useLater();
  const [values, choose] = useNarrowing(names);
  const shown = useInbox(values);
  const narrow = names.some((name) => values[name] !== '');
  return (
    <section className="screen">
      <h1>{words.inbox.title}</h1>
      <fieldset className="row desk-filters">
        <legend className="for-ears">{lists.narrow}</legend>
        <Choices choices={useChoices()} values={values} choose={choose} />
      </fieldset>
      <Loaded asked={shown}>
        {(book) => <Entries shown={shown} book={book} narrow={narrow} />}
      </Loaded>
    </section>
  );
};

/** One request by its own address. */
export const RequestScreen = (): ReactNode => {
  const { id = '' } = useParams<{ id: string }>();
  const words = useWords();
  return (
    <section className="screen">
      <h1>{words.inbox.title}</h1>
      <RequestIn requestId={id} standing />
    </section>
  );
};
