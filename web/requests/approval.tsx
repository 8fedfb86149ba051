// An approval: exactly what would run, beside what looks like it, and the answers. Approving sends the digest that was shown;
// refusing and asking for changes tell the agent why. Laws: L6, L13.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { cache, keys } from '../api/cache.ts';
import { answer } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import type { Action, AnswerBody, PersonRequest, RequestView } from '../api/types.ts';
import { JsonView } from '../parts/json-view.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { claimsOf, session } from '../session.ts';
import { useStore } from '../store.ts';
import { ActionFacts } from '../thread/action-parts.tsx';
import { useWords } from '../words/index.tsx';
import { LookAlikes } from './look-alikes.tsx';

export type ApprovalRequest = Extract<PersonRequest, { on: 'approval' }>;

const useAnswer = (requestId: string) =>
  useMutation({
    mutationFn: ({ body, key }: { readonly body: AnswerBody; readonly key: string }) =>
      answer(requestId, body, key),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.request(requestId) }),
        cache.invalidateQueries({ queryKey: keys.requests }),
      ]),
  });

const useMayAnswer = (role: string): boolean => {
  const { token } = useStore(session);
  const roles = token === undefined ? [] : (claimsOf(token)?.roles ?? []);
  return roles.includes('admin') || roles.includes(role);
};

type Worded = 'refuse' | 'request_changes';

const WordsForm = ({
  kind,
  send,
  cancel,
}: {
  readonly kind: Worded;
  readonly send: (text: string) => void;
  readonly cancel: () => void;
}): ReactNode => {
  const words = useWords();
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') send(text.trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label>
        {kind === 'refuse' ? words.approval.reason : words.approval.what}
        <textarea
          rows={2}
          value={text}
          ref={(field) => field?.focus()}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') cancel();
          }}
        />
      </label>
      <div className="row">
        <button type="submit" className="main" disabled={text.trim() === ''}>
          {kind === 'refuse' ? words.approval.refuseNow : words.approval.changeNow}
        </button>
        <button type="button" onClick={cancel}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
};

const Answers = ({ request }: { readonly request: ApprovalRequest }): ReactNode => {
  const words = useWords();
  const [wording, setWording] = useState<Worded>();
  const answering = useAnswer(request.requestId);
  const may = useMayAnswer(request.role);
  const give = (body: AnswerBody): void => answering.mutate({ body, key: newKey() });
  const busy = answering.isPending || answering.isSuccess;
  if (!may) return <p className="hint">{words.approval.noRole(request.role)}</p>;
  return (
    <>
      {answering.error ? <ProblemNote cause={answering.error} /> : null}
      {wording === undefined ? (
        <div className="row answers">
          <button
            type="button"
            className="main"
            disabled={busy}
            onClick={() => give({ kind: 'approve', digest: request.digest })}
          >
            {words.approval.approve}
          </button>
          <button type="button" disabled={busy} onClick={() => setWording('request_changes')}>
            {words.approval.change}
          </button>
          <button type="button" disabled={busy} onClick={() => setWording('refuse')}>
            {words.approval.refuse}
          </button>
        </div>
      ) : (
        <WordsForm
          kind={wording}
          cancel={() => setWording(undefined)}
          send={(text) => {
            setWording(undefined);
            give(wording === 'refuse' ? { kind: 'refuse', reason: text } : { kind: wording, text });
          }}
        />
      )}
    </>
  );
};

const Exact = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  return (
    <>
      <p>
        {words.approval.exact} <strong>{action.tool.name}</strong>
      </p>
      <JsonView value={action.arguments} label={words.call.arguments} />
      <ActionFacts action={action} />
    </>
  );
};

export const Approval = ({
  request,
  view,
  standing,
}: {
  readonly request: ApprovalRequest;
  readonly view: RequestView;
  readonly standing: boolean;
}): ReactNode => {
  const words = useWords();
  const { action, lookAlikes } = view;
  return (
    <section className="request" aria-label={words.approval.title} id={request.requestId}>
      <h4>{words.approval.title}</h4>
      {action !== undefined && standing ? <Exact action={action} /> : null}
      {action !== undefined && lookAlikes.length > 0 ? (
        <LookAlikes action={action} others={lookAlikes} />
      ) : null}
      <p className="hint">
        {words.approval.digestNote} <code className="digest">{request.digest}</code>
      </p>
      <p className="hint">
        {words.approval.role(request.role)}{' '}
        {request.expiresAtMs === undefined ? null : (
          <>
            {words.approval.expires} <Time at={request.expiresAtMs} />.
          </>
        )}
      </p>
      <Answers request={request} />
    </section>
  );
};
