// One action by itself: what exactly, where to, what is known, its whole journal, and the request that waits for somebody.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useAction } from '../api/queries.ts';
import type { ActionView } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { ActionFacts, Destination, ResultView } from '../calls/action-parts.tsx';
import { Journal } from '../calls/journal.tsx';
import { shortId } from '../copying/copy.tsx';
import { PanelAlone } from '../desk/panel.tsx';
import { SheetView } from '../desk/sheet.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { RequestsWithReissue } from '../requests/reissued.tsx';
import { summaryOf } from '../thread/action-card.tsx';
import { Recoveries } from '../trace/executions.tsx';
import { useWords } from '../words/index.tsx';

const ActionPage = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = useWords();
  const { action, journal } = view;
  useLive(action.conversationId);
  const shown = actionShown(action, words);
  const { disposition } = action;
  return (
    <>
      <header className="screen-head">
        <h1>{action.tool.name}</h1>
        <Badge shown={shown} />
        <span className="hint">
          <Destination of={action.destination} />
        </span>
      </header>
      {Object.keys(action.arguments).length === 0 ? null : (
        <p className="about">
          <Plain text={summaryOf(action.arguments)} />
        </p>
      )}
      <p>{shown.means}</p>
      {disposition.kind === 'open' ? null : (
        <p className="hint">
          {words.dispositions[disposition.kind]}{' '}
          {words.by(disposition.author?.name ?? disposition.by)} <Time at={disposition.at} exact />
          {words.colon}
          <Plain text={words.said(disposition.because)} />
        </p>
      )}
      <p>
        <Link href={`/c/${action.conversationId}`}>{words.inbox.open}</Link> ·{' '}
        <Link href={`/run/${action.runId}`}>
          {words.thread.openRun} {shortId(action.runId)}
        </Link>
      </p>
      <RequestsWithReissue action={action} />
      <PanelAlone view={view} />
      {action.attempts > 0 ? <SheetView view={view} /> : null}
      <ActionFacts action={action} />
      <Recoveries of={view.recoveries} />
      <h2>{words.call.arguments}</h2>
      <JsonView value={action.arguments} label={words.call.arguments} />
      <h2>{words.call.result}</h2>
      <ResultView action={action} />
      <h2>{words.call.journal}</h2>
      <Journal action={action} journal={journal} />
    </>
  );
};

export const ActionScreen = (): ReactNode => {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <section className="screen">
      <Loaded asked={useAction(id)}>{(view) => <ActionPage view={view} />}</Loaded>
    </section>
  );
};
