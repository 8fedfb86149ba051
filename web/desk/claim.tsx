// Who holds a recovery, until when, and taking it: free, or lapsed after reading what is known. Laws: L10.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { releaseClaim, renewClaim, takeClaim } from '../api/calls.ts';
import type { ActionView, ClaimView } from '../api/types.ts';
import { Journal, linesOf } from '../calls/journal.tsx';
import { useSubject } from '../calls/message.tsx';
import { CopyMenu } from '../copying/copy.tsx';
import { claimId } from '../copying/thing-kinds.ts';
import { useAnchor } from '../parts/anchor.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { useLength, useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

const claimMs = 30 * 60_000;
/** A claim that ends within this is announced, so that nobody loses it unawares (WCAG 2.2.1). */
const soonMs = 3 * 60_000;

type How = 'take' | 'renew' | 'release';

const useClaiming = (actionId: string) =>
  useMutation({
    mutationFn: (how: How) => {
      if (how === 'release') return releaseClaim(actionId);
      return how === 'take' ? takeClaim(actionId, claimMs) : renewClaim(actionId, claimMs);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.action(actionId) }),
  });

const Face = ({ name }: { readonly name: string }): ReactNode => (
  <span className="face" aria-hidden="true">
    {name.slice(0, 1).toUpperCase()}
  </span>
);

/** Until when it is held, and for how long that still is. */
export const Clock = ({ claim }: { readonly claim: ClaimView }): ReactNode => {
  const length = useLength();
  const leftMs = Date.parse(claim.until) - useNow();
  return (
    <>
      <Time at={claim.until} exact />
      {leftMs > 0 ? <span className="hint"> ({length(leftMs)})</span> : null}
    </>
  );
};

const Mine = ({
  claim,
  claiming,
}: {
  readonly claim: ClaimView;
  readonly claiming: ReturnType<typeof useClaiming>;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const soon = Date.parse(claim.until) - useNow() < soonMs;
  return (
    <>
      <span>
        {words.recovery.yours} <Clock claim={claim} />
      </span>
      {soon ? <strong role="alert">{words.recovery.soon}</strong> : null}
      <button type="button" onClick={() => claiming.mutate('renew')}>
        {words.recovery.renew}
      </button>
      <button type="button" onClick={() => claiming.mutate('release')}>
        {words.recovery.giveBack}
      </button>
    </>
  );
};

/** What was written since the one before took it: the first thing to read for who takes over. */
const Changes = ({
  view,
  name,
}: {
  readonly view: ActionView;
  readonly name: string;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { action, journal, claim } = view;
  const sinceMs = claim === undefined ? 0 : Date.parse(claim.since);
  const lines = linesOf(action, journal, words).filter(({ at }) => Date.parse(at) >= sinceMs);
  if (lines.length === 0) return <p>{words.recovery.nothingSince(name)}</p>;
  return (
    <>
      <p>
        <strong>{words.recovery.changedSince(name)}</strong>
      </p>
      <ol className="journal">
        {lines.map(({ entry, what, by, says, at }) => (
          <li key={`${entry}:${what}`} value={entry}>
            <strong>{what}</strong> {by === undefined ? null : <Plain text={words.by(by)} />}{' '}
            <Time at={at} exact /> {says === undefined ? null : <Plain text={words.said(says)} />}
          </li>
        ))}
      </ol>
    </>
  );
};

const Lapsed = ({
  view,
  name,
  may,
  take,
}: {
  readonly view: ActionView;
  readonly name: string;
  readonly may: boolean;
  readonly take: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [reading, setReading] = useState(false);
  return (
    <>
      <span>
        <Plain text={words.recovery.lapsed(name)} />{' '}
        {view.claim === undefined ? null : <Time at={view.claim.until} exact />}
      </span>
      {reading ? (
        <div className="stack">
          <Changes view={view} name={name} />
          <p>{words.recovery.changed}</p>
          <Journal action={view.action} journal={view.journal} />
          <div className="row">
            <button type="button" className="main" onClick={take}>
              {words.recovery.takeOverNow}
            </button>
            <button type="button" onClick={() => setReading(false)}>
              {words.cancel}
            </button>
          </div>
        </div>
      ) : !may ? null : (
        <button type="button" onClick={() => setReading(true)}>
          {words.recovery.takeOver}
        </button>
      )}
    </>
  );
};

export const isHeld = (claim: ClaimView | undefined, nowMs: number): boolean =>
  claim?.holder !== undefined && nowMs < Date.parse(claim.until);

export const Claim = ({
  view,
  may,
}: {
  readonly view: ActionView;
  /** Their role lets them take it. */
  readonly may: boolean;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const subject = useSubject();
  const now = useNow();
  const { claim, action } = view;
  const claiming = useClaiming(action.actionId);
  const take = (): void => claiming.mutate('take');
  const held = isHeld(claim, now);
  const holder = claim?.holder;
  const anchor = useAnchor<HTMLDivElement>(
    claimId(claim ?? { actionId: action.actionId, fence: 0 }),
  );
  return (
    <div className="claim" {...anchor}>
      {holder === undefined ? null : <Face name={holder.name} />}
      {claim !== undefined && held && holder?.subject === subject ? (
        <Mine claim={claim} claiming={claiming} />
      ) : claim !== undefined && held && holder !== undefined ? (
        <span>
          <Plain text={words.recovery.heldBy(holder.name)} /> <Clock claim={claim} />
        </span>
      ) : holder !== undefined && holder.subject !== subject ? (
        <Lapsed view={view} name={holder.name} may={may} take={take} />
      ) : !may ? (
        <span>{words.recovery.nobody}</span>
      ) : (
        <>
          <button type="button" className="main" disabled={claiming.isPending} onClick={take}>
            {words.recovery.claim}
          </button>
          <span className="hint">{words.recovery.claimHint}</span>
        </>
      )}
      {claim === undefined ? null : (
        <CopyMenu compact id={claimId(claim)} thing={{ kind: 'claim', of: claim }} />
      )}
      {claiming.error ? <ProblemNote cause={claiming.error} /> : null}
    </div>
  );
};
