// What a person found at the destination: what, where, when and how far the search went. None can be left out: "checked" alone
// proves nothing. And giving up, with a reason.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { decide } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import type { Action, DecisionBody } from '../api/types.ts';
import { ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';

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

/** The present in the form of a `datetime-local` field. */
const localNow = (): string => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const Buttons = ({ ready, leave }: { readonly ready: boolean; readonly leave: () => void }) => {
  const words = useWords();
  return (
    <div className="row">
      <button type="submit" className="main" disabled={!ready}>
        {words.recovery.record}
      </button>
      <button type="button" onClick={leave}>
        {words.cancel}
      </button>
    </div>
  );
};

const texts = ['what', 'where', 'coverage', 'reference'] as const;
type Texts = { readonly [Name in (typeof texts)[number]]: string };
const nothing: Texts = { what: '', where: '', coverage: '', reference: '' };

const Field = ({
  name,
  given,
  change,
}: {
  readonly name: keyof Texts;
  readonly given: Texts;
  readonly change: (given: Texts) => void;
}): ReactNode => {
  const words = useWords();
  const { whatHint: what, whereHint: where, coverageHint: coverage, optional } = words.recovery;
  const hint = { what, where, coverage, reference: optional }[name];
  return (
    <label>
      {words.recovery[name]} <span className="hint">{hint}</span>
      <input
        type="text"
        value={given[name]}
        required={name !== 'reference'}
        minLength={name === 'reference' ? undefined : 3}
        onChange={({ target }) => change({ ...given, [name]: target.value })}
      />
    </label>
  );
};

export const EvidenceForm = ({
  action,
  kind,
  leave,
}: {
  readonly action: Action;
  readonly kind: 'attach' | 'not_performed';
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const [given, setGiven] = useState(nothing);
  const [when, setWhen] = useState(localNow);
  const [seenHead] = useState(action.head);
  const deciding = useDecision(action);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { what, where, coverage, reference } = given;
    const evidence = {
      what,
      where,
      coverage,
      when: new Date(when).toISOString(),
      ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    };
    deciding.mutate({ body: { kind, evidence, seenHead }, key: newKey() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <h5>{kind === 'attach' ? words.recovery.attach : words.recovery.notPerformed}</h5>
      <Field name="what" given={given} change={setGiven} />
      <Field name="where" given={given} change={setGiven} />
      <label>
        {words.recovery.when}
        <input
          type="datetime-local"
          value={when}
          required
          onChange={({ target }) => setWhen(target.value)}
        />
      </label>
      <Field name="coverage" given={given} change={setGiven} />
      <Field name="reference" given={given} change={setGiven} />
      {deciding.error ? <ProblemNote cause={deciding.error} /> : null}
      <Buttons ready={!deciding.isPending && !deciding.isSuccess} leave={leave} />
    </form>
  );
};

export const AbandonForm = ({
  action,
  leave,
}: {
  readonly action: Action;
  readonly leave: () => void;
}): ReactNode => {
  const words = useWords();
  const [reason, setReason] = useState('');
  const [seenHead] = useState(action.head);
  const deciding = useDecision(action);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    deciding.mutate({ body: { kind: 'abandon', reason, seenHead }, key: newKey() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <h5>{words.recovery.abandon}</h5>
      <label>
        {words.recovery.reason}
        <textarea
          rows={2}
          value={reason}
          required
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      {deciding.error ? <ProblemNote cause={deciding.error} /> : null}
      <Buttons ready={!deciding.isPending && !deciding.isSuccess} leave={leave} />
    </form>
  );
};
