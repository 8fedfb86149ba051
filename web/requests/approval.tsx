// An approval: exactly what would run, beside what looks like it, and the answers. Approving sends the digest that was shown;
// refusing and asking for changes tell the agent why. Laws: L6, L13.
import { type ReactNode, useState } from 'react';
import type { Action, RequestView } from '../api/types.ts';
import { claimsOf, session } from '../base/session.ts';
import { useStore } from '../base/store.ts';
import { ActionFacts } from '../calls/action-parts.tsx';
import { LookAlikes } from '../calls/look-alikes.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { roleName } from '../words/role-name.ts';
import { AgainstNotes, isBarring } from './against.tsx';
import { type Answering, useAnswering } from './answering.ts';
import { BarNote, useBarOn } from './barred.tsx';
import { ChangesForm } from './changes-form.tsx';
import { Earlier } from './earlier.tsx';
import { type Remember, RememberFields, rememberScopes } from './remember.tsx';
import type { ApprovalRequest } from './why.tsx';
import { Why } from './why.tsx';
import { WordsForm } from './words-form.tsx';

const useMayAnswer = (role: string): boolean => {
  const { token } = useStore(session);
  const roles = token === undefined ? [] : (claimsOf(token)?.roles ?? []);
  return roles.includes('admin') || roles.includes(role);
};

const Buttons = ({
  request,
  answering,
  remember,
  changeable,
  barred,
  say,
}: {
  readonly request: ApprovalRequest;
  readonly changeable: boolean;
  readonly barred: boolean;
  readonly answering: Answering;
  readonly remember: Remember | undefined;
  readonly say: (kind: 'refuse' | 'request_changes') => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { give, busy } = answering;
  const { digest } = request;
  const incomplete = remember !== undefined && remember.condition.trim() === '';
  return (
    <div className="row answers">
      <button
        type="button"
        className="main"
        aria-busy={busy}
        disabled={busy || incomplete}
        aria-disabled={barred}
        onClick={() =>
          barred ||
          give({ kind: 'approve', digest, ...(remember === undefined ? {} : { remember }) })
        }
      >
        {busy ? words.sending : words.approval.approve}
      </button>
      <button type="button" disabled={busy || !changeable} onClick={() => say('request_changes')}>
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
  action,
  against,
  offered,
}: {
  readonly request: ApprovalRequest;
  readonly action: Action | undefined;
  readonly against: RequestView['against'];
  readonly offered: readonly Remember['scope'][];
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [remember, setRemember] = useState<Remember>();
  const [saying, say] = useState<'refuse' | 'request_changes'>();
  const answering = useAnswering(request.requestId);
  const bar = useBarOn(action);
  const may = useMayAnswer(request.role);
  if (!may) return <p className="hint">{words.approval.noRole(roleName(request.role, words))}</p>;
  return (
    <>
      {bar === undefined || action === undefined ? null : (
        <BarNote by={bar} tool={action.tool.name} means="approving" />
      )}
      <AgainstNotes against={against.filter(({ kind }) => kind !== 'tool_barred' || !bar)} />
      {answering.error ? <ProblemNote cause={answering.error} /> : null}
      {saying === undefined ? (
        <>
          {offered.length > 0 ? (
            <RememberFields
              name={request.requestId}
              offered={offered}
              given={remember}
              change={setRemember}
            />
          ) : null}
          <Buttons
            request={request}
            answering={answering}
            remember={remember}
            changeable={action !== undefined}
            barred={bar !== undefined || against.some(isBarring)}
            say={say}
          />
        </>
      ) : saying === 'request_changes' && action !== undefined ? (
        <ChangesForm
          action={action}
          busy={answering.busy}
          send={(text) => answering.give({ kind: 'request_changes', text })}
          cancel={() => say(undefined)}
        />
      ) : (
        <WordsForm
          label={words.approval.reason}
          button={words.approval.refuseNow}
          cancel={() => say(undefined)}
          busy={answering.busy}
          send={(reason) => answering.give({ kind: 'refuse', reason })}
        />
      )}
    </>
  );
};

const Exact = ({
  action,
  barred,
}: {
  readonly action: Action;
  readonly barred: boolean;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <>
      <p>
        {barred ? words.again.against.asked : words.approval.exact}{' '}
        <strong>{action.tool.name}</strong>
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
  const words = { ...useWords(), ...useLater() };
  const { action, lookAlikes, against } = view;
  return (
    <section className="request" aria-label={words.approval.title} id={request.requestId}>
      <h4>{words.approval.title}</h4>
      {action !== undefined && standing ? (
        <Exact action={action} barred={against.some(isBarring)} />
      ) : null}
      {action !== undefined && lookAlikes.length > 0 ? (
        <LookAlikes action={action} others={lookAlikes} />
      ) : null}
      {action === undefined ? null : <Earlier action={action} />}
      {action === undefined ? null : <Why request={request} action={action} />}
      <p className="hint">
        {words.approval.digestNote}{' '}
        {standing ? null : <code className="digest">{request.digest}</code>}
      </p>
      <p className="hint">
        {words.approval.role(roleName(request.role, words))}{' '}
        {request.expiresAtMs === undefined ? null : (
          <>
            {words.approval.expires} <Time at={request.expiresAtMs} />
            {words.approval.expiresThen}
          </>
        )}
      </p>
      <Answers request={request} action={action} against={against} offered={rememberScopes(view)} />
    </section>
  );
};
