// What was sent anew in an action's place: a call of its own that no step shows. It is shown where the original is, with the
// approval it waits for. Laws: L14, L20.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { listMs, useAction } from '../api/queries.ts';
import type { Action } from '../api/types.ts';
import { shortId } from '../copying/copy.tsx';
import { Loaded } from '../parts/notes.tsx';
import { actionShown, Badge } from '../parts/state.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { RequestsOf } from './request-in.tsx';

const isWaiting = ({ disposition, effect, requestId }: Action): boolean =>
  disposition.kind === 'open' && effect === 'not_sent' && requestId !== undefined;

const Reissue = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const { again } = useLater();
  return (
    <section className="stack" aria-label={again.reissued.label}>
      <p>
        {isWaiting(action) ? again.reissued.waits : again.reissued.stands}{' '}
        <Badge shown={actionShown(action, words)} />{' '}
        <Link href={`/action/${action.actionId}`}>{shortId(action.actionId)}</Link>
      </p>
      <RequestsWithReissue action={action} />
    </section>
  );
};

/** The requests of an action, and of what was sent anew in its place. */
export const RequestsWithReissue = ({ action }: { readonly action: Action }): ReactNode => (
  <>
    <RequestsOf action={action} />
    {action.disposition.kind === 'reissued' ? <ReissuedAs id={action.disposition.as} /> : null}
  </>
);

const ReissuedAs = ({ id }: { readonly id: string }): ReactNode => (
  <Loaded asked={useAction(id, true, listMs)}>{({ action }) => <Reissue action={action} />}</Loaded>
);
