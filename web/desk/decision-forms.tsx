// What a decision needs beside itself. It carries the journal head and the claim's fence that were seen: anything newer refuses
// it. And evidence without a decision. Laws: L4, L10.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { decide, observe } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import type {
  Action,
  ActionView,
  DecisionBody,
  DecisionView,
  ObservationBody,
} from '../api/types.ts';
import { useSubject } from '../calls/message.tsx';
import { useFocusWithin } from '../parts/focus.ts';
import { FormEnd } from '../parts/form-end.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { useNow } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { type LaterWords, useLater } from '../words/later.ts';
import { Clock, isHeld } from './claim.tsx';
import {
  evidenceFields,
  evidenceFrom,
  type Field,
  Fields,
  fieldNames,
  type Given,
  nothingGiven,
} from './evidence-fields.tsx';

type Kind = DecisionView['kind'];

/** The button that opens a form has this id: the focus goes back to it. */
export const decisionButton = (actionId: string, kind: Kind | 'observe'): string =>
  `${actionId}-${kind}`;

/** Everybody who shows the action reads it anew. */
const readAnew = (action: Action) =>
  Promise.all(
    [
      keys.action(action.actionId),
      keys.runActions(action.runId),
      keys.requests,
      keys.summary,
      keys.desk,
      ['request'],
    ].map((queryKey) => cache.invalidateQueries({ queryKey })),
  );

const asked: { readonly [K in Kind]: readonly Field[] } = {
  attach: evidenceFields,
  not_performed: evidenceFields,
  repeat: [],
  wait: ['until', 'reason'],
  suspend: ['reason'],
  abandon: ['reason'],
  reissue: ['reason', 'risk'],
};

interface Seen {
  readonly seenHead: number;
  readonly claimFence: number;
}

const bodyOf = (kind: Kind, given: Given, affirmed: boolean, seen: Seen): DecisionBody => {
  const { reason } = given;
  switch (kind) {
    case 'attach':
    case 'not_performed':
      return { kind, evidence: evidenceFrom(given), ...seen };
    case 'repeat':
      return { kind, affirmed, ...seen };
    case 'wait':
      return { kind, until: new Date(given.until).toISOString(), reason, ...seen };
    case 'suspend':
    case 'abandon':
      return { kind, reason, ...seen };
    case 'reissue':
      return { kind, reason, riskAccepted: given.risk, ...seen };
  }
};

/** Waiting where nothing looks by itself is waiting for a person. */
export const meansOf = (kind: Kind, { canLook }: ActionView, { recovery }: LaterWords): string =>
  kind === 'wait' && !canLook ? recovery.waitBlind : recovery.kindMeans[kind];

const Affirm = ({
  affirmed,
  change,
}: {
  readonly affirmed: boolean;
  readonly change: (affirmed: boolean) => void;
}): ReactNode => (
  <label className="affirm">
    <input type="checkbox" checked={affirmed} onChange={({ target }) => change(target.checked)} />
    {useLater().recovery.affirm}
  </label>
);

/** Why it cannot be sent now: the claim ended, somebody else has it, or what was allowed no longer is. */
const useLost = (kind: Kind, view: ActionView): ReactNode | undefined => {
  const { recovery } = useLater();
  const subject = useSubject();
  const { claim, decisions } = view;
  const holder = isHeld(claim, useNow()) ? claim?.holder : undefined;
  if (claim === undefined || holder === undefined) return recovery.claimGone;
  if (holder.subject !== subject)
    return (
      <>
        <Plain text={recovery.heldBy(holder.name)} /> <Clock claim={claim} />. {recovery.heldKept}
      </>
    );
  const decision = decisions.find((one) => one.kind === kind);
  if (decision === undefined || decision.allowed) return undefined;
  return <Plain text={decision.reason ?? recovery.refusedBecause} />;
};

export const DecisionForm = ({
  kind,
  view,
  leave,
}: {
  readonly kind: Kind;
  readonly view: ActionView;
  readonly leave: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [given, setGiven] = useState(nothingGiven);
  const [affirmed, setAffirmed] = useState(false);
  const { action, claim } = view;
  // What was read when the form was opened; the claim may be taken anew meanwhile.
  const [seenHead] = useState(action.head);
  const lost = useLost(kind, view);
  const deciding = useMutation({
    mutationFn: ({ body, key }: { readonly body: DecisionBody; readonly key: string }) =>
      decide(action.actionId, body, key),
    onSuccess: leave,
    onSettled: () => readAnew(action),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (lost !== undefined) return;
    const seen = { seenHead, claimFence: claim?.fence ?? 0 };
    deciding.mutate({ body: bodyOf(kind, given, affirmed, seen), key: newKey() });
  };
  const form = useFocusWithin<HTMLFormElement>(decisionButton(action.actionId, kind));
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <h5>{words.recovery.kinds[kind]}</h5>
      <p className="hint">{meansOf(kind, view, words)}</p>
      <Fields names={asked[kind]} given={given} change={setGiven} />
      {kind === 'repeat' ? <Affirm affirmed={affirmed} change={setAffirmed} /> : null}
      {deciding.error ? <ProblemNote cause={deciding.error} names={fieldNames(words)} /> : null}
      {lost === undefined ? null : (
        <p className="problem" role="alert">
          {lost}
        </p>
      )}
      <FormEnd
        button={words.recovery.records[kind]}
        disabled={deciding.isPending || lost !== undefined}
        leave={leave}
      />
    </form>
  );
};

const shows = ['confirms', 'disproves', 'nothing'] as const;

export const ObservationForm = ({
  action,
  leave,
}: {
  readonly action: Action;
  readonly leave: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [given, setGiven] = useState(nothingGiven);
  const [says, setSays] = useState<(typeof shows)[number]>('nothing');
  const adding = useMutation({
    mutationFn: ({ body, key }: { readonly body: ObservationBody; readonly key: string }) =>
      observe(action.actionId, body, key),
    onSuccess: leave,
    onSettled: () => readAnew(action),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate({ body: { ...evidenceFrom(given), says }, key: newKey() });
  };
  const form = useFocusWithin<HTMLFormElement>(decisionButton(action.actionId, 'observe'));
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <h5>{words.desk.observe}</h5>
      <p className="hint">{words.desk.observeHint}</p>
      <fieldset className="choices">
        <legend>{words.desk.shows}</legend>
        {shows.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={`shows-${action.actionId}`}
              checked={says === one}
              onChange={() => setSays(one)}
            />
            {words.desk.says[one]}
          </label>
        ))}
      </fieldset>
      <Fields names={evidenceFields} given={given} change={setGiven} />
      {adding.error ? <ProblemNote cause={adding.error} names={fieldNames(words)} /> : null}
      <FormEnd button={words.desk.add} disabled={adding.isPending} leave={leave} />
    </form>
  );
};
