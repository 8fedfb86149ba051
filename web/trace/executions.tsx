// The Step Functions executions of a run or of a recovery, each with the way to its trace. Part of the screens that show runs and
// actions; the trace itself is loaded when it is opened.
import type { ReactNode } from 'react';
import type { ExecutionView } from '../api/types.ts';
import { CopyButton } from '../copying/copy-button.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

/** Addresses on the page's own origin stay in this tab; the console opens in another. */
const isElsewhere = (address: string): boolean =>
  new URL(address, location.href).origin !== location.origin;

const TraceLink = ({ address, name }: { readonly address: string; readonly name: string }) => {
  const later = useLater();
  const elsewhere = isElsewhere(address);
  return (
    <a href={address} {...(elsewhere ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {elsewhere ? later.trace.openConsole : later.trace.open}
      <span className="for-ears"> {name}</span>
    </a>
  );
};

export const Executions = ({ of }: { readonly of: readonly ExecutionView[] }): ReactNode => {
  const words = useWords();
  return (
    <ul>
      {of.map(({ name, trace }) => (
        <li key={name}>
          <code>{name}</code> <CopyButton label={words.copy.text} text={() => name} />{' '}
          {trace === undefined ? null : <TraceLink address={trace} name={name} />}
        </li>
      ))}
    </ul>
  );
};

/** The rounds of an action's recovery; nothing when there was none. */
export const Recoveries = ({ of }: { readonly of: readonly ExecutionView[] }): ReactNode => {
  const later = useLater();
  return of.length === 0 ? null : (
    <dl className="facts">
      <div>
        <dt>{later.trace.recoveries}</dt>
        <dd>
          <Executions of={of} />
        </dd>
      </div>
    </dl>
  );
};
