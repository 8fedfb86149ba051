// One execution of the local twin's Step Functions: how it stands, the machine as a graph, every state it entered, and its whole
// history. On AWS the console shows the same, and nothing links here.
import { type ReactNode, useMemo, useState } from 'react';
import { useParams } from 'wouter';
import { CopyButton } from '../copying/copy-button.tsx';
import { download } from '../copying/export.ts';
import { Loaded } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Badge } from '../parts/state.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { useLength, useNumber, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { entriesOf } from './entries.ts';
import { Graph } from './graph.tsx';
import { asGiven, hiddenToken } from './history.ts';
import { HistoryTable } from './history-table.tsx';
import { Data, Ids } from './parts.tsx';
import { executionShown } from './shown.ts';
import { States } from './states-table.tsx';
import { type Execution, type History, useDefinition, useExecution, useHistory } from './twin.ts';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const nameIn = (arn: string): string => arn.split(':').at(-1) ?? arn;

const Lasts = ({ execution }: { readonly execution: Execution }): ReactNode => {
  const now = useNow();
  const { startDate, stopDate } = execution;
  const endMs = stopDate === undefined ? now : stopDate * 1_000;
  return useLength()(Math.max(0, endMs - startDate * 1_000));
};

const Facts = ({
  execution,
  events,
}: {
  readonly execution: Execution;
  readonly events: number | undefined;
}): ReactNode => {
  const words = useWords();
  const later = useLater();
  const number = useNumber();
  const { name, error, cause } = execution;
  return (
    <dl className="facts">
      <Fact name={later.trace.execution}>
        <code>{name}</code> <CopyButton label={words.copy.text} text={() => name} />
      </Fact>
      <Fact name={later.trace.of}>
        <Ids text={name} />
      </Fact>
      <Fact name={later.trace.machine}>{nameIn(execution.stateMachineArn)}</Fact>
      <Fact name={later.run.started}>
        <Time at={execution.startDate * 1_000} exact />
      </Fact>
      {execution.stopDate === undefined ? null : (
        <Fact name={later.run.ended}>
          <Time at={execution.stopDate * 1_000} exact />
        </Fact>
      )}
      <Fact name={later.run.duration}>
        <Lasts execution={execution} />
      </Fact>
      {events === undefined ? null : <Fact name={later.trace.events}>{number(events)}</Fact>}
      {error === undefined ? null : (
        <Fact name={later.trace.error}>
          <Plain text={error} />
        </Fact>
      )}
      {cause === undefined ? null : (
        <Fact name={later.trace.cause}>
          <Plain text={cause} />
        </Fact>
      )}
    </dl>
  );
};

const OnDemand = ({ name, text }: { readonly name: string; readonly text: string | undefined }) => {
  const later = useLater();
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {open && text !== undefined ? <Data text={text} label={name} /> : null}
      {text === undefined ? <p className="hint">{later.trace.noOutput}</p> : null}
    </details>
  );
};

const InAndOut = ({ execution }: { readonly execution: Execution }): ReactNode => {
  const later = useLater();
  return (
    <div className="row trace-data">
      <OnDemand name={later.trace.input} text={execution.input} />
      <OnDemand name={later.trace.output} text={execution.output} />
    </div>
  );
};

const Recorded = ({
  execution,
  history,
}: {
  readonly execution: Execution;
  readonly history: History;
}): ReactNode => {
  const later = useLater();
  const { events } = history;
  const entries = useMemo(() => entriesOf(events), [events]);
  const definition = useDefinition(execution.executionArn);
  const startMs = execution.startDate * 1_000;
  const save = (): void => {
    const text = JSON.stringify({ execution, events: events.map(asGiven) }, null, 2);
    download(`${execution.name}.history.json`, 'application/json', text);
  };
  return (
    <>
      <h2>{later.trace.graph}</h2>
      <Loaded asked={definition}>
        {(read) => (
          <Graph definition={read} machine={nameIn(execution.stateMachineArn)} entries={entries} />
        )}
      </Loaded>
      <h2>{later.trace.states}</h2>
      <States entries={entries} startMs={startMs} />
      <h2>{later.trace.history}</h2>
      <p className="hint">{later.trace.tokens(hiddenToken)}</p>
      <div className="row">
        <button type="button" onClick={save}>
          {later.trace.download}
        </button>
      </div>
      <HistoryTable events={events} startMs={startMs} />
    </>
  );
};

const TracePage = ({ execution }: { readonly execution: Execution }): ReactNode => {
  const later = useLater();
  const history = useHistory(execution.executionArn, execution.status === 'RUNNING');
  return (
    <>
      <header className="screen-head">
        <h1>{later.trace.title}</h1>
        <Badge shown={executionShown(execution.status, later)} />
        <span className="hint">{later.trace.own}</span>
      </header>
      <Facts execution={execution} events={history.data?.events.length} />
      <InAndOut execution={execution} />
      <Loaded asked={history}>{(read) => <Recorded execution={execution} history={read} />}</Loaded>
    </>
  );
};

export const TraceScreen = (): ReactNode => {
  const { execution = '' } = useParams<{ execution: string }>();
  return (
    <section className="screen">
      <Loaded asked={useExecution(execution)}>
        {(read) => <TracePage key={read.executionArn} execution={read} />}
      </Loaded>
    </section>
  );
};
