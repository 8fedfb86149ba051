// What a decision needs beside itself: evidence (what, where, when, how far; none can be left out), a reason, a date, a risk.
// It carries the journal head and the claim's fence that were seen: anything newer refuses it. Laws: L10.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { decide } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import type { Action, ClaimView, DecisionBody, DecisionView } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords, type Words } from '../words/index.tsx';

type Kind = DecisionView['kind'];

const useDecision = (action: Action) =>
  useMutation({
    mutationFn: ({ body, key }: { readonly body: DecisionBody; readonly key: string }) =>
      decide(action.actionId, body, key),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.action(action.actionId) }),
        cache.invalidateQueries({ queryKey: keys.runActions(action.runId) }),
        cache.invalidateQueries({ queryKey: keys.requests }),
        cache.invalidateQueries({ queryKey: ['request'] }),
      ]),
  });

const fields = [
  'what',
  'where',
  'when',
  'coverage',
  'reference',
  'until',
  'reason',
  'risk',
] as const;
type Field = (typeof fields)[number];
type Given = { readonly [Name in Field]: string } & { readonly affirmed: boolean };

const evidence: readonly Field[] = ['what', 'where', 'when', 'coverage', 'reference'];
const asked: { readonly [K in Kind]: readonly Field[] } = {
  attach: evidence,
  not_performed: evidence,
  repeat: [],
  wait: ['until', 'reason'],
  suspend: ['reason'],
  abandon: ['reason'],
  reissue: ['reason', 'risk'],
};

/** An instant in the form of a `datetime-local` field. */
const localForm = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const hourMs = 3_600_000;
const nothing = (): Given => ({
  what: '',
  where: '',
  when: localForm(Date.now()),
  coverage: '',
  reference: '',
  until: localForm(Date.now() + hourMs),
  reason: '',
  risk: '',
  affirmed: false,
});

const bodyOf = (kind: Kind, given: Given, seenHead: number, claimFence: number): DecisionBody => {
  const seen = { seenHead, claimFence };
  const { what, where, coverage, reason } = given;
  switch (kind) {
    case 'attach':
    case 'not_performed': {
      const reference = given.reference.trim();
      const when = new Date(given.when).toISOString();
      const said = { what, where, when, coverage, ...(reference === '' ? {} : { reference }) };
      return { kind, evidence: said, ...seen };
    }
    case 'repeat':
      return { kind, affirmed: given.affirmed, ...seen };
    case 'wait':
      return { kind, until: new Date(given.until).toISOString(), reason, ...seen };
    case 'suspend':
    case 'abandon':
      return { kind, reason, ...seen };
    case 'reissue':
      return { kind, reason, riskAccepted: given.risk, ...seen };
  }
};

const hintOf = (name: Field, { recovery }: Words): string | undefined => {
  const { whatHint: what, whereHint: where, coverageHint: coverage, riskHint: risk } = recovery;
  return { what, where, coverage, risk, reference: recovery.optional }[String(name)];
};

const One = ({
  name,
  given,
  change,
}: {
  readonly name: Field;
  readonly given: Given;
  readonly change: (given: Given) => void;
}): ReactNode => {
  const words = useWords();
  const isTime = name === 'when' || name === 'until';
  return (
    <label>
      {words.recovery[name]} <span className="hint">{hintOf(name, words)}</span>
      <input
        type={isTime ? 'datetime-local' : 'text'}
        value={given[name]}
        required={name !== 'reference'}
        minLength={isTime || name === 'reference' ? undefined : 3}
        onChange={({ target }) => change({ ...given, [name]: target.value })}
      />
    </label>
  );
};

const Affirm = ({
  given,
  change,
}: {
  readonly given: Given;
  readonly change: (given: Given) => void;
}): ReactNode => (
  <label className="affirm">
    <input
      type="checkbox"
      checked={given.affirmed}
      onChange={({ target }) => change({ ...given, affirmed: target.checked })}
    />
    {useWords().recovery.affirm}
  </label>
);

export const DecisionForm = ({
  kind,
  action,
  claim,
  leave,
}: {
  readonly kind: Kind;
  readonly action: Action;
  readonly claim: ClaimView;
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const [given, setGiven] = useState(nothing);
  const [seen] = useState({ head: action.head, fence: claim.fence });
  const deciding = useDecision(action);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    deciding.mutate({ body: bodyOf(kind, given, seen.head, seen.fence), key: newKey() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <h5>{words.recovery.kinds[kind]}</h5>
      <p className="hint">{words.recovery.kindMeans[kind]}</p>
      {asked[kind].map((name) => (
        <One key={name} name={name} given={given} change={setGiven} />
      ))}
      {kind === 'repeat' ? <Affirm given={given} change={setGiven} /> : null}
      {deciding.error ? <ProblemNote cause={deciding.error} /> : null}
      <div className="row">
        <button type="submit" className="main" disabled={deciding.isPending || deciding.isSuccess}>
          {words.recovery.record}
        </button>
        <button type="button" onClick={leave}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
};
