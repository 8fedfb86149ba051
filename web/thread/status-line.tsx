// What the run does or waits for, above the composer, with what to do as a button. Laws: L14.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { cache, keys } from '../api/cache.ts';
import { stopRun } from '../api/calls.ts';
import type { RequestView, RunState, RunView } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Badge, runShown } from '../parts/state.tsx';
import { Elapsed } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

type Blocking = Extract<RunState, { status: 'waiting' }>['blocking'][number];

const focusIn = (requestId: string): boolean => {
  const section = document.getElementById(requestId);
  const control = section?.querySelector<HTMLElement>('button:not(:disabled), input, textarea');
  if (section === null || control === null || control === undefined) return false;
  section.scrollIntoView({ block: 'center' });
  control.focus({ preventScroll: true });
  return true;
};

/** A request that is still being read gets the focus when it is there, if that is soon. */
const comesWithinMs = 5_000;

/** Brings a request into view and gives it the focus. */
export const showRequest = (requestId: string): void => {
  if (focusIn(requestId)) return;
  const watching = new MutationObserver(() => {
    if (focusIn(requestId)) watching.disconnect();
  });
  watching.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watching.disconnect(), comesWithinMs);
};

const followRead = (changed: () => void) => cache.getQueryCache().subscribe(changed);

const isDecided = ({ requestId }: Blocking): boolean => {
  const read = cache.getQueryData<RequestView>(keys.request(requestId))?.request;
  return read?.decision !== undefined || read?.released === true;
};

/** What still waits for a person: a request may be known as decided before its run is known to go on. */
const useUndecided = (run: RunView): readonly Blocking[] => {
  const { state } = run;
  const blocking = state.status === 'waiting' ? state.blocking : [];
  const decided = useSyncExternalStore(followRead, () =>
    blocking
      .filter(isDecided)
      .map(({ requestId }) => requestId)
      .join(' '),
  );
  return blocking.filter(({ requestId }) => !decided.includes(requestId));
};

const Blockers = ({ blocking }: { readonly blocking: readonly Blocking[] }): ReactNode => {
  const words = useWords();
  const label = {
    approval: words.runLine.review,
    question: words.runLine.answer,
    skill: words.runLine.grant,
    recovery: words.runLine.recover,
  };
  return blocking.map(({ on, requestId }) => (
    <button
      key={requestId}
      type="button"
      data-key="needs-you"
      onClick={() => showRequest(requestId)}
    >
      {label[on]}
    </button>
  ));
};

const Said = ({
  run,
  blocking,
}: {
  readonly run: RunView;
  readonly blocking: readonly Blocking[];
}): ReactNode => {
  const words = useWords();
  const { state, steps } = run;
  switch (state.status) {
    case 'running':
      return <>{words.runLine.running(Math.max(1, steps.taken), steps.limit)}</>;
    case 'waiting': {
      if (blocking.length === 0) return <>{words.runLine.goesOn}</>;
      const kinds = [...new Set(blocking.map(({ on }) => words.waitsFor[on]))];
      return (
        <>
          {words.runLine.waitingFor(kinds.join(', '))} · <Elapsed at={state.since} />
        </>
      );
    }
    case 'stopping':
      return <>{words.runLine.stopping}</>;
    case 'finished':
      return null;
  }
};

export const StatusLine = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = useWords();
  const stopping = useMutation({ mutationFn: () => stopRun(run.runId) });
  const blocking = useUndecided(run);
  const { state } = run;
  if (state.status === 'finished') return null;
  return (
    <div className="status-line" data-status={state.status}>
      {/* What needs somebody is said at once, everything else when the reader pauses. */}
      <p key={state.status} role={state.status === 'waiting' ? 'alert' : 'status'}>
        <Badge shown={runShown(state, words)} /> <Said run={run} blocking={blocking} />
      </p>
      <div className="row">
        <Blockers blocking={blocking} />
        <button
          type="button"
          className="stop"
          disabled={state.status === 'stopping' || stopping.isPending}
          onClick={() => stopping.mutate()}
        >
          <Icon name="stop" />
          {state.status === 'stopping' ? words.composer.stopping : words.composer.stop}
        </button>
      </div>
      {stopping.error ? <ProblemNote cause={stopping.error} /> : null}
    </div>
  );
};
