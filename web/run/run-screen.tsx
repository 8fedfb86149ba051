// One run: what it is, on a line of time, what it cost, what it is pinned to, and itself as a file.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import {
  useActions,
  useAgents,
  useConversation,
  useMessages,
  useRun,
  useSteps,
} from '../api/queries.ts';
import type { Action, RunView } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { useAttempts, useRequests } from '../copying/attempts.ts';
import { CopyMenu, shortId } from '../copying/copy.tsx';
import { download, type Exported, runJson, runMarkdown } from '../copying/export.ts';
import { boundsOf, spansOf } from '../copying/spans.ts';
import { FaultsOf, useRunFaults } from '../faults/conversation-faults.tsx';
import { RunFaults } from '../faults/fault-lists.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Badge, runShown } from '../parts/state.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { Executions } from '../trace/executions.tsx';
import { useLength, useNumber, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { TimeLine } from './time-line.tsx';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Usage = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const number = useNumber();
  const { usage, cost } = run;
  return (
    <>
      <Fact name={words.run.input}>
        {number(usage.inputTokens)}
        {usage.cachedInputTokens === 0
          ? null
          : ` (${words.run.cached} ${number(usage.cachedInputTokens)})`}
      </Fact>
      <Fact name={words.run.output}>{number(usage.outputTokens)}</Fact>
      {usage.estimated === undefined ? null : (
        <Fact name={words.run.estimated}>
          {words.run.estimate(
            number(usage.estimated.calls),
            number(usage.estimated.inputTokens),
            number(usage.estimated.outputTokens),
          )}
        </Fact>
      )}
      <Fact name={words.run.cost}>
        {cost === undefined ? words.run.noPrice : `${cost.amount} ${cost.currency}`}
      </Fact>
    </>
  );
};

const RunFacts = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const length = useLength();
  const now = useNow();
  const { title } = useConversation(run.conversationId).data ?? {};
  const agent = useAgents().data?.find(({ agentId }) => agentId === run.agentId);
  const { state } = run;
  const endMs = state.status === 'finished' ? Date.parse(state.at) : now;
  return (
    <dl className="facts twice">
      <Fact name={words.run.conversation}>
        <Link href={`/c/${run.conversationId}`}>
          <Plain text={title || shortId(run.conversationId)} />
        </Link>
      </Fact>
      <Fact name={words.run.started}>
        <Time at={run.startedAt} exact />
      </Fact>
      <Fact name={words.run.duration}>{length(endMs - Date.parse(run.startedAt))}</Fact>
      <Fact name={words.run.revision}>
        <Link href={`/agents/${run.agentId}?revision=${run.revision}`}>
          {agent === undefined ? null : (
            <>
              <Plain text={agent.configuration.name} /> ·{' '}
            </>
          )}
          {words.agents.revision(run.revision)}
        </Link>
      </Fact>
      <Fact name={words.run.steps}>{words.run.stepsOf(run.steps.taken, run.steps.limit)}</Fact>
      <Usage run={run} />
      <Fact name={words.run.executions}>
        <Executions of={run.executions} />
      </Fact>
    </dl>
  );
};

const Files = ({ exported }: { readonly exported: Exported }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { runId } = exported.run;
  return (
    <div className="row">
      <button
        type="button"
        onClick={() => download(`${runId}.json`, 'application/json', runJson(exported))}
      >
        {words.run.downloadJson}
      </button>
      <button
        type="button"
        onClick={() => download(`${runId}.md`, 'text/markdown', runMarkdown(exported, words))}
      >
        {words.run.downloadMarkdown}
      </button>
    </div>
  );
};

const RunPage = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  useLive(run.conversationId);
  const steps = useSteps(run.runId).data ?? [];
  const actions = useActions(run.runId).data ?? new Map<string, Action>();
  const messages = useMessages(run.conversationId).data ?? [];
  const requests = useRequests(actions.values());
  const attempts = useAttempts(actions.values());
  const now = useNow();
  const exported: Exported = {
    run,
    steps,
    actions,
    requests,
    messages: messages.filter(({ fate }) => 'runId' in fate && fate.runId === run.runId),
    faults: useRunFaults(run.runId),
  };
  const spans = spansOf(exported, attempts, now);
  const { state } = run;
  return (
    <>
      <header className="screen-head">
        <h1>{words.run.title(run.number)}</h1>
        <Badge shown={runShown(state, words)} />
        <CopyMenu id={run.runId} thing={{ kind: 'run', of: exported }} />
      </header>
      {state.status === 'finished' ? (
        <p>
          <Plain text={words.said(state.detail)} />
        </p>
      ) : null}
      <RunFacts run={run} />
      <Files exported={exported} />
      <RunFaults runId={run.runId} />
      <h2>{words.run.timeLine}</h2>
      <TimeLine spans={spans} bounds={boundsOf(run, spans, now)} />
    </>
  );
};

export const RunScreen = (): ReactNode => {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <section className="screen">
      <Loaded asked={useRun(id)}>
        {(run) => (
          <FaultsOf conversationId={run.conversationId}>
            <RunPage run={run} />
          </FaultsOf>
        )}
      </Loaded>
    </section>
  );
};
