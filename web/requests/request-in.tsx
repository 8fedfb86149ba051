// An open request where its action is shown, by its kind. Once decided: who decided what, and when.
import type { ReactNode } from 'react';
import { useRequest } from '../api/queries.ts';
import type { Action, JsonObject, PersonRequest, RequestView } from '../api/types.ts';
import { useStore } from '../base/store.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Quoted } from '../parts/quoted.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { type AllWords, useLater } from '../words/later.ts';
import { outrun } from './answering.ts';
import { Approval } from './approval.tsx';
import { UnsentByBar } from './barred.tsx';
import { Question } from './question.tsx';
import { Recovery } from './recovery.tsx';
import { Skill } from './skill.tsx';
import { TakeBack } from './take-back.tsx';

const textOf = (request: PersonRequest): string | undefined => {
  const { decision } = request;
  if (decision?.kind === 'refused' || decision?.kind === 'declined') return decision.reason;
  if (decision?.kind === 'changes_requested') return decision.text;
  if (decision?.kind === 'voided') return decision.because;
  if (decision?.kind === 'answered') return answerOf(decision.answer);
  return undefined;
};

/** An answer on one line: its fields by their names. */
const answerOf = (answer: JsonObject): string =>
  Object.entries(answer)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const isKnown = ({ effect }: Action): boolean =>
  effect === 'confirmed' || effect === 'not_performed' || effect === 'accepted';

/** A recovery is over also where nothing is known: then it is told as the decision that it was. */
const decisionIn = (
  words: AllWords,
  request: PersonRequest,
  action: Action | undefined,
): string => {
  const { decision, decidedAt } = request;
  if (decision === undefined) return '';
  const plain = words.requestDecisions[decision.kind];
  if (request.on !== 'recovery' || action === undefined) return plain;
  const { disposition } = action;
  const { kind } = disposition;
  if (kind === 'suspended' || kind === 'abandoned' || kind === 'reissued')
    return disposition.at === decidedAt ? words.recovery.decidedAs[kind] : words.recovery.decided;
  return isKnown(action) ? plain : words.recovery.decided;
};

export const Decided = ({
  request,
  action,
}: {
  readonly request: PersonRequest;
  readonly action: Action | undefined;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const late = useStore(outrun).has(request.requestId);
  const { decision, decidedAt, decidedBy } = request;
  if (decision === undefined) return null;
  const said = textOf(request);
  return (
    <p className="decided" role={late ? 'alert' : 'status'}>
      {late ? <strong>{words.approval.alreadyDecided(decidedBy?.name ?? '')} </strong> : null}
      <strong>{words.requestKinds[request.on]}</strong>
      {words.colon}
      {words.approval.decidedBy(decisionIn(words, request, action), decidedBy?.name ?? '')}{' '}
      {decidedAt === undefined ? null : <Time at={decidedAt} exact={late} />}
      {said === undefined ? null : (
        <>
          {' '}
          <Quoted text={words.said(said)} />
        </>
      )}
    </p>
  );
};

const Body = ({
  view,
  standing,
}: {
  readonly view: RequestView;
  readonly standing: boolean;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { request } = view;
  if (request.decision !== undefined)
    return (
      <>
        <Decided request={request} action={view.action} />
        {request.decision.kind === 'approved' ? <UnsentByBar action={view.action} /> : null}
        <TakeBack view={view} />
      </>
    );
  if (request.on === 'recovery') return <Recovery request={request} standing={standing} />;
  if (request.released === true) return <p className="decided">{words.approval.voided}</p>;
  if (request.on === 'question') return <Question request={request} />;
  if (request.on === 'skill') return <Skill request={request} />;
  return <Approval request={request} view={view} standing={standing} />;
};

/** The request with its answers. `standing` on its own it also shows the action. */
export const RequestIn = ({
  requestId,
  standing = false,
}: {
  readonly requestId: string;
  readonly standing?: boolean;
}): ReactNode => (
  <Loaded asked={useRequest(requestId)}>
    {(view) => (
      <>
        <Body view={view} standing={standing} />
        <p className="request-id">
          <CopyMenu compact id={requestId} thing={{ kind: 'request', of: view.request }} />
        </p>
      </>
    )}
  </Loaded>
);

/** The requests of an action: what it waits for or waited for last, then the approval it acts under. */
export const RequestsOf = ({ action }: { readonly action: Action }): ReactNode => {
  const { mandate, requestId } = action;
  const approval = mandate.kind === 'approval' ? mandate.requestId : undefined;
  return [...new Set([requestId, approval])].map((id) =>
    id === undefined ? null : <RequestIn key={id} requestId={id} />,
  );
};
