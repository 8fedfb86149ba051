// The inbox: every open request of the workspace, answered here or in its thread. The list keeps its place while one decides.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useInbox } from '../api/queries.ts';
import type { InboxItem } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Elapsed } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { RequestIn } from './request-in.tsx';

const Entry = ({ request }: { readonly request: InboxItem }): ReactNode => {
  const words = useWords();
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
      <RequestIn requestId={request.requestId} standing />
    </li>
  );
};

export const InboxScreen = (): ReactNode => {
  const words = useWords();
  return (
    <section className="screen">
      <h1>{words.inbox.title}</h1>
      <Loaded asked={useInbox()}>
        {(requests) =>
          requests.length === 0 ? (
            <Empty title={words.inbox.empty}>
              <p>{words.inbox.emptyHint}</p>
            </Empty>
          ) : (
            <>
              <p role="status" className="hint">
                {words.inbox.count(requests.length)}
              </p>
              <ul className="rows">
                {requests
                  .toSorted((a, b) => a.openedAt.localeCompare(b.openedAt))
                  .map((request) => (
                    <Entry key={request.requestId} request={request} />
                  ))}
              </ul>
            </>
          )
        }
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
