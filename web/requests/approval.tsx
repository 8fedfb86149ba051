// An approval: exactly what would run, beside what looks like it, and the answers. Approving sends the digest that was shown;
// refusing and asking for changes tell the agent why. Laws: L6, L13.
import { type ReactNode, useState } from 'react';
import type { Action, PersonRequest, RequestView } from '../api/types.ts';
import { JsonView } from '../parts/json-view.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { claimsOf, session } from '../session.ts';
import { useStore } from '../store.ts';
import { ActionFacts } from '../thread/action-parts.tsx';
import { useWords } from '../words/index.tsx';
import { type Answering, useAnswering } from './answering.ts';
import { LookAlikes } from './look-alikes.tsx';
import { mayRemember, type Remember, RememberFields } from './remember.tsx';
import { WordsForm } from './words-form.tsx';

export type ApprovalRequest = Extract<PersonRequest, { on: 'approval' }>;

const useMayAnswer = (role: string): boolean => {
  const { token } = useStore(session);
  const roles = token === undefined ? [] : (claimsOf(token)?.roles ?? []);
  return roles.includes('admin') || roles.includes(role);
};

const Buttons = ({
  request,
  answering,
  remember,
  say,
}: {
  readonly request: ApprovalRequest;
  readonly answering: Answering;
  readonly remember: Remember | undefined;
  readonly say: (kind: 'refuse' | 'request_changes') => void;
}): ReactNode => {
  const words = useWords();
  const { give, busy } = answering;
  const { digest } = request;
  const incomplete = remember !== undefined && remember.condition.trim() === '';
  return (
    <div className="row answers">
      <button
        type="button"
        className="main"
        disabled={busy || incomplete}
        onClick={() =>
          give({ kind: 'approve', digest, ...(remember === undefined ? {} : { remember }) })
        }
      >
        {words.approval.approve}
      </button>
      <button type="button" disabled={busy} onClick={() => say('request_changes')}>
        {words.approval.change}
      </button>
      <button type="button" disabled={busy} onClick={() => say('refuse')}>
        {words.approval.refuse}
      </button>
    </div>
  );
};

const Answers = ({
  request,
  rememberable,
}: {
  readonly request: ApprovalRequest;
  readonly rememberable: boolean;
}): ReactNode => {
  const words = useWords();
  const [remember, setRemember] = useState<Remember>();
  const [saying, say] = useState<'refuse' | 'request_changes'>();
  const answering = useAnswering(request.requestId);
  const may = useMayAnswer(request.role);
  if (!may) return <p className="hint">{words.approval.noRole(request.role)}</p>;
  const refusing = saying === 'refuse';
  return (
    <>
      {answering.error ? <ProblemNote cause={answering.error} /> : null}
      {saying === undefined ? (
        <>
          {rememberable ? (
            <RememberFields name={request.requestId} given={remember} change={setRemember} />
          ) : null}
          <Buttons request={request} answering={answering} remember={remember} say={say} />
        </>
      ) : (
        <WordsForm
          label={refusing ? words.approval.reason : words.approval.what}
          button={refusing ? words.approval.refuseNow : words.approval.changeNow}
          cancel={() => say(undefined)}
          send={(text) => {
            say(undefined);
            answering.give(refusing ? { kind: saying, reason: text } : { kind: saying, text });
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
        {words.approval.digestNote}{' '}
        {standing ? null : <code className="digest">{request.digest}</code>}
      </p>
      <p className="hint">
        {words.approval.role(request.role)}{' '}
        {request.expiresAtMs === undefined ? null : (
          <>
            {words.approval.expires} <Time at={request.expiresAtMs} />.
          </>
        )}
      </p>
      <Answers request={request} rememberable={mayRemember(request, action)} />
    </section>
  );
};
