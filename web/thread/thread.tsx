// A conversation's thread: its runs in order, messages that wait, what the run does now, and the composer.
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Live } from '../api/live.ts';
import { markRead } from '../api/marks.ts';
import { useConversation, useMessages, useRuns } from '../api/queries.ts';
import type { ConversationView, Message, RunView } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { MessageView } from '../calls/message.tsx';
import { CopyMenu } from '../copying/copy.tsx';
import { FaultsOf } from '../faults/conversation-faults.tsx';
import { useAt } from '../parts/anchor.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';
import { Composer, type Draft } from './composer.tsx';
import { useFollowEnd } from './follow-end.ts';
import { RunBlock } from './run-block.tsx';
import { StatusLine } from './status-line.tsx';

/** Runs shown at first; earlier ones on demand. */
const runsFirst = 10;

const useDraft = (id: string): Draft => {
  const key = `reprise.draft.${id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const set = useCallback(
    (next: string): void => {
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
      setText(next);
    },
    [key],
  );
  return { text, set };
};

/** Reading clears the mark, on a tab that is looked at. */
const useReading = (id: string, number: number): void => {
  useEffect(() => {
    const mark = (): void => {
      if (document.visibilityState === 'visible' && number > 0) markRead(id, number);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [id, number]);
};

const Head = ({
  conversation,
  live,
}: {
  readonly conversation: ConversationView;
  readonly live: Live;
}): ReactNode => {
  const words = useWords();
  const { conversationId: id, title } = conversation;
  return (
    <header className="thread-head">
      <Link href="/" className="back" aria-label={words.thread.back}>
        <Icon name="left" />
      </Link>
      <h2>
        <Plain text={title || words.conversations.untitled} />
      </h2>
      <span
        className="connection"
        data-connection={live.connection}
        data-number={live.number}
        role="status"
      >
        {words.thread.connection[live.connection]}
      </span>
      <CopyMenu id={id} thing={{ kind: 'conversation', of: conversation }} />
    </header>
  );
};

interface Content {
  readonly messages: readonly Message[];
  readonly runs: readonly RunView[];
  readonly live: Live;
  readonly edit: (text: string) => void;
}

const Items = ({ messages, runs, live, edit }: Content): ReactNode => {
  const words = useWords();
  const at = useAt();
  const [all, setAll] = useState(at !== undefined);
  const shown = all ? runs : runs.slice(-runsFirst);
  const first = new Set(runs.map(({ firstMessageId }) => firstMessageId));
  const loose = messages.filter(
    ({ fate: { fate }, messageId }) =>
      (fate === 'waiting' || fate === 'held') && !first.has(messageId),
  );
  return (
    <>
      {shown.length < runs.length ? (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          {words.thread.earlier}
        </button>
      ) : null}
      {runs.length === 0 && messages.length === 0 ? (
        <p className="note">{words.thread.empty}</p>
      ) : null}
      <ol className="runs">
        {shown.map((run) => (
          <RunBlock
            key={run.runId}
            run={run}
            messages={messages}
            texts={live.texts.get(run.runId)}
            last={run === runs.at(-1)}
            edit={edit}
          />
        ))}
        {loose.map((message) => (
          <MessageView key={message.messageId} message={message} edit={edit} />
        ))}
      </ol>
    </>
  );
};

const Foot = ({
  id,
  run,
  draft,
}: {
  readonly id: string;
  readonly run: RunView | undefined;
  readonly draft: Draft;
}): ReactNode => {
  const field = useRef<HTMLTextAreaElement>(null);
  const active = run !== undefined && run.state.status !== 'finished';
  return (
    <footer className="thread-foot">
      {active ? <StatusLine run={run} /> : null}
      <Composer id={id} draft={draft} steering={active} field={field} />
    </footer>
  );
};

const Scrolling = (content: Content): ReactNode => {
  const words = useWords();
  const pane = useRef<HTMLDivElement>(null);
  const { messages, runs, live } = content;
  const count = messages.length + runs.reduce((sum, { steps }) => sum + steps.taken, 0);
  const at = useAt();
  const place = useFollowEnd(pane, count, live, at === undefined);
  return (
    <div className="thread-scroll" ref={pane} tabIndex={-1} data-key="thread">
      <div className="thread-items" role="log" aria-label={words.thread.label}>
        <Items {...content} />
      </div>
      {place.away ? (
        <button
          type="button"
          className="to-end"
          data-key="latest"
          onClick={() => {
            // The button goes away; the focus stays in the thread.
            pane.current?.focus({ preventScroll: true });
            place.toEnd();
          }}
        >
          <Icon name="down" />
          {place.fresh > 0 ? words.thread.newItems(place.fresh) : words.thread.toLatest}
        </button>
      ) : null}
    </div>
  );
};

export const Thread = ({ id }: { readonly id: string }): ReactNode => {
  const live = useLive(id);
  const conversation = useConversation(id);
  const messages = useMessages(id);
  const runs = useRuns(id);
  const draft = useDraft(id);
  useReading(id, live.number);
  const sorted = useMemo(
    () => (messages.data ?? []).toSorted((a, b) => a.number - b.number),
    [messages.data],
  );
  const failed = conversation.failureReason ?? messages.failureReason ?? runs.failureReason;
  if (conversation.data === undefined || messages.data === undefined || runs.data === undefined)
    return (
      <section className="thread-pane">
        {failed ? <ProblemNote cause={failed} again={() => void runs.refetch()} /> : <Loading />}
      </section>
    );
  return (
    <section className="thread-pane">
      <Head conversation={conversation.data} live={live} />
      <FaultsOf conversationId={id}>
        <Scrolling messages={sorted} runs={runs.data} live={live} edit={draft.set} />
      </FaultsOf>
      <Foot id={id} run={runs.data.at(-1)} draft={draft} />
    </section>
  );
};
