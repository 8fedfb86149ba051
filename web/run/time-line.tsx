// A run on a line of time: one bar per model call, tool call and wait, each with its begin and length in words.
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { CallPlace } from '../api/faults.ts';
import type { Span } from '../copying/spans.ts';
import { stepId } from '../copying/thing-kinds.ts';
import { CallFlag, MarkFaulty } from '../faults/mark-faulty.tsx';
import { useAnchor } from '../parts/anchor.ts';
import { Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { useLength, useWords } from '../words/index.tsx';
import { type AllWords, useLater } from '../words/later.ts';

interface Bounds {
  readonly runId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const nameOf = (span: Span, words: AllWords): string => {
  if (span.kind === 'model') return words.run.model;
  if (span.kind === 'call') return span.name;
  if (span.kind === 'attempt') return words.call.attempt(span.attempt ?? 1);
  const kind = span.name;
  if (kind === 'approval' || kind === 'question' || kind === 'skill' || kind === 'recovery')
    return words.runLine.waitingFor(words.waitsFor[kind]);
  return words.run.wait;
};

const toneOf = (span: Span, words: AllWords): string =>
  span.kind === 'model'
    ? 'calm'
    : span.kind === 'wait'
      ? 'ask'
      : span.action === undefined
        ? 'off'
        : actionShown(span.action, words).tone;

/** A call's place in the run; undefined for what is no call. */
const callOf = (span: Span, runId: string): CallPlace | undefined =>
  span.call === undefined ? undefined : { runId, step: span.step, call: span.call };

const percent = (part: number, whole: number): string =>
  `${Math.min(100, Math.max(0, (part / whole) * 100)).toFixed(2)}%`;

const Bar = ({ span, bounds }: { readonly span: Span; readonly bounds: Bounds }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const length = useLength();
  const whole = bounds.toMs - bounds.fromMs;
  const name = nameOf(span, words);
  const called = callOf(span, bounds.runId);
  const anchor = useAnchor<HTMLLIElement>(stepId({ runId: bounds.runId, step: span.step }));
  const begin = length(span.fromMs - bounds.fromMs);
  const lasts = length(span.toMs - span.fromMs);
  return (
    <li
      className="bar-row"
      data-tone={toneOf(span, words)}
      {...(span.kind === 'model' ? anchor : {})}
    >
      <span className="bar-name">
        {span.kind === 'model' ? (
          <span className="bar-step">{words.thread.step(span.step)}</span>
        ) : null}
        {span.action === undefined ? (
          <Plain text={name} />
        ) : (
          <Link href={`/action/${span.action.actionId}`}>{name}</Link>
        )}
        {called === undefined ? null : <CallFlag of={called} />}
      </span>
      <span className="bar-lane" aria-hidden="true">
        <span
          className="bar"
          data-open={span.open}
          style={{
            insetInlineStart: percent(span.fromMs - bounds.fromMs, whole),
            width: percent(span.toMs - span.fromMs, whole),
          }}
        />
      </span>
      <span className="bar-length">
        <span className="for-ears">{words.run.bar(name, begin, lasts)}</span>
        <span aria-hidden="true">{lasts}</span>
      </span>
    </li>
  );
};

const Row = ({ span, bounds }: { readonly span: Span; readonly bounds: Bounds }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const length = useLength();
  const call = callOf(span, bounds.runId);
  return (
    <StackingRow
      name={
        <>
          {words.thread.step(span.step)}: <Plain text={nameOf(span, words)} />
        </>
      }
    >
      {length(span.fromMs - bounds.fromMs)}
      {length(span.toMs - span.fromMs)}
      {span.kind === 'call' && span.action !== undefined ? (
        <Badge shown={actionShown(span.action, words)} />
      ) : null}
      {call === undefined ? null : (
        <div className="row">
          <CallFlag of={call} />
          <MarkFaulty of={call} tool={span.name} />
        </div>
      )}
    </StackingRow>
  );
};

const Table = ({
  spans,
  bounds,
}: {
  readonly spans: readonly Span[];
  readonly bounds: Bounds;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { faults } = words;
  return (
    <StackingTable
      columns={[
        words.run.event,
        words.run.offset,
        words.run.duration,
        words.run.state,
        faults.column,
      ]}
    >
      {spans.map((span) => (
        <Row key={span.key} span={span} bounds={bounds} />
      ))}
    </StackingTable>
  );
};

export const TimeLine = ({
  spans,
  bounds,
}: {
  readonly spans: readonly Span[];
  readonly bounds: Bounds;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const length = useLength();
  const [asList, setAsList] = useState(false);
  if (spans.length === 0) return <p className="note">{words.run.empty}</p>;
  return (
    <>
      <div className="row">
        <button type="button" aria-pressed={!asList} onClick={() => setAsList(false)}>
          {words.run.asBars}
        </button>
        <button type="button" aria-pressed={asList} onClick={() => setAsList(true)}>
          {words.run.asList}
        </button>
        <span className="hint">{words.run.scale(length(bounds.toMs - bounds.fromMs))}</span>
      </div>
      {asList ? (
        <Table spans={spans} bounds={bounds} />
      ) : (
        <ol className="bars">
          {spans.map((span) => (
            <Bar key={span.key} span={span} bounds={bounds} />
          ))}
        </ol>
      )}
    </>
  );
};
