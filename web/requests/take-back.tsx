// An approval that was given: taking it back while an attempt could still open under it, and who took it back.
// Laws: L7 (after a revocation no attempt opens).
import type { ReactNode } from 'react';
import { cache, keys } from '../api/cache.ts';
import { revokeApproval } from '../api/calls.ts';
import type { Action, RequestView } from '../api/types.ts';
import { type Act, Confirm } from '../parts/confirm.tsx';
import { useMay } from '../parts/may.ts';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { type LaterWords, useLater } from '../words/later.ts';

/** An attempt may still open under it: nothing is settled, and nobody set the action aside. */
const mayStillBeUsed = ({ effect, disposition }: Action): boolean =>
  disposition.kind === 'open' &&
  ['not_sent', 'engaged', 'in_progress', 'undetermined'].includes(effect);

const actOf = (view: RequestView, action: Action, { taking }: LaterWords): Act => {
  const { requestId, decision } = view.request;
  const remembered = decision?.kind === 'approved' && decision.remembered !== undefined;
  return {
    label: action.attempts === 0 ? taking.take : taking.takeFurther,
    title: taking.takeTitle,
    means: [
      ...(action.attempts === 0 ? [taking.unused] : [taking.used(action.attempts), taking.further]),
      ...(remembered ? [taking.withGrant] : []),
    ],
    button: taking.takeNow,
    reason: true,
    act: (reason) => revokeApproval(requestId, reason),
    after: () =>
      Promise.all(
        [keys.request(requestId), keys.action(action.actionId), keys.runActions(action.runId)].map(
          (queryKey) => cache.invalidateQueries({ queryKey }),
        ),
      ),
  };
};

export const TakeBack = ({ view }: { readonly view: RequestView }): ReactNode => {
  const words = useWords();
  const later = useLater();
  const may = useMay('approver');
  const { approval, action } = view;
  if (approval === undefined) return null;
  if (approval.revokedAt !== undefined)
    return (
      <p className="problem">
        <strong>
          <Plain text={later.taking.taken(approval.revokedBy?.name ?? '')} />{' '}
          <Time at={approval.revokedAt} exact />
        </strong>
        <Plain text={words.said(approval.revokedBecause ?? '')} />
      </p>
    );
  if (!may || action === undefined || !mayStillBeUsed(action)) return null;
  return (
    <div>
      <Confirm of={actOf(view, action, later)} />
    </div>
  );
};
